import { RESOLUTION_STATUSES, type ResolutionStatus } from "#contracts/report/words.ts";
import styles from "./StatusChip.module.css";

/** The status of the matter: whether the amount is settled. No other chips exist. */
export function StatusChip({ status }: { status: ResolutionStatus }) {
  return <span className={`${styles.chip} ${styles[status]}`}>{RESOLUTION_STATUSES[status]}</span>;
}

/** The RESOLVED banner where a report has it, else the status that its reporter gave. */
export function Standing(report: {
  readonly resolved: boolean;
  readonly resolution_status: ResolutionStatus;
}) {
  if (!report.resolved) return <StatusChip status={report.resolution_status} />;
  return <strong className={`${styles.chip} ${styles.banner}`}>RESOLVED</strong>;
}

/** The status by whose color an amount is shown. */
export function settledStatus(report: Parameters<typeof Standing>[0]): ResolutionStatus {
  return report.resolved ? "resolved" : report.resolution_status;
}
