import { useLoaderData } from "react-router-dom";
import type { ReportProgress, ReportStep } from "#contracts/http/unsubscribe.ts";
import { VERIFICATION_HOURS } from "#contracts/report/words.ts";
import { dataOf, loading } from "../../api/client.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { formatMoment } from "../../lib/format.ts";
import { linkProblem } from "./link-problem.ts";
import styles from "./ReportStatus.module.css";

/** A report's status, for anyone with the link from its emails. */
export function Component() {
  const progress = useLoaderData<ReportProgress>();
  const { number, status, steps, reason } = progress;
  const { title, next } = statusText(progress);
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
        <p>To see the reason, confirm your email with the link we sent you.</p>
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
        Include the report number when you contact us. Anyone with this link can see this page, but
        not what's in the report.
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

const STEP_WORDS: Readonly<Record<ReportStep, string>> = {
  submitted: "Submitted",
  corrected: "Email corrected",
  confirmed: "Email confirmed",
  vouched: "Email confirmed by a moderator",
  unconfirmed: "Email no longer confirmed",
  under_review: "In review",
  pending: "Back in the queue",
  asked: "A moderator asked a question",
  answered: "Question answered",
  withdrawn: "Question withdrawn",
  approved: "Published",
  rejected: "Not published",
};

function statusText({
  status,
  verified,
  asked,
}: Pick<ReportProgress, "status" | "verified" | "asked">): {
  readonly title: string;
  readonly next: string;
} {
  if (asked)
    return {
      title: "Awaiting your answer",
      next: "A moderator has asked you a question. The link to answer it is in a separate email.",
    };
  switch (status) {
    case "approved":
      return {
        title: "Published",
        next: "The report is public. There's nothing more for you to do.",
      };
    case "rejected":
      return {
        title: "Not published",
        next: "A moderator decided not to publish the report. If you have more evidence, you can submit it again.",
      };
    case "under_review":
      return {
        title: "In review",
        next: "A moderator is reviewing the report. We'll email you our decision.",
      };
    case "pending":
      return verified
        ? {
            title: "Awaiting review",
            next: "A moderator will review the report next. We'll email you our decision.",
          }
        : {
            title: "Awaiting your confirmation",
            next: `Within ${VERIFICATION_HOURS} hours, open the confirmation link we emailed you. Once you've confirmed your email, we'll review your report.`,
          };
  }
}

/** Loads the report's progress by its link's token. Changes nothing. */
export const loader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<ReportProgress>("/api/report-status", { body: { token }, signal })),
  linkProblem,
);
