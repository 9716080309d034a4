import type { SearchHit } from "#contracts/http/report-view.ts";
import styles from "./ReportList.module.css";
import { ReportRow } from "./ReportRow.tsx";

/** A list of reports on one sheet. */
export function ReportList({ reports }: { reports: readonly SearchHit[] }) {
  return (
    <ul className={styles.list}>
      {reports.map((report) => (
        <li key={report.id}>
          <ReportRow report={report} />
        </li>
      ))}
    </ul>
  );
}

/** A placeholder for a list that is still loading. */
export function ReportListSkeleton({ rows }: { rows: number }) {
  return (
    <div className={styles.list} aria-hidden="true">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={i} className={styles.skeleton}>
          <span className={styles.wide} />
          <span className={styles.medium} />
          <span className={styles.full} />
          <span className={styles.medium} />
        </div>
      ))}
    </div>
  );
}
