import type { RegistryFigures } from "#contracts/http/figures.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { formatDate, formatNumber } from "../../lib/format.ts";
import styles from "./HomeFigures.module.css";

/** What the registry holds, and beside it what others say about the losses of merchants. */
export function HomeFigures({ registry }: { registry: RegistryFigures | null }) {
  return (
    <div className={styles.figures}>
      {registry && registry.reports > 0 && <InTheRegistry figures={registry} />}
      <section aria-labelledby="losses">
        <h2 id="losses">Why it matters</h2>
        <dl className={styles.list}>
          {LOSSES.map(({ figure, meaning, source }) => (
            <div key={figure}>
              <dt className={styles.meaning}>
                {meaning}
                <span className={styles.source}>{source}</span>
              </dt>
              <dd className={styles.figure}>{figure}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p className={styles.promise}>
        <strong>24/7 access.</strong> The registry is always open for searching and reporting.
      </p>
    </div>
  );
}

function InTheRegistry({ figures }: { figures: RegistryFigures }) {
  return (
    <section aria-labelledby="in-the-registry">
      <h2 id="in-the-registry">In this registry today</h2>
      <dl className={styles.list}>
        <div>
          <dt className={styles.meaning}>published reports</dt>
          <dd className={styles.figure}>{formatNumber(figures.reports)}</dd>
        </div>
        <div>
          <dt className={styles.meaning}>people reported</dt>
          <dd className={styles.figure}>{formatNumber(figures.people)}</dd>
        </div>
        <div>
          <dt className={styles.meaning}>
            reported as due
            <span className={styles.source}>by currency, not converted</span>
          </dt>
          <dd className={styles.sums}>
            {figures.totals.map(({ currency, amount }) => (
              <span key={currency} className="amount">
                {formatMoney(amount, currency)}
              </span>
            ))}
          </dd>
        </div>
        {figures.newest_at && (
          <div>
            <dt className={styles.meaning}>newest report</dt>
            <dd>
              <time dateTime={figures.newest_at}>{formatDate(figures.newest_at)}</time>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Figures of others about the losses of merchants, each with its source. */
const LOSSES = [
  {
    figure: "$48B+",
    meaning: "forecast merchant losses to e-commerce fraud in 2023",
    source: "Juniper Research, October 2022",
  },
  {
    figure: "75%",
    meaning: "of chargebacks may be friendly fraud (up to)",
    source: "Visa, June 2022",
  },
  {
    figure: "337M",
    meaning: "chargebacks expected by 2026",
    source: "Mastercard, March 2024",
  },
] as const;
