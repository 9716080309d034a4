import { RESOLUTION_STATUSES, type ResolutionStatus } from "#contracts/report/words.ts";
import styles from "./StatusChip.module.css";

/** The one kind of chip: how far the matter of a report is settled. */
export function StatusChip({ status }: { status: ResolutionStatus }) {
  return <span className={`${styles.chip} ${styles[status]}`}>{RESOLUTION_STATUSES[status]}</span>;
}
