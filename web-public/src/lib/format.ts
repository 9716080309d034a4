import { formatMoney } from "#contracts/report/money.ts";

/** Whole month names only: abbreviations differ between versions of the locale data. */
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const COUNT = new Intl.NumberFormat("en-US");

/** "2 May 2026" for a calendar date, or for the day in UTC of an RFC 3339 time. */
export function formatDate(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? "Not given" : DAY.format(time);
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

/** "Denver, CO"; outside the United States with the country: "Perth, WA, Australia". */
export function formatPlace(place: {
  city: string;
  state: string;
  country?: string | undefined;
}): string {
  return [place.city, place.state, place.country].filter(Boolean).join(", ");
}

/** Sums in several currencies: "$1,200.00 and €90.00". */
export function formatTotals(totals: readonly { currency: string; amount: number }[]): string {
  const sums = totals.map((total) => formatMoney(total.amount, total.currency));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(sums);
}

/** Words of the registry's interface that need another form in a list. */
const SHARE_WORDS: Readonly<Record<string, string>> = {
  "e-mail": "email",
  "street and ZIP": "street address",
};

/** What the reports of one person share, as a list: "email, phone, and card". */
export function formatShares(shares: readonly string[]): string {
  const words = shares.map((share) => SHARE_WORDS[share] ?? share);
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}
