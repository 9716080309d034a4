import {
  CONTENT_BOUNDS,
  type ContentKind,
  contentPath,
  isReservedSlug,
  MAX_ORDER,
  SLUG_PATTERN,
  SLUG_RULE,
  TERMS_SLUG,
} from "#contracts/content/content-rules.ts";
import {
  CONTENT_COMMANDS,
  type ContentItem,
  type ContentRecord,
  type ContentText,
  type ContentVersion,
} from "#contracts/http/content.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { FormField } from "../shared/fields.tsx";
import { formatCount } from "../shared/formats.ts";
import type { CommandSet } from "../shared/versions/use-commands.ts";
import type { Action, Editing } from "../shared/versions/VersionedEditor.tsx";

export const CONTENT_SET: CommandSet = {
  rows: CONTENT_COMMANDS,
  changedCode: "content_changed",
  resource: "content",
};

type ContentValues = Readonly<Record<"title" | "description" | "body" | "order", string>>;

export const EMPTY: ContentValues = { title: "", description: "", body: "", order: "" };

/** Builds the request body. Expects valid values. */
export function bodyOf(values: ContentValues, kind: ContentKind): ContentText {
  const isFaq = kind === "faq";
  return {
    title: values.title.trim(),
    description: isFaq ? "" : values.description.trim(),
    body: values.body,
    ...omitUndefined({ order: isFaq ? Number(values.order) : undefined }),
  };
}

type ContentField = FormField<keyof ContentValues>;
const ORDER: ContentField = {
  source: "order",
  label: "Order",
  type: "number",
  help: "Questions are sorted by this number, lowest first.",
  needs: `Enter a number from 0 to ${MAX_ORDER}`,
  like: /^\d{1,4}$/,
};
const DESCRIPTION: ContentField = {
  source: "description",
  label: "Description",
  max: CONTENT_BOUNDS.description,
  help: "One sentence for lists and search engines. Required to publish.",
};

/** The fields of a text; for an FAQ item, its question and answer. */
export function fieldsOf(kind: ContentKind): readonly ContentField[] {
  const isFaq = kind === "faq";
  const [title, body] = isFaq ? ["Question", "Answer"] : ["Title", "Text"];
  return [
    {
      source: "title",
      label: title,
      max: CONTENT_BOUNDS.title,
      needs: `Enter a ${title.toLowerCase()}`,
    },
    isFaq ? ORDER : DESCRIPTION,
    {
      source: "body",
      label: `${body} (Markdown)`,
      max: CONTENT_BOUNDS.body,
      isLong: "markdown",
      help: "{{product_name}}, {{support_email}} and {{resolution_fee}} insert the registry's own values.",
    },
  ];
}

/** The address field of a new text. */
export function slugField(kind: ContentKind): FormField<"slug"> {
  return {
    source: "slug",
    label: "Address",
    max: CONTENT_BOUNDS.slug,
    help: (slug) => `${contentPath(kind, slug || "…")} on the site. It can't be changed later.`,
    needs: SLUG_RULE,
    like: new RegExp(SLUG_PATTERN),
    fault: (slug) =>
      isReservedSlug(kind, slug) ? "This address is reserved for the site" : undefined,
  };
}

/** Formats a text's view count. Only posts and pages are counted. */
export function viewsText({ type, views }: Pick<ContentItem, "type" | "views">): string {
  return type === "blog" || type === "page" ? formatCount(views) : "Not counted";
}

/** Returns who last changed a text. */
export function authorText(item: Pick<ContentItem, "author" | "last_modified">): string {
  return item.author ?? (item.last_modified ? "Unknown" : "Default");
}

/** Returns a text's status for its chip. */
export function statusText({ status, has_changes }: Pick<ContentItem, "status" | "has_changes">) {
  if (status === "draft") return "Draft";
  return has_changes ? "Published, with changes" : "Published";
}

function sentenceOf({ actor, type, version, restored }: ContentVersion): string {
  if (type === "ContentShipped") return `Default text${version ? `, version ${version}` : ""}`;
  const happened: Readonly<Record<string, string>> = {
    ContentCreated: "created this text",
    ContentEdited: "saved a draft",
    ContentRestored: `restored revision ${restored} as the draft`,
    ContentPublished: `published the draft${version ? ` as version ${version}` : ""}`,
    ContentUnpublished: "unpublished the text",
  };
  return `${actor ?? "Someone"} ${happened[type] ?? type}`;
}

/** Returns the actions that apply: only saved changes are published, and legal texts can't be removed. */
function actionsOf(record: ContentRecord, isDirty: boolean): readonly Action[] {
  const { type, slug, status, has_changes, text } = record;
  const publish: Action = {
    name: "publish",
    label: isDirty ? "Save and publish" : "Publish",
    isPrimary: true,
    savesFirst: isDirty,
    question: {
      title: `Publish “${text.title}”?`,
      consequence:
        type === "legal"
          ? `The draft takes effect today as a new version.${slug === TERMS_SLUG ? " Anyone with an open form will be asked to agree again." : ""}`
          : "The draft will be public within two seconds.",
      confirm: "Publish",
    },
  };
  const unpublish: Action = {
    name: "unpublish",
    label: "Unpublish",
    question: {
      title: `Unpublish “${text.title}”?`,
      consequence: "Its page will no longer be available. The draft stays here.",
      confirm: "Unpublish",
    },
  };
  const remove: Action = {
    name: "delete",
    label: "Delete",
    question: {
      title: `Delete “${text.title}” permanently?`,
      consequence: "The text and its versions can't be restored. Its address can't be reused.",
      confirm: "Delete",
    },
  };
  const canPublish = status === "draft" || has_changes || isDirty;
  const isLegal = type === "legal";
  return [
    ...(!isLegal && status === "published" ? [unpublish] : []),
    ...(isLegal ? [] : [remove]),
    ...(canPublish ? [publish] : []),
  ];
}

/** Configuration of the editor for texts. */
export const contentEditing: Editing<ContentRecord, ContentText, ContentValues, ContentVersion> = {
  commands: CONTENT_SET,
  textOf: ({ text }) => text,
  valuesOf: ({ title, description, body, order }) => ({
    title,
    description,
    body,
    order: String(order ?? ""),
  }),
  bodyOf: (values, { type }) => bodyOf(values, type),
  fieldsOf: ({ type }) => fieldsOf(type),
  titleOf: ({ text }) => text.title,
  sentenceOf,
  harmless: "ContentShipped",
  statusOf({ status, has_changes }, isDirty) {
    if (isDirty) return "Unsaved changes";
    if (status === "draft") return "Saved as a draft";
    return has_changes
      ? "Saved. The site shows the previously published version."
      : "Published as shown";
  },
  actionsOf,
  present: "draft",
  part: "Draft",
  save: "Save draft",
};
