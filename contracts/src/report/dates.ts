/** Calendar dates of a report: `YYYY-MM-DD`, without a time zone. */

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is a day that exists, from 1900 on. */
export function isCalendarDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * The latest date that is not in the future anywhere on earth: the present day at UTC+14. A
 * merchant in Sydney may report this morning's check while it is still yesterday in UTC.
 */
export function latestDate(nowMs: number): string {
  return new Date(nowMs + 14 * 3_600_000).toISOString().slice(0, 10);
}
