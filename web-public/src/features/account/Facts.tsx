import type { ReactNode } from "react";
import styles from "./AccountPage.module.css";

/** What is known of an account, line by line. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, of: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, of]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{of || <span className={styles.muted}>Not given</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
