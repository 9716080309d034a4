import {
  CONTENT_BOUNDS,
  type ContentKind,
  isReservedSlug,
  MOST_ORDER,
  SLUG_PATTERN,
  SLUG_RULE,
} from "#contracts/content/content-rules.ts";
import { given } from "#contracts/given.ts";
import type { ContentText } from "#contracts/http/content.ts";
import { tooLong } from "../shared/use-checked-form.ts";

/** A text as it is typed. */
export interface TextValues {
  readonly title: string;
  readonly description: string;
  readonly body: string;
  /** Digits, of a FAQ item. */
  readonly order: string;
}

export const EMPTY_TEXT: TextValues = { title: "", description: "", body: "", order: "" };

export function valuesOf({ title, description, body, order }: ContentText): TextValues {
  return { title, description, body, order: order === undefined ? "" : String(order) };
}

/** What is sent; valid values only. */
export function textOf(kind: ContentKind, values: TextValues): ContentText {
  const { title, description, body, order } = values;
  const isFaq = kind === "faq";
  return {
    title: title.trim(),
    description: isFaq ? "" : description.trim(),
    body,
    ...given({ order: isFaq ? Number(order) : undefined }),
  };
}

/** One sentence for each field that the server would refuse to keep as a draft. */
export function textProblems(
  kind: ContentKind,
  values: TextValues,
): Partial<Record<keyof TextValues, string>> {
  const { title, description, body, order } = values;
  const isPlace = /^\d{1,4}$/.test(order.trim()) && Number(order) <= MOST_ORDER;
  return given({
    title: title.trim()
      ? tooLong(title, CONTENT_BOUNDS.title)
      : kind === "faq"
        ? "Please enter a question"
        : "Please enter a title",
    description: tooLong(description, CONTENT_BOUNDS.description),
    body: tooLong(body, CONTENT_BOUNDS.body),
    order: kind === "faq" && !isPlace ? `Please enter a number from 0 to ${MOST_ORDER}` : undefined,
  });
}

/** Why a new text cannot have the address; undefined if it can, as far as is known here. */
export function slugProblem(kind: ContentKind, slug: string): string | undefined {
  if (!new RegExp(SLUG_PATTERN).test(slug)) return SLUG_RULE;
  if (slug.length > CONTENT_BOUNDS.slug) return `At most ${CONTENT_BOUNDS.slug} characters`;
  return isReservedSlug(kind, slug) ? "This address is kept for the site itself" : undefined;
}
