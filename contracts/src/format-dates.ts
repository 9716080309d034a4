/**
 * Dates and times as Americans read them: "May 2, 2026", "2:05 PM". The space before AM and PM is a plain one: versions
 * of the locale data differ in it, and pages of the server must match those of the browser.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number | Date) => string {
  const format = new Intl.DateTimeFormat("en-US", options);
  return (at) => format.format(at).replaceAll("\u202f", " ");
}

/** "May 2, 2026" for the day in UTC. */
export const formatUtcDay = dateFormat({ dateStyle: "long", timeZone: "UTC" });

/** "May 2, 2026 at 2:05 PM" in UTC. */
export const formatUtcMoment = dateFormat({
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});
