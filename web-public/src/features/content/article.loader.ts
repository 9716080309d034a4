import type { Article } from "#contracts/http/content.ts";
import { type ApiError, loading } from "../../api/client.ts";
import { pageProblem } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";

export interface ArticleData {
  readonly kind: "posts" | "pages";
  readonly article: Article;
}

const article = (kind: ArticleData["kind"]) =>
  loading<ArticleData>(
    async (api, { params: { slug = "" }, request: { signal } }) => ({
      kind,
      article: await api.get<Article>(`/api/${kind}/${encodeURIComponent(slug)}`, { signal }),
    }),
    (error) => problemOf(kind, error),
  );

/** Loads a published post. */
export const postLoader = article("posts");

/** Loads a published page. */
export const pageLoader = article("pages");

function problemOf(kind: ArticleData["kind"], error: ApiError): unknown {
  const name = kind === "posts" ? "post" : "page";
  if (error.status === 410)
    return pageProblem(
      410,
      `This ${name} was removed`,
      `The ${name} at this address has been removed from the site.`,
    );
  if (error.status === 404 || error.status === 400)
    return pageProblem(
      404,
      kind === "posts" ? "Post not found" : "Page not found",
      `There's no ${name} at this address. It may be mistyped, or the ${name} may no longer be public.`,
    );
  return contentProblem(error);
}
