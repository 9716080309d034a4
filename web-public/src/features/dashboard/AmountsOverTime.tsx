import { SUMMARIZED_MONTHS } from "#contracts/account/own-figures.ts";
import { dateFormat } from "#contracts/format-dates.ts";
import type { OwnReportsSummary } from "#contracts/http/own-reports.ts";
import { formatMoney } from "#contracts/report/money.ts";
import styles from "./DashboardPage.module.css";

const HEIGHT = 64;
const STEP = 20;
const WIDTH = 14;

/** Total due per month over the last year, one chart per currency. */
export function AmountsOverTime({ months }: { months: OwnReportsSummary["months"] }) {
  const charts = barsByCurrency(months, new Date());
  return (
    <section aria-labelledby="amounts">
      <h2 id="amounts">Amounts Over Time</h2>
      <p className={styles.muted}>Total due, by the month you submitted each report (UTC).</p>
      {charts.length === 0 && <p>No reports in the last {SUMMARIZED_MONTHS} months.</p>}
      {charts.map(({ currency, bars }) => (
        <Chart key={currency} currency={currency} bars={bars} />
      ))}
    </section>
  );
}

function Chart({ currency, bars }: { currency: string; bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ totalDue }) => totalDue));
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure className={styles.chart}>
      <figcaption>
        {currency}: highest month {formatMoney(most, currency)}
      </figcaption>
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        // Fills the card's width at a fixed height.
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={`M0 ${HEIGHT - 0.5}h${bars.length * STEP}`} className={styles.axis} />
        {bars.map(({ month, totalDue }, n) => {
          const height = most > 0 ? (totalDue / most) * (HEIGHT - 4) : 0;
          return (
            <rect
              key={month}
              className={styles.bar}
              x={n * STEP + (STEP - WIDTH) / 2}
              y={HEIGHT - height}
              width={WIDTH}
              // Keep nonzero amounts visible.
              height={totalDue > 0 ? Math.max(height, 2) : 0}
            >
              <title>{`${monthName(month)}: ${formatMoney(totalDue, currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{first && monthName(first.month)}</span>
        <span>{last && monthName(last.month)}</span>
      </p>
      <details>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Reports</th>
              <th scope="col">Total due</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ month, reports, totalDue }) => (
              <tr key={month}>
                <th scope="row">{monthName(month)}</th>
                <td>{reports}</td>
                <td>{formatMoney(totalDue, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

type Month = OwnReportsSummary["months"][number];

interface Bar {
  /** Such as "2026-11". */
  readonly month: string;
  readonly totalDue: number;
  readonly reports: number;
}

/** Returns the bars for each currency, largest sum first. Covers a year of months, including empty ones. */
export function barsByCurrency(
  months: readonly Month[],
  now: Date,
): { readonly currency: Month["currency"]; readonly bars: readonly Bar[] }[] {
  const currencies = [...new Set(months.map(({ currency }) => currency))];
  const charts = currencies.map((currency) => {
    const found = new Map(
      months.filter((month) => month.currency === currency).map((month) => [month.month, month]),
    );
    const bars = Array.from({ length: SUMMARIZED_MONTHS }, (_, n) => {
      const month = monthBefore(now, SUMMARIZED_MONTHS - 1 - n);
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

const formatMonth = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });

/** Returns "November 2026" for "2026-11". */
export function monthName(month: string): string {
  return formatMonth(Date.parse(`${month}-01T00:00:00Z`));
}
