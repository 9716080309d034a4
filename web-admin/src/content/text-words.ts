import type { ContentKind } from "#contracts/content/content-rules.ts";
import { TERMS_SLUG } from "#contracts/content/content-rules.ts";
import type {
  ContentItem,
  ContentRecord,
  ContentText,
  ContentVersion,
} from "#contracts/http/content.ts";
import { formatCount } from "../shared/formats.ts";
import type { Step } from "../shared/StepDialog.tsx";
import type { Happened } from "../shared/versions/VersionHistory.tsx";

/** How often a text was read. Only posts and pages are counted. */
export function viewsText({ type, views }: Pick<ContentItem, "type" | "views">): string {
  return type === "blog" || type === "page" ? formatCount(views) : "Not counted";
}

/** Names of the fields of a text; those of a FAQ item are its question and its answer. */
export function fieldWords(kind: ContentKind) {
  return kind === "faq"
    ? { title: "Question", body: "Answer (Markdown)" }
    : { title: "Title", body: "Text (Markdown)" };
}

/** What happened, as a sentence about whoever did it. */
export function historySentence(event: ContentVersion): string {
  const who = event.actor ?? "Somebody";
  const version = event.version ? `, as version ${event.version}` : "";
  switch (event.type) {
    case "ContentShipped":
      return `The text as it came with the software${event.version ? `, version ${event.version}` : ""}`;
    case "ContentCreated":
      return `${who} began this text`;
    case "ContentEdited":
      return `${who} saved a draft`;
    case "ContentRestored":
      return `${who} restored revision ${event.restored ?? "unknown"} as the draft`;
    case "ContentPublished":
      return `${who} published the draft${version}`;
    case "ContentUnpublished":
      return `${who} took the text from the site`;
    default:
      return `${who}: ${event.type}`;
  }
}

/** What happened to a text, in the words of its history. */
export function happenedTo(history: readonly ContentVersion[]): Happened[] {
  return history.map((event) => ({
    revision: event.revision,
    sentence: historySentence(event),
    at: event.at,
    hasText: event.has_text,
  }));
}

/** Who changed the text after the revision, for whoever is told that somebody was first. */
export function changedSince(history: readonly ContentVersion[], revision: number) {
  return history.filter((event) => event.revision > revision && event.type !== "ContentShipped");
}

/** A text as lines, so that two of them can be compared. */
export function textLines(kind: ContentKind, text: ContentText): string[] {
  const { title, body } = fieldWords(kind);
  return [
    `${title}: ${text.title}`,
    ...(kind === "faq" ? [`Place: ${text.order ?? ""}`] : [`Description: ${text.description}`]),
    `${body}:`,
    ...text.body.replace(/\n$/, "").split("\n"),
  ];
}

/** The steps that change what is public, and deletion. */
export type StepName = "publish" | "unpublish" | "delete";

/** What a step is called and what it does, before somebody confirms it. */
export function stepWords(
  name: StepName,
  { type, slug }: Pick<ContentRecord, "type" | "slug">,
): Step {
  switch (name) {
    case "publish":
      return {
        label: "Publish",
        title: (text) => `Publish “${text}”?`,
        consequence:
          type === "legal"
            ? legalConsequence(slug)
            : "Everybody can read the draft on the site within two seconds.",
        confirm: "Publish",
      };
    case "unpublish":
      return {
        label: "Take back to draft",
        title: (text) => `Take “${text}” from the site?`,
        consequence: "Its address answers that nothing is there. The draft stays here.",
        confirm: "Take from the site",
      };
    case "delete":
      return {
        label: "Delete",
        title: (text) => `Delete “${text}” for good?`,
        consequence:
          "The text and all its versions are destroyed and cannot be restored. Its address stays taken.",
        confirm: "Delete",
      };
  }
}

function legalConsequence(slug: string): string {
  const inForce = "The draft is in force from today, under a version of its own.";
  return slug === TERMS_SLUG
    ? `${inForce} Whoever has a form open is asked to agree again.`
    : inForce;
}

/** Which steps make sense for a text as it stands. Saved changes are published, unsaved ones are not. */
export function stepsFor({ type, status, has_changes }: ContentRecord): readonly StepName[] {
  const publish = status === "draft" || has_changes;
  const remove = type !== "legal";
  return [
    ...(publish ? (["publish"] as const) : []),
    ...(remove && status === "published" ? (["unpublish"] as const) : []),
    ...(remove ? (["delete"] as const) : []),
  ];
}

/** Where a text stands, in words for its chip. */
export function standingText(status: string, has_changes: boolean): string {
  if (status === "draft") return "Draft";
  return has_changes ? "Published, with changes" : "Published";
}

/** Who changed a text last; the software brought what nobody changed. */
export function authorText({
  author,
  last_modified,
}: Pick<ContentItem, "author" | "last_modified">) {
  return author ?? (last_modified ? "Unknown" : "As shipped");
}
