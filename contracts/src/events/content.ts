import { Type } from "typebox";
import { type ContentStatus, SLUG_PATTERN } from "../content/content-rules.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { strict } from "../report/fields.ts";
import { defineEvent } from "./definition.ts";
import type { ContentEvent, RegistryEvent } from "./index.ts";

/** Kind of text. The log does not restrict the values. */
const Kind = Type.String({ pattern: "^[a-z0-9_]{1,40}$" });

/** The whole text, so that each version is one event. Sealed because it may name a person and must be erasable. */
const content = strict({
  /** Last segment of its URL. It never changes, because the stream ID is derived from it. */
  slug: Type.String({ pattern: SLUG_PATTERN }),
  title: Type.String({ minLength: 1 }),
  /** One sentence for lists and search engines; may be empty. */
  description: Type.String(),
  /** Markdown; `{{name}}` placeholders are replaced by values. */
  body: Type.String(),
  /** Position in the FAQ. */
  order: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** For a legal text: its version and the date it took effect. */
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

/** The event that permanently removes a text. */
export const CONTENT_END = "ContentDeleted" satisfies RegistryEvent["type"];

/** Returns the ID of the stream's text, or undefined for any other stream. */
export function contentOf(stream: string): string | undefined {
  return /^content-(.+)$/.exec(stream)?.[1];
}

type Created = Extract<ContentEvent, { type: "ContentCreated" }>["data"];
export type ContentText = NonNullable<Created["content"]>;

/** A text as the public reads it. */
interface PublishedContent {
  /** Null once the text is deleted. */
  readonly text: ContentText | null;
  /** Legal texts only. */
  readonly version?: string;
  /** Legal texts only, `YYYY-MM-DD`. */
  readonly effective_date?: string;
}

/** A text that the registry publishes about itself. */
export interface ContentState {
  /** May be a kind that only a newer version knows. */
  readonly kind: string;
  readonly status: ContentStatus | "deleted";
  /** Revision of its last event. */
  readonly revision: number;
  /** The draft; null once the text is deleted. */
  readonly text: ContentText | null;
  readonly published?: PublishedContent;
}

/** Applies one event to a text. */
export function evolveContent(state: ContentState | undefined, event: ContentEvent): ContentState {
  const revision = (state?.revision ?? -1) + 1;
  switch (event.type) {
    case "ContentShipped": {
      const { kind, content: text = null, version, effective_date } = event.data;
      const published = { text, ...omitUndefined({ version, effective_date }) };
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
      const published = { text, ...omitUndefined({ version, effective_date }) };
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

/** Whether the draft differs from the published text. */
export function hasChanges({ text, published }: ContentState): boolean {
  return published !== undefined && !isSameText(text, published.text);
}
