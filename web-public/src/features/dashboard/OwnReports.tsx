import { useState } from "react";
import { Link } from "react-router-dom";
import type { OwnReport } from "#contracts/http/own-reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { REPORT_STATUSES } from "#contracts/report/words.ts";
import { useAction } from "../../api/use-action.ts";
import { Button } from "../../components/Button.tsx";
import { Failure } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import { useAccountClient } from "../../session/session-store-of.ts";
import styles from "./DashboardPage.module.css";

const FAILED = "We couldn't load more of your reports. Please try again.";

/** API path of the account's own reports. */
export const OWN_REPORTS = "/api/account/reports";

export interface OwnReportsPage {
  readonly reports: readonly OwnReport[];
  /** Token of the next page; null on the last. */
  readonly next: string | null;
}

/** The user's own reports, newest first, with pagination. */
export function OwnReports({ first }: { first: OwnReportsPage }) {
  const api = useAccountClient();
  const [{ reports, next }, setShown] = useState(first);
  const { isBusy, failure, run } = useAction(FAILED);
  const readOn = (page: string) =>
    run(async () => {
      const more = await api.get<OwnReportsPage>(OWN_REPORTS, { query: { page } });
      setShown((before) => ({ reports: [...before.reports, ...more.reports], next: more.next }));
    });
  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports">My Reports</h2>
      <ul className={styles.reports}>
        {reports.map((report) => (
          <li key={report.id}>
            <OwnReportRow report={report} />
          </li>
        ))}
      </ul>
      <Failure text={failure} />
      {next && (
        <p className={styles.more}>
          <Button kind="secondary" disabled={isBusy} onClick={() => void readOn(next)}>
            {isBusy ? "Loading…" : "Show More"}
          </Button>
        </p>
      )}
    </section>
  );
}

function OwnReportRow({ report }: { report: OwnReport }) {
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
      {others_reported && <p>Someone else has also reported this person.</p>}
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

/** Distinguishes links with the same text. */
function About({ report }: { report: OwnReport }) {
  return (
    <span className="visually-hidden">
      {" "}
      of the report about {report.first_name} {report.last_name}
    </span>
  );
}

/** A step of a report, done or still to come. */
interface Step {
  readonly text: string;
  /** RFC 3339; absent for steps still to come and steps of unknown time. */
  readonly at?: string;
}

/** Returns the steps a report has taken, and the next one. */
export function timelineOf(report: OwnReport): Step[] {
  const { status, verified, created_at, decided_at, question } = report;
  const steps: Step[] = [{ text: "Submitted", at: created_at }];
  const isDecided = status === "approved" || status === "rejected";
  if (verified) steps.push({ text: "Email confirmed" });
  if (question) {
    steps.push({ text: "A moderator asked a question", at: question.asked_at });
    if (question.state === "answered")
      steps.push({ text: "You answered", ...omitUndefined({ at: question.ended_at }) });
  }
  if (isDecided) {
    const text = status === "approved" ? "Approved" : "Rejected";
    return [...steps, { text, ...omitUndefined({ at: decided_at }) }];
  }
  if (status === "under_review") steps.push({ text: "In review" });
  // A question to the reporter comes last, since it is still open.
  if (question?.state === "open")
    steps.push({ text: "Next: answer the question above, or use the link in our email" });
  else if (!verified) steps.push({ text: "Next: confirm your email with the link we sent you" });
  else if (status === "pending") steps.push({ text: "Awaiting review" });
  return steps;
}
