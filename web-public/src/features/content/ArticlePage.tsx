import { useEffect } from "react";
import { Link, useLoaderData } from "react-router-dom";
import type { Article } from "#contracts/http/content.ts";
import { type ApiError, loading } from "../../api/client.ts";
import { countView } from "../../api/count-view.ts";
import { useApi } from "../../api/use-api.ts";
import { Breadcrumb } from "../../components/Breadcrumb.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { Prose } from "../../components/Prose.tsx";
import { paths } from "../../config/paths.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import { pageProblem } from "../errors/page-problem.ts";
import { contentProblem } from "./content-problem.ts";
import styles from "./TextPage.module.css";

const BLOG = [["Blog", paths.blog()]] as const;

/** A post or page written by staff. */
export function Component() {
  const { kind, article } = useLoaderData<ArticleData>();
  const { id, slug, title, description, html, published_at, updated_at, view_count } = article;
  const api = useApi();
  useEffect(() => countView(api, "content", id), [api, id]);
  const isPost = kind === "posts";
  const above = isPost ? BLOG : [];
  const published = formatDate(published_at);
  const updated = formatDate(updated_at);
  return (
    <article className={styles.page}>
      <PageHead
        title={title}
        {...(description ? { description } : {})}
        path={isPost ? paths.post(slug) : paths.page(slug)}
        above={above}
      />
      <Breadcrumb above={above} name={title} />
      <h1 tabIndex={-1}>{title}</h1>
      <p className={styles.meta}>
        {isPost && <time dateTime={published_at}>{published}</time>}
        {(!isPost || updated !== published) && (
          <span>
            Updated <time dateTime={updated_at}>{updated}</time>
          </span>
        )}
        <span>{formatCount(view_count, "view")}</span>
      </p>
      <Prose html={html} />
      {isPost && (
        <p className={styles.all}>
          <Link to={paths.blog()}>All posts</Link>
        </p>
      )}
    </article>
  );
}

interface ArticleData {
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
