import { Link } from "react-router-dom";
import styles from "./PageSteps.module.css";

interface Paged {
  readonly page: number;
  readonly pages: number;
  /** Page tokens; null if there is no such page. */
  readonly next: string | null;
  readonly previous: string | null;
}

/**
 * Links to the previous and next pages. Their keys differ on each page, so the links are remounted and the focus
 * can move to the page's heading.
 * @param address returns the URL of the page with this token.
 */
export function PageSteps({ of, address }: { of: Paged; address: (token: string) => string }) {
  if (of.pages < 2) return null;
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {of.previous ? (
        <Link key={of.previous} to={address(of.previous)} rel="prev" className={styles.step}>
          ‹ Previous
        </Link>
      ) : (
        <span className={styles.step} aria-hidden="true" />
      )}
      <span>
        Page {of.page} of {of.pages}
      </span>
      {of.next ? (
        <Link key={of.next} to={address(of.next)} rel="next" className={styles.step}>
          Next ›
        </Link>
      ) : (
        <span className={styles.step} aria-hidden="true" />
      )}
    </nav>
  );
}
