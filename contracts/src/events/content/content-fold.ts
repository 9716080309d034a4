import type { ContentStatus } from "../../content/content-rules.ts";
import { given } from "../../given.ts";
import type { ContentEvent } from "../index.ts";

type Created = Extract<ContentEvent, { type: "ContentCreated" }>["data"];
export type ContentText = NonNullable<Created["content"]>;

/** What the public reads of a text. */
export interface PublishedContent {
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
