import styles from "./Prose.module.css";

/** A text of the registry as query-api rendered it from Markdown. Its renderer lets no HTML in. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the Markdown renderer made this HTML.
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
