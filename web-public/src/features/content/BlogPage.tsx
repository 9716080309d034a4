import { Link, redirect, useLoaderData } from "react-router-dom";
import type { PostPage } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { PageSteps } from "../../components/PageSteps.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { formatDate } from "../../lib/format.ts";
import { notFound } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";
import styles from "./TextPage.module.css";

/** The registry's posts, newest first, with pagination. */
export function Component() {
  const { productName } = useSiteConfig();
  const { posts, page, pages } = useLoaderData<PostPage>();
  const steps = {
    page,
    pages,
    previous: page > 1 ? String(page - 1) : null,
    next: page < pages ? String(page + 1) : null,
  };
  return (
    <div className={styles.page}>
      <PageHead
        title={page > 1 ? `Blog, page ${page}` : "Blog"}
        description={`News from ${productName}: what has changed, and what we have learned about chargeback fraud and bad checks.`}
        path={paths.blog(page)}
        {...(page > 1 ? { above: [["Blog", paths.blog()]], name: `Page ${page}` } : {})}
      />
      <h1 tabIndex={-1}>Blog</h1>
      {posts.length > 0 ? (
        <ul className={styles.posts}>
          {posts.map(({ slug, title, description, published_at }) => (
            <li key={slug}>
              <h2>
                <Link to={paths.post(slug)}>{title}</Link>
              </h2>
              {description && <p>{description}</p>}
              <p>
                <time dateTime={published_at}>{formatDate(published_at)}</time>
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className={styles.empty}>There are no posts yet.</p>
          <p>
            <Link to={paths.faq}>Read the FAQ</Link>
          </p>
        </>
      )}
      <PageSteps of={steps} address={(token) => paths.blog(Number(token))} />
    </div>
  );
}

/** Loads a page of posts. A page past the last one doesn't exist. */
export const loader = loading(
  async (api, { request: { url, signal } }) => {
    const asked = new URL(url).searchParams.get("page");
    // Each page has only one URL.
    if (asked === "1") throw redirect(paths.blog(), 301);
    if (asked !== null && !/^[1-9]\d{0,2}$/.test(asked)) notFound();
    const posts = await api.get<PostPage>("/api/posts", { query: { page: asked ?? "1" }, signal });
    if (posts.page > posts.pages) notFound();
    return posts;
  },
  (error) => (error.status === 400 ? notFound() : contentProblem(error)),
);
