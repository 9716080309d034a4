/** Days after which the registry removes data automatically, for the code that removes it and for the privacy page. */
export const RETENTION_DAYS = {
  /** An account whose address no one confirmed. */
  unconfirmed_account: 30,
  /** A report whose reporter never confirmed the address, while it waits for a decision. */
  unconfirmed_report: 30,
  /** A rejected report, counted from the rejection. */
  rejected_report: 365,
  /** A file that no report refers to. */
  upload: 1,
  /** A submitted form: an inquiry or a notice. */
  inquiry: 730,
  /** Refused sign-ins and calls, counted from the end of their month. */
  security_event: 90,
  /** The record that an email was sent, counted from the last attempt. */
  mail: 30,
  /** The keyed hash that makes a removed page return 410. */
  removed_address: 30,
} as const;

/** Hours that an unreferenced file is kept once half of the space for such files is in use. */
export const CROWDED_UPLOAD_HOURS = 2;

/** Days that a browser keeps the draft of a report. */
export const DRAFT_DAYS = 7;

/** Days within which traces of erased rows in the database's files are overwritten. */
export const OVERWRITTEN_DAYS = 8;

/** Retention periods that admins may shorten from {@link RETENTION_DAYS}: the minimum days of each. */
export const SHORTEST_DAYS = {
  unconfirmed_account: 7,
  unconfirmed_report: 7,
  rejected_report: 90,
  inquiry: 180,
  security_event: 30,
} as const satisfies Partial<Record<keyof typeof RETENTION_DAYS, number>>;
export type SettableRetention = keyof typeof SHORTEST_DAYS;

const DAY_MS = 86_400_000;

/**
 * Returns the months (`2026-11`, in UTC) whose security events may not have been destroyed yet, the current one
 * first.
 */
export function securityMonthsKept(now: Date): readonly string[] {
  const months: string[] = [];
  for (let back = 0; ; back += 1) {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - back];
    // One extra day, because housekeeping runs every hour, and clocks differ.
    const kept = (RETENTION_DAYS.security_event + 1) * DAY_MS;
    if (Date.UTC(year, month + 1, 1) + kept < now.getTime()) return months;
    months.push(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7));
  }
}
