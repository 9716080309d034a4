import type { ShippedText } from "#content/shipped-text.ts";
import { unknownValue } from "#content/text-values.ts";
import { type ContentKind, isReservedSlug } from "#contracts/content/content-rules.ts";
import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import {
  type ContentState,
  type ContentText,
  evolveContent,
  hasChanges,
  isSameText,
} from "#contracts/events/content.ts";
import type { ContentEvent } from "#contracts/events/index.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { Moment } from "../kernel/command.ts";

/** The text without its URL. */
type Words = Omit<ContentText, "slug">;

/** Every command but the first names the revision that its sender has seen; -1 is the shipped text. */
interface Seen {
  readonly revision: number;
}

/** Commands for one of the registry's texts. */
export type ContentCommand =
  | {
      readonly type: "CreateContent";
      readonly kind: ContentKind;
      readonly slug: string;
      readonly words: Words;
    }
  | ({ readonly type: "EditContent"; readonly words: Words } & Seen)
  | ({ readonly type: "PublishContent" | "UnpublishContent" | "DeleteContent" } & Seen)
  | ({ readonly type: "RestoreContent"; readonly version: number } & Seen);

/** A command with what its decider needs besides the state. */
export type PreparedContentCommand = ContentCommand & {
  /** The text as shipped with the software, if any. */
  readonly shipped?: ShippedText | undefined;
  /** The text of the version to restore; absent if there is no such version. */
  readonly former?: ContentText | undefined;
};

type CommandOf<T extends PreparedContentCommand["type"]> = Extract<
  PreparedContentCommand,
  { type: T }
>;

/** Decides commands about one of the registry's texts. */
export function decideContent(
  state: ContentState | undefined,
  command: PreparedContentCommand,
  moment: Moment,
): ContentEvent[] {
  if (command.type === "CreateContent") return create(state, command);
  // The first change of a shipped text also adds the shipped text to the log, as its first version.
  const first = state === undefined && command.shipped ? [shippedEvent(command.shipped)] : [];
  const text = first.reduce<ContentState | undefined>(evolveContent, state);
  const changes = change(existing(text, command.revision, state), command, moment);
  return changes.length > 0 ? [...first, ...changes] : [];
}

function change(
  state: ContentState & { readonly text: ContentText },
  command: Exclude<PreparedContentCommand, { type: "CreateContent" }>,
  { now }: Moment,
): ContentEvent[] {
  const { text, kind } = state;
  switch (command.type) {
    case "EditContent": {
      const content = { ...command.words, slug: text.slug };
      refuseUnfit(kind, content);
      return isSameText(content, text) ? [] : [{ type: "ContentEdited", data: { content } }];
    }
    case "RestoreContent": {
      const { former, version: revision } = command;
      if (!former) throw new DomainError("not_found", `This text has no version ${revision}`);
      if (isSameText(former, text)) return [];
      return [{ type: "ContentRestored", data: { revision, content: former } }];
    }
    case "PublishContent": {
      if (state.published && !hasChanges(state)) return [];
      refuseUnfinished(kind, text);
      const inForce = kind === "legal" ? nextVersion(state, now) : {};
      return [{ type: "ContentPublished", data: inForce }];
    }
    case "UnpublishContent":
      refuseLegal(kind);
      return state.published ? [{ type: "ContentUnpublished", data: {} }] : [];
    case "DeleteContent":
      refuseLegal(kind);
      return [{ type: "ContentDeleted", data: {} }];
  }
}

function create(
  state: ContentState | undefined,
  { kind, slug, words, shipped }: CommandOf<"CreateContent">,
): ContentEvent[] {
  refuseLegal(kind);
  if (isReservedSlug(kind, slug))
    throw refusalOf({ slug: "This address is reserved for the site. Choose another one." });
  if (state || shipped) {
    const sentence =
      state?.status === "deleted"
        ? "This address belonged to a text that was deleted. Choose another one."
        : "A text with this address already exists. Choose another one.";
    throw new DomainError("slug_taken", sentence, { slug: sentence });
  }
  const content = { ...words, slug };
  refuseUnfit(kind, content);
  return [{ type: "ContentCreated", data: { kind, content } }];
}

/**
 * Returns the text if it exists and its sender has seen this revision.
 * @param stored undefined for an unchanged shipped text.
 */
function existing(
  state: ContentState | undefined,
  seen: number,
  stored: ContentState | undefined,
): ContentState & { readonly text: ContentText } {
  if (!state) throw new DomainError("not_found", "Text not found");
  if (state.status === "deleted" || !state.text)
    throw new DomainError("content_deleted", "This text was deleted");
  if (seen !== (stored?.revision ?? -1))
    throw new DomainError(
      "content_changed",
      "Someone else changed this text in the meantime. Nothing was overwritten.",
    );
  return { ...state, text: state.text };
}

function refuseLegal(kind: string): void {
  if (kind === "legal")
    throw new DomainError(
      "legal_text",
      "Legal texts are always there. You can edit and publish them, but not add or remove them.",
    );
}

/** Refuses what not even a draft may contain. */
function refuseUnfit(kind: ContentKind | string, { title, body, description, order }: ContentText) {
  const problems: Record<string, string> = {};
  for (const [field, text] of Object.entries({ title, description, body })) {
    const name = unknownValue(text);
    if (name) problems[field] = `Unknown placeholder {{${name}}}`;
  }
  if (title.trim() === "") problems.title = "Please enter a title";
  if (kind === "faq" && order === undefined) problems.order = "Please enter an order";
  if (kind !== "faq" && order !== undefined) problems.order = "Only an FAQ item has an order";
  if (Object.keys(problems).length > 0) throw refusalOf(problems);
}

function refuseUnfinished(kind: string, { body, description }: ContentText): void {
  const problems: Record<string, string> = {};
  if (body.trim() === "") problems.body = "There is nothing to publish yet";
  if (kind !== "faq" && description.trim() === "")
    problems.description = "Please write one sentence for lists and search engines";
  if (Object.keys(problems).length > 0) throw refusalOf(problems);
}

/** The version is the publication date; a second one on the same day ends in `.2`. */
function nextVersion({ published }: ContentState, now: string) {
  const effective_date = now.slice(0, 10);
  const [day, n = "1"] = published?.version?.split(".") ?? [];
  const version = day === effective_date ? `${day}.${Number(n) + 1}` : effective_date;
  return { version, effective_date };
}

function shippedEvent({ kind, text: content, version, effective_date }: ShippedText): ContentEvent {
  return {
    type: "ContentShipped",
    data: { kind, ...omitUndefined({ version, effective_date }), content },
  };
}
