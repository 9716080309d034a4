import styles from "./Prose.module.css";

/** A text that query-api rendered from Markdown. Its renderer lets no HTML through. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the Markdown renderer made this HTML.
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
