/** Days after which the registry removes data by itself, for the code that removes it and for the privacy page. */
export const RETENTION_DAYS = {
  /** An account whose address no one confirmed. */
  unconfirmed_account: 30,
  /** A report whose reporter never confirmed the address, while it waits for a decision. */
  unconfirmed_report: 30,
  /** A rejected report, counted from the rejection. */
  rejected_report: 365,
  /** A file that no report names. */
  upload: 1,
  /** What someone sent by a form: an inquiry or a notice. */
  inquiry: 730,
  /** Refused sign-ins and calls, counted from the end of their month. */
  security_event: 90,
  /** The record that an email was sent, counted from the last attempt. */
  mail: 30,
  /** The keyed hash by which a removed page answers 410. */
  removed_address: 30,
} as const;

/** How many hours a file that no report names is kept once half of the room for such files is taken. */
export const CROWDED_UPLOAD_HOURS = 2;

/** How many days a browser keeps the draft of a report. */
export const DRAFT_DAYS = 7;

/** In how many days what erased rows left in the files of the database is overwritten. */
export const OVERWRITTEN_DAYS = 8;

/** What admins may keep for a shorter time than {@link RETENTION_DAYS}: the fewest days of each. */
export const SHORTEST_DAYS = {
  unconfirmed_account: 7,
  unconfirmed_report: 7,
  rejected_report: 90,
  inquiry: 180,
  security_event: 30,
} as const satisfies Partial<Record<keyof typeof RETENTION_DAYS, number>>;
export type SettableRetention = keyof typeof SHORTEST_DAYS;

const DAY_MS = 86_400_000;

/** Months (`2026-11`, in UTC) whose security events housekeeping may not have destroyed yet, this one first. */
export function securityMonthsKept(now: Date): readonly string[] {
  const months: string[] = [];
  for (let back = 0; ; back += 1) {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - back];
    // A day more: housekeeping runs every hour, and clocks differ.
    const kept = (RETENTION_DAYS.security_event + 1) * DAY_MS;
    if (Date.UTC(year, month + 1, 1) + kept < now.getTime()) return months;
    months.push(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7));
  }
}
