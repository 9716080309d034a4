import { RESOLUTION_STATUSES, type ResolutionStatus } from "#contracts/report/words.ts";
import styles from "./StatusChip.module.css";

/** The status of the matter: whether the amount is settled. No other chips exist. */
export function StatusChip({ status }: { status: ResolutionStatus }) {
  return <span className={`${styles.chip} ${styles[status]}`}>{RESOLUTION_STATUSES[status]}</span>;
}
