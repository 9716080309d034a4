import { RETENTION_DAYS } from "./retention.ts";

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
