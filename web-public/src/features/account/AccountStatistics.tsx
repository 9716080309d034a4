import { useId } from "react";
import type { User } from "#contracts/http/account.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import { Facts } from "./Facts.tsx";
import styles from "./settings/AccountSettings.module.css";

/** How much an account has reported, since when it exists, and when it was used last. */
export function AccountStatistics({ user }: { user: User }) {
  const { last_login, reports_count } = user;
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>Account Statistics</h2>
      <Facts
        facts={[
          ...(reports_count === undefined
            ? []
            : [["Reports", formatCount(reports_count, "report")] as const]),
          ["Member since", formatDate(user.created_at)],
          ...(last_login ? [["Last sign-in", formatDate(last_login)] as const] : []),
        ]}
      />
    </section>
  );
}
