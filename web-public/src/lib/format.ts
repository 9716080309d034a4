import { formatMoney } from "#contracts/report/money.ts";

/** Whole months only: their short forms differ between versions of the language data. */
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const COUNT = new Intl.NumberFormat("en-US");

/** "2 May 2026" for a calendar date or an RFC 3339 time, its day in UTC. */
export function formatDate(value: string): string {
  const time = Date.parse(value);
  return Number.isNaN(time) ? "Not given" : DAY.format(time);
}

/** "1 report", "2,000 reports". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** "10,000+ reports" where the count stops short. */
export function formatCappedCount(count: number, capped: boolean, one: string): string {
  return capped ? `${COUNT.format(count)}+ ${one}s` : formatCount(count, one);
}

/** "Denver, CO"; outside of the United States with the country: "Perth, WA, Australia". */
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

/** Words of the interface that would read badly in a row. */
const SHARE_WORDS: Readonly<Record<string, string>> = {
  "e-mail": "email",
  "street and ZIP": "street address",
};

/** What reports of one person have in common, in a row: "email, phone, and card". */
export function formatShares(shares: readonly string[]): string {
  const words = shares.map((share) => SHARE_WORDS[share] ?? share);
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}
