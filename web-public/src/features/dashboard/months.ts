import { SUMMARISED_MONTHS } from "#contracts/account/own-figures.ts";
import type { OwnReportsSummary } from "#contracts/http/own-reports.ts";

type Month = OwnReportsSummary["months"][number];

/** A month of a chart. */
export interface Bar {
  /** "2026-11" */
  readonly month: string;
  readonly totalDue: number;
  readonly reports: number;
}

/** The bars of each currency, the largest sum first: a year of months, empty ones too. */
export function barsByCurrency(
  months: readonly Month[],
  now: Date,
): { readonly currency: Month["currency"]; readonly bars: readonly Bar[] }[] {
  const currencies = [...new Set(months.map(({ currency }) => currency))];
  const charts = currencies.map((currency) => {
    const found = new Map(
      months.filter((month) => month.currency === currency).map((month) => [month.month, month]),
    );
    const bars = Array.from({ length: SUMMARISED_MONTHS }, (_, n) => {
      const month = monthBefore(now, SUMMARISED_MONTHS - 1 - n);
      const { total_due: totalDue = 0, reports = 0 } = found.get(month) ?? {};
      return { month, totalDue, reports };
    });
    return { currency, bars };
  });
  const sum = ({ bars }: { bars: readonly Bar[] }) =>
    bars.reduce((all, { totalDue }) => all + totalDue, 0);
  return charts.sort((a, b) => sum(b) - sum(a));
}

function monthBefore(now: Date, months: number): string {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1);
  return new Date(first).toISOString().slice(0, 7);
}

const NAME = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** "November 2026" for "2026-11". */
export function monthName(month: string): string {
  return NAME.format(Date.parse(`${month}-01T00:00:00Z`));
}
