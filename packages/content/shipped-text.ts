import type { ContentKind } from "#contracts/content/content-rules.ts";
import type { ContentText } from "#contracts/events/content.ts";

/** A text as this version of the software ships it. Public until someone changes it. */
export interface ShippedText {
  readonly id: string;
  readonly kind: ContentKind;
  /** Markdown and titles with `{{name}}` for values. */
  readonly text: ContentText;
  /** Legal texts only. */
  readonly version?: string;
  /** Legal texts only; `YYYY-MM-DD`. */
  readonly effective_date?: string;
}

/** The shipped texts by ID: legal texts, then FAQ, each sorted by slug. */
export type ShippedTexts = ReadonlyMap<string, ShippedText>;
