import { Type } from "typebox";
import { type ContentStatus, SLUG_PATTERN } from "../content/content-rules.ts";
import { given } from "../given.ts";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { ContentEvent, RegistryEvent } from "./index.ts";

/** What kind of text it is. The log does not limit which kinds exist. */
const Kind = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/** The whole text, so that each version is one event. Sealed: it may name a person, and must be erasable. */
const content = strict({
  /** Last part of its address. It never changes: the stream's id is derived from it. */
  slug: Type.String({ pattern: SLUG_PATTERN }),
  title: Type.String({ minLength: 1 }),
  /** One sentence for lists and search engines; may be empty. */
  description: Type.String(),
  /** Markdown; `{{name}}` is replaced by a value. */
  body: Type.String(),
  /** Its place among the frequent questions. */
  order: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** Of a legal text: its version, and the day since which it is in force. */
const inForce = {
  version: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d(?:\\.\\d{1,4})?$" })),
  effective_date: Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" })),
};
const whole = { required: ["content"] } as const;

/**
 * A text as it ships with the software and was public. Appended with its first change, so that the
 * change can be compared and undone.
 */
export const ContentShipped = defineEvent(
  "ContentShipped",
  1,
  strict({ kind: Kind, ...inForce }),
  { content },
  whole,
);

/** Someone created a text as a draft. */
export const ContentCreated = defineEvent(
  "ContentCreated",
  1,
  strict({ kind: Kind }),
  { content },
  whole,
);

/** The draft was edited. The public text is unchanged. */
export const ContentEdited = defineEvent("ContentEdited", 1, strict({}), { content }, whole);

/** An earlier version became the draft. */
export const ContentRestored = defineEvent(
  "ContentRestored",
  1,
  /** Revision of the event that holds that version. */
  strict({ revision: Type.Integer({ minimum: 0 }) }),
  { content },
  whole,
);

/** The draft was published. */
export const ContentPublished = defineEvent("ContentPublished", 1, strict(inForce), {});

/** The text was unpublished. The draft stays. */
export const ContentUnpublished = defineEvent("ContentUnpublished", 1, strict({}), {});

/** The text was deleted. Its key is destroyed right after this event. */
export const ContentDeleted = defineEvent("ContentDeleted", 1, strict({}), {});

export const contentDefinitions = [
  ContentShipped,
  ContentCreated,
  ContentEdited,
  ContentRestored,
  ContentPublished,
  ContentUnpublished,
  ContentDeleted,
] as const;

/** The event with which a text is removed for good. */
export const CONTENT_END = "ContentDeleted" satisfies RegistryEvent["type"];

/** Id of the text that the stream is about; undefined for any other stream. */
export function contentOf(stream: string): string | undefined {
  return /^content-(.+)$/.exec(stream)?.[1];
}

type Created = Extract<ContentEvent, { type: "ContentCreated" }>["data"];
export type ContentText = NonNullable<Created["content"]>;

/** What the public reads of a text. */
interface PublishedContent {
  /** Null once the text is deleted. */
  readonly text: ContentText | null;
  /** Of a legal text. */
  readonly version?: string;
  /** Of a legal text, `YYYY-MM-DD`. */
  readonly effective_date?: string;
}

/** A text of the registry about itself. */
export interface ContentState {
  /** Code; a newer version may know kinds that this one does not. */
  readonly kind: string;
  readonly status: ContentStatus | "deleted";
  /** Revision of its last event. */
  readonly revision: number;
  /** The draft; null once the text is deleted. */
  readonly text: ContentText | null;
  readonly published?: PublishedContent;
}

/** A text after one more event. */
export function evolveContent(state: ContentState | undefined, event: ContentEvent): ContentState {
  const revision = (state?.revision ?? -1) + 1;
  switch (event.type) {
    case "ContentShipped": {
      const { kind, content: text = null, version, effective_date } = event.data;
      const published = { text, ...given({ version, effective_date }) };
      return { kind, status: "published", revision, text, published };
    }
    case "ContentCreated": {
      const { kind, content: text = null } = event.data;
      return { kind, status: "draft", revision, text };
    }
    case "ContentEdited":
    case "ContentRestored":
      return { ...begun(state), revision, text: event.data.content ?? null };
    case "ContentPublished": {
      const { version, effective_date } = event.data;
      const { text } = begun(state);
      const published = { text, ...given({ version, effective_date }) };
      return { ...begun(state), status: "published", revision, published };
    }
    case "ContentUnpublished": {
      const { published: _, ...rest } = begun(state);
      return { ...rest, status: "draft", revision };
    }
    case "ContentDeleted": {
      const { kind } = begun(state);
      return { kind, status: "deleted", revision, text: null };
    }
  }
}

function begun(state: ContentState | undefined): ContentState {
  return state ?? { kind: "unknown", status: "draft", revision: -1, text: null };
}

/** Whether two texts read the same. */
export function isSameText(a: ContentText | null, b: ContentText | null): boolean {
  if (!a || !b) return a === b;
  return (
    a.title === b.title &&
    a.description === b.description &&
    a.body === b.body &&
    a.order === b.order
  );
}

/** Whether the draft differs from what is public. */
export function hasChanges({ text, published }: ContentState): boolean {
  return published !== undefined && !isSameText(text, published.text);
}
