import type { ContentKind } from "#contracts/content/content-rules.ts";
import type { ContentText } from "#contracts/events/content.ts";

/** A text as this version of the software ships it. It is public until someone changes it. */
export interface ShippedText {
  readonly id: string;
  readonly kind: ContentKind;
  /** Markdown and titles with `{{name}}` for values. */
  readonly text: ContentText;
  /** Of a legal text. */
  readonly version?: string;
  /** Of a legal text, `YYYY-MM-DD`. */
  readonly effective_date?: string;
}

/** The shipped texts by id, in the order of their addresses. */
export type ShippedTexts = ReadonlyMap<string, ShippedText>;
