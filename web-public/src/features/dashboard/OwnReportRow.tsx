import { Link } from "react-router-dom";
import type { OwnReport } from "#contracts/http/own-reports.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { REPORT_STATUSES } from "#contracts/report/words.ts";
import { paths } from "../../config/paths.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import styles from "./DashboardPage.module.css";
import { timelineOf } from "./timeline.ts";

/** One of the account's own reports: where it stands, since when, and why. */
export function OwnReportRow({ report }: { report: OwnReport }) {
  const { seo_title, status, rejection_reason, others_reported, question } = report;
  return (
    <article className={styles.row}>
      <div className={styles.head}>
        <h3>
          {report.first_name} {report.last_name}
        </h3>
        <p className={styles.amount}>
          <span className="visually-hidden">Total due: </span>
          {formatMoney(report.total_due, report.currency)}
        </p>
      </div>
      <p>{report.title}</p>
      <p>
        <span className={`${styles.chip} ${styles[status]}`}>{REPORT_STATUSES[status]}</span>{" "}
        {question?.state === "open" && (
          <strong className={`${styles.chip} ${styles.asked}`}>Your answer is needed</strong>
        )}
        {report.resolved && (
          <strong className={`${styles.chip} ${styles.approved}`}>RESOLVED</strong>
        )}
      </p>
      <ol className={styles.timeline} aria-label="Timeline">
        {timelineOf(report).map(({ text, at }) => (
          <li key={text}>
            {text}
            {at && (
              <>
                {" "}
                <time dateTime={at}>{formatDate(at)}</time>
              </>
            )}
          </li>
        ))}
      </ol>
      {rejection_reason && (
        <p>
          <strong>Reason:</strong> {rejection_reason}
        </p>
      )}
      {others_reported && <p>Someone else has reported the same person, too.</p>}
      <p className={styles.links}>
        <Link to={paths.ownReport(report.id)}>
          View submission
          <About report={report} />
        </Link>
        {seo_title && (
          <>
            <Link to={paths.report(seo_title)}>
              View public page
              <About report={report} />
            </Link>
            <span>{formatCount(report.view_count, "view")}</span>
          </>
        )}
      </p>
    </article>
  );
}

/** Tells links of the same words apart. */
function About({ report }: { report: OwnReport }) {
  return (
    <span className="visually-hidden">
      {" "}
      of the report about {report.first_name} {report.last_name}
    </span>
  );
}
