import { RESOLUTION_STATUSES, type ResolutionStatus } from "#contracts/report/words.ts";
import styles from "./StatusChip.module.css";

/** Shows whether the amount was settled. There are no other chips. */
export function StatusChip({ status }: { status: ResolutionStatus }) {
  return <span className={`${styles.chip} ${styles[status]}`}>{RESOLUTION_STATUSES[status]}</span>;
}

/** The RESOLVED banner if the report has it, otherwise the status that its reporter gave. */
export function StatusOrBanner(report: {
  readonly resolved: boolean;
  readonly resolution_status: ResolutionStatus;
}) {
  if (!report.resolved) return <StatusChip status={report.resolution_status} />;
  return <strong className={`${styles.chip} ${styles.banner}`}>RESOLVED</strong>;
}

/** Returns the status that determines an amount's color. */
export function settledStatus(report: Parameters<typeof StatusOrBanner>[0]): ResolutionStatus {
  return report.resolved ? "resolved" : report.resolution_status;
}
