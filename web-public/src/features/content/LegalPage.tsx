import { useLoaderData } from "react-router-dom";
import type { ContentPage } from "#contracts/http/content.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { Prose } from "../../components/Prose.tsx";
import { formatDate } from "../../lib/format.ts";
import styles from "./TextPage.module.css";

/** A legal text (terms, privacy, disclaimer, DMCA) with its version and date. */
export function Component() {
  const { slug, title, description, version, effective_date, html } = useLoaderData<ContentPage>();
  return (
    <article className={styles.page}>
      <PageHead title={title} description={description} path={`/${slug}`} />
      <h1 tabIndex={-1}>{title}</h1>
      <p className={styles.meta}>
        <span>
          Version {version}, effective{" "}
          <time dateTime={effective_date}>{formatDate(effective_date)}</time>
        </span>
      </p>
      <Prose html={html} />
    </article>
  );
}
