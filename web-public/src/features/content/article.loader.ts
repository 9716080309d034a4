import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { Article } from "#contracts/http/content.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getArticle } from "../../api/reads.ts";
import { pageProblem } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";

export interface ArticleData {
  readonly kind: "posts" | "pages";
  readonly article: Article;
}

type Args = LoaderFunctionArgs<Readonly<RouterContextProvider>>;

/** Loads a published post. */
export const postLoader = (args: Args) => load("posts", args);
/** Loads a published page. */
export const pageLoader = (args: Args) => load("pages", args);

async function load(
  kind: ArticleData["kind"],
  { context, params, request }: Args,
): Promise<ArticleData> {
  try {
    const { slug = "" } = params;
    return { kind, article: await getArticle(context.get(apiContext), kind, slug, request.signal) };
  } catch (error) {
    throw error instanceof ApiError ? problemOf(kind, error) : error;
  }
}

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
