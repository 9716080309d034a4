import { type LoaderFunctionArgs, type RouterContextProvider, redirect } from "react-router-dom";
import type { PostPage } from "#contracts/http/content.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getPosts } from "../../api/reads.ts";
import { paths } from "../../config/paths.ts";
import { notFound } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";

/** Loads a page of the posts; a page behind the last one is not there. */
export async function blogLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<PostPage> {
  const asked = new URL(request.url).searchParams.get("page");
  // Each page has one address only.
  if (asked === "1") throw redirect(paths.blog(), 301);
  if (asked !== null && !/^[1-9]\d{0,2}$/.test(asked)) notFound();
  const posts = await read(context.get(apiContext), Number(asked ?? 1), request.signal);
  if (posts.page > posts.pages) notFound();
  return posts;
}

async function read(...args: Parameters<typeof getPosts>): Promise<PostPage> {
  try {
    return await getPosts(...args);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) notFound();
    throw contentProblem(error);
  }
}
