import { dateFormat, formatUtcDay } from "#contracts/format-dates.ts";
import { given } from "#contracts/given.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { regionName } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";

const CLOCK = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const COUNT = new Intl.NumberFormat("en-US");

/** "May 2, 2026" for a calendar date, or for the day in UTC of an RFC 3339 time. */
export function formatDate(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? "Not given" : formatUtcDay(time);
}

/** "May 2, 2026, 2:05 PM UTC": the same on the server and in every browser. */
export function formatMoment(value: string): string {
  return formatOwnMoment(value, "UTC");
}

/** The same in the reader's own time zone unless another is given. */
export function formatOwnMoment(value: string, timeZone?: string): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return "Unknown";
  const zone = given({ timeZone });
  const day = dateFormat({ dateStyle: "long", ...zone })(time);
  return `${day}, ${dateFormat({ ...CLOCK, ...zone })(time)}`;
}

/** "2:05 PM EDT", in the reader's own time zone. */
export function formatOwnTime(value: string): string {
  return dateFormat(CLOCK)(Date.parse(value));
}

/** "2,000". */
export function formatNumber(value: number): string {
  return COUNT.format(value);
}

/** "1 report", "2,000 reports". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** "10,000+ reports" when the count stopped at a limit. */
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
  /** A code of the country's list of regions, or a text where it has none. */
  readonly state: string;
  readonly country: Country;
}

/** "Denver, CO"; elsewhere with names: "Perth, Western Australia, Australia". */
export function formatPlace({ city, ...place }: Place): string {
  return [city, formatRegion(place)].filter(Boolean).join(", ");
}

/** What follows the city in a place. Only the codes of the United States are known everywhere. */
export function formatRegion({ state, country }: Omit<Place, "city">): string {
  const words = country === "US" ? [state] : [regionName(country, state), COUNTRIES[country]];
  return words.filter(Boolean).join(", ");
}

/** Sums in several currencies: "$1,200.00 and €90.00". */
export function formatTotals(totals: readonly { currency: string; amount: number }[]): string {
  const sums = totals.map((total) => formatMoney(total.amount, total.currency));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(sums);
}

/** What the reports of one person share, as a list: "email, phone, and card". */
export function formatShares(shares: readonly string[]): string {
  const words = shares.map((share) => (share === "street and ZIP" ? "street address" : share));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}
