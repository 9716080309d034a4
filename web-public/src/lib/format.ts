import { dateFormat, formatUtcDay } from "#contracts/format-dates.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { regionName } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";

const CLOCK = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const COUNT = new Intl.NumberFormat("en-US");

/** Formats a calendar date, or an RFC 3339 time's day in UTC, as "May 2, 2026". */
export function formatDate(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? "Not given" : formatUtcDay(time);
}

/** Formats a time as "May 2, 2026, 2:05 PM UTC", identically on the server and in every browser. */
export function formatMoment(value: string): string {
  return formatOwnMoment(value, "UTC");
}

/** Like `formatMoment`, in the reader's own time zone unless another is given. */
export function formatOwnMoment(value: string, timeZone?: string): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return "Unknown";
  const zone = omitUndefined({ timeZone });
  const day = dateFormat({ dateStyle: "long", ...zone })(time);
  return `${day}, ${dateFormat({ ...CLOCK, ...zone })(time)}`;
}

/** Formats a time of day as "2:05 PM EDT", in the reader's own time zone. */
export function formatOwnTime(value: string): string {
  return dateFormat(CLOCK)(Date.parse(value));
}

/** Formats a number as "2,000". */
export function formatNumber(value: number): string {
  return COUNT.format(value);
}

/** Formats a count as "1 report" or "2,000 reports". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** Formats a count as "10,000+ reports" if counting stopped at a limit. */
export function formatCappedCount(
  count: number,
  capped: boolean,
  one: string,
  many = `${one}s`,
): string {
  return capped ? `${COUNT.format(count)}+ ${many}` : formatCount(count, one, many);
}

interface Place {
  readonly city: string;
  /** A region code, or a text if the country has no list of regions. */
  readonly state: string;
  readonly country: Country;
}

/** Formats a place as "Denver, CO"; outside the United States as "Perth, Western Australia, Australia". */
export function formatPlace({ city, ...place }: Place): string {
  return [city, formatRegion(place)].filter(Boolean).join(", ");
}

/** Formats what follows the city. Only United States codes are widely known, so other regions are named. */
export function formatRegion({ state, country }: Omit<Place, "city">): string {
  const words = country === "US" ? [state] : [regionName(country, state), COUNTRIES[country]];
  return words.filter(Boolean).join(", ");
}

/** Formats sums in several currencies as "$1,200.00 and €90.00". */
export function formatTotals(totals: readonly { currency: string; amount: number }[]): string {
  const sums = totals.map((total) => formatMoney(total.amount, total.currency));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(sums);
}

/** Lists what one person's reports have in common: "email, phone, and card". */
export function formatShares(shares: readonly string[]): string {
  const words = shares.map((share) => (share === "street and ZIP" ? "street address" : share));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}
