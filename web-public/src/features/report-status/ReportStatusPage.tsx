import { useLoaderData } from "react-router-dom";
import type { ReportProgress } from "#contracts/http/unsubscribe.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { formatMoment } from "../../lib/format.ts";
import { STEP_WORDS, standing } from "./progress-words.ts";
import styles from "./ReportStatus.module.css";

/** Where a report stands, for whoever opens the link of its mails. */
export function ReportStatusPage() {
  const progress = useLoaderData<ReportProgress>();
  const { number, status, steps, reason } = progress;
  const { title, next } = standing(progress);
  const isOver = status === "approved" || status === "rejected";
  return (
    <div className={styles.page}>
      <PageHead title={`Report ${number}`} />
      <p className={styles.number}>Report {number}</p>
      <h1>{title}</h1>
      <p>{next}</p>
      {reason && (
        <p className={styles.reason}>
          <strong>Reason:</strong> {reason}
        </p>
      )}
      {status === "rejected" && !reason && (
        <p>You'll see the reason once you confirm your address with the link.</p>
      )}
      <h2>What happened</h2>
      <ol className={styles.steps}>
        {steps.map(({ step, at }) => (
          <li key={`${step} ${at}`}>
            <span>{STEP_WORDS[step]}</span> <time dateTime={at}>{formatMoment(at)}</time>
          </li>
        ))}
      </ol>
      <p className={styles.note}>
        Include the number when you contact us. Anyone with this link can see this page, but not
        what's in the report.
      </p>
      <div className={styles.actions}>
        {isOver && <ButtonLink to={paths.submitReport}>Submit New Report</ButtonLink>}
        <ButtonLink to={paths.search} kind="secondary">
          Browse Reports
        </ButtonLink>
      </div>
    </div>
  );
}
