import { type Static, type TObject, Type } from "typebox";
import {
  CONTENT_BOUNDS,
  CONTENT_KINDS,
  CONTENT_STATUSES,
  MOST_ORDER,
  SLUG_PATTERN,
} from "../content/content-rules.ts";
import { codes, strict } from "../report/fields.ts";
import { ONE_LINE } from "../report/one-line.ts";
import { ContentId } from "./content.ts";
import { reply } from "./envelope.ts";

/** The admins' address of all texts. Their commands are below it. */
export const ADMIN_CONTENT = "/prod/api/admin/content";

const opt = Type.Optional;
const Kind = codes(CONTENT_KINDS);
const Status = codes(CONTENT_STATUSES);
const Slug = Type.String({ pattern: SLUG_PATTERN, maxLength: CONTENT_BOUNDS.slug });
/** Revision of the text that the sender has seen; -1 for a shipped one that nobody changed. */
const Revision = Type.Integer({ minimum: -1, maximum: 2 ** 31 });
const seen = { revision: Revision };

const words = {
  title: Type.String({ minLength: 1, maxLength: CONTENT_BOUNDS.title, pattern: ONE_LINE }),
  description: Type.String({ maxLength: CONTENT_BOUNDS.description, pattern: ONE_LINE }),
  body: Type.String({ maxLength: CONTENT_BOUNDS.body }),
  /** Of a FAQ item only. */
  order: opt(Type.Integer({ minimum: 0, maximum: MOST_ORDER })),
};
const CreateContent = strict({ kind: Kind, slug: Slug, ...words });
const EditContent = strict({ ...seen, ...words });

/** One command about a text: everything that more than one part of the project needs to know. */
interface ContentRow {
  /** Its name in the log. It never changes. */
  readonly type: string;
  /** Its name in the audit log, for people. */
  readonly title: string;
  readonly method: "POST" | "PUT" | "DELETE";
  /** Below the address of all texts. */
  readonly path: "" | `/${string}`;
  readonly body: TObject;
  readonly summary: string;
  /** The sentence when it is done. */
  readonly done: string;
}

/** Every command about the registry's own texts. */
export const CONTENT_COMMANDS = {
  create: {
    type: "CreateContent",
    title: "Begin a text",
    method: "POST",
    path: "",
    body: CreateContent,
    summary: "Create a draft of a post, page or FAQ item",
    done: "Draft saved",
  },
  edit: {
    type: "EditContent",
    title: "Edit a text",
    method: "PUT",
    path: "/:id",
    body: EditContent,
    summary: "Save the draft of a text; the public text is unchanged",
    done: "Draft saved",
  },
  publish: {
    type: "PublishContent",
    title: "Publish a text",
    method: "POST",
    path: "/:id/publish",
    body: strict(seen),
    summary: "Publish the draft of a text",
    done: "Published",
  },
  unpublish: {
    type: "UnpublishContent",
    title: "Take a text back to draft",
    method: "POST",
    path: "/:id/unpublish",
    body: strict(seen),
    summary: "Unpublish a text; the draft stays",
    done: "Not public any more",
  },
  restore: {
    type: "RestoreContent",
    title: "Restore a version of a text",
    method: "POST",
    path: "/:id/restore",
    body: strict({ ...seen, version: Type.Integer({ minimum: 0, maximum: 2 ** 31 }) }),
    summary: "Restore an earlier version of a text as its draft",
    done: "Restored as the draft",
  },
  delete: {
    type: "DeleteContent",
    title: "Delete a text",
    method: "DELETE",
    path: "/:id",
    body: strict(seen),
    summary: "Delete a text permanently; its address can't be reused",
    done: "Deleted",
  },
} as const satisfies Readonly<Record<string, ContentRow>>;

type Rows = typeof CONTENT_COMMANDS;
export type ContentCommandName = keyof Rows;
export type ContentBody<N extends ContentCommandName> = Static<Rows[N]["body"]>;

/** A text after a command. */
export const ContentCommandReply = reply(
  strict({
    id: ContentId,
    status: Type.Union([Status, Type.Literal("deleted")]),
    revision: Type.Integer(),
  }),
);

/** POST /prod/api/admin/content/preview: the draft as the site would show it. Nothing is stored. */
export const PreviewContent = strict({ body: words.body });
export const PreviewReply = reply(strict({ html: Type.String() }));

/** A row of the console's list. */
export const ContentItem = strict({
  id: ContentId,
  title: Type.String(),
  type: Kind,
  slug: Type.String(),
  status: Status,
  /** Whether the draft differs from what is public. */
  has_changes: Type.Boolean(),
  /** Absent for a text as it ships, and where the name is not known. */
  author: opt(Type.String()),
  /** Absent for a text as it ships. */
  last_modified: opt(Type.String()),
  views: Type.Integer(),
  order: opt(Type.Integer()),
  revision: Type.Integer(),
});
export type ContentItem = Static<typeof ContentItem>;

/** A text as it can be edited. */
export const ContentText = strict({
  title: Type.String(),
  description: Type.String(),
  body: Type.String(),
  order: opt(Type.Integer()),
});
export type ContentText = Static<typeof ContentText>;

/** What happened to a text, in one event. */
export const ContentVersion = strict({
  revision: Type.Integer(),
  /** Type of the event. */
  type: Type.String(),
  /** Absent for the text as it shipped. */
  at: opt(Type.String()),
  actor: opt(Type.String()),
  /** Of a published legal text. */
  version: opt(Type.String()),
  /** Revision that was restored. */
  restored: opt(Type.Integer()),
  /** The text as the event left it can be shown and restored. */
  has_text: Type.Boolean(),
});
export type ContentVersion = Static<typeof ContentVersion>;

/** GET /prod/api/admin/content/{id}: the draft with its history, oldest first. */
export const ContentRecord = strict({
  id: ContentId,
  type: Kind,
  slug: Type.String(),
  status: Status,
  has_changes: Type.Boolean(),
  revision: Type.Integer(),
  /** Of what is public of a legal text. */
  version: opt(Type.String()),
  text: ContentText,
  /** What is public; absent for a draft. */
  published: opt(ContentText),
  history: Type.Array(ContentVersion),
});
export type ContentRecord = Static<typeof ContentRecord>;
export const ContentRecordReply = reply(ContentRecord);

/** GET /prod/api/admin/content/{id}/versions/{revision} */
export const VersionParams = strict({
  id: ContentId,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export const VersionReply = reply(ContentText);
