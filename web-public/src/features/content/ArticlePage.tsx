import { useEffect } from "react";
import { Link, useLoaderData } from "react-router-dom";
import { countView } from "../../api/count-view.ts";
import { useApi } from "../../api/use-api.ts";
import { Breadcrumb } from "../../components/Breadcrumb.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { Prose } from "../../components/Prose.tsx";
import { paths } from "../../config/paths.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import type { ArticleData } from "./article.loader.ts";
import styles from "./TextPage.module.css";

export { pageLoader, postLoader } from "./article.loader.ts";

const BLOG = [["Blog", paths.blog()]] as const;

/** A post or a page that the registry's staff wrote. */
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
