import { redirect } from "react-router-dom";
import type { PostPage } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { paths } from "../../config/paths.ts";
import { notFound } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";

/** Loads a page of the posts; a page behind the last one is not there. */
export const blogLoader = loading(
  async (api, { request: { url, signal } }) => {
    const asked = new URL(url).searchParams.get("page");
    // Each page has one address only.
    if (asked === "1") throw redirect(paths.blog(), 301);
    if (asked !== null && !/^[1-9]\d{0,2}$/.test(asked)) notFound();
    const posts = await api.get<PostPage>("/api/posts", { query: { page: asked ?? "1" }, signal });
    if (posts.page > posts.pages) notFound();
    return posts;
  },
  (error) => (error.status === 400 ? notFound() : contentProblem(error)),
);
