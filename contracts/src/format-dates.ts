/**
 * Returns a formatter for American dates and times. It writes a plain space before AM and PM, where versions of
 * the locale data differ.
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
