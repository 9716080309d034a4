import { SUMMARISED_REPORTS } from "#contracts/account/own-figures.ts";
import type { OwnReportsSummary } from "#contracts/http/own-reports.ts";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import { formatCappedCount, formatCount } from "../../lib/format.ts";
import styles from "./DashboardPage.module.css";

/** How many reports there are, by status, and how often they were read. */
export function Figures({ summary }: { summary: OwnReportsSummary }) {
  const { reports, statuses, view_count, unconfirmed } = summary;
  const isCapped = reports === SUMMARISED_REPORTS;
  return (
    <section aria-label="Your reports in figures">
      <dl className={styles.figures}>
        {(Object.keys(REPORT_STATUSES) as ReportStatus[]).map((status) => (
          <div key={status}>
            <dt>{REPORT_STATUSES[status]}</dt>
            <dd>{statuses[status].toLocaleString("en-US")}</dd>
          </div>
        ))}
        <div>
          <dt>Views</dt>
          <dd>{view_count.toLocaleString("en-US")}</dd>
        </div>
      </dl>
      {isCapped && (
        <p className={styles.muted}>
          These figures cover the newest {formatCappedCount(reports, false, "report")}.
        </p>
      )}
      {unconfirmed > 0 && (
        <p>
          {formatCount(unconfirmed, "report")} {unconfirmed === 1 ? "waits" : "wait"} for the
          reporter&apos;s address to be confirmed. Please open the link we emailed to it.
        </p>
      )}
    </section>
  );
}
