import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** HTML from the registry's own Markdown, which holds no HTML of its own. */
const Html = Type.String();

export const FaqItem = strict({
  /** Lower case with hyphens; the anchor of the question on its page. */
  id: Type.String(),
  question: Type.String(),
  answer: Html,
  order: Type.Integer(),
});
export type FaqItem = Static<typeof FaqItem>;

/** GET /prod/api/faq: sorted by `order`. */
export const FaqReply = reply(Type.Array(FaqItem));

/** GET /prod/api/content/{slug} */
export const ContentParams = strict({ slug: Type.String({ maxLength: 100 }) });
export const ContentPage = strict({
  slug: Type.String(),
  title: Type.String(),
  /** One sentence for search engines. */
  description: Type.String(),
  version: Type.String(),
  /** Day since which this version is in force, `YYYY-MM-DD`. */
  effective_date: Type.String(),
  html: Html,
});
export type ContentPage = Static<typeof ContentPage>;
export const ContentReply = reply(ContentPage);
