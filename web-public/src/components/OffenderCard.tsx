import { Link } from "react-router-dom";
import type { HabitualOffender } from "#contracts/http/reports.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { paths } from "../config/paths.ts";
import { cut } from "../lib/cut.ts";
import { formatCount, formatPlace, formatShares } from "../lib/format.ts";
import styles from "./OffenderCard.module.css";
import { StatusOrBanner } from "./StatusChip.tsx";

/** A person with several reports, and the latest one. The whole card is one link. */
export function OffenderCard(props: {
  offender: HabitualOffender;
  /** Rank in the list, from 1. */
  rank?: number;
  level?: 2 | 3;
  titleLength?: number;
  descriptionLength: number;
}) {
  const { offender, rank, level = 3 } = props;
  const Heading = `h${level}` as const;
  const { latest_report: latest } = offender;
  return (
    <article className={`${styles.card} ${rank === 1 ? styles.first : ""}`}>
      <div className={styles.head}>
        <Heading>
          {rank !== undefined && <span className={styles.rank}>#{rank} </span>}
          <Link to={paths.report(latest.seo_title)} className={styles.link}>
            {offender.first_name} {offender.last_name}
          </Link>
        </Heading>
        <p className={styles.count}>{formatCount(offender.report_count, "report")}</p>
      </div>
      <p className={styles.total}>
        <span className={styles.label}>TOTAL DUE</span>
        {offender.totals.map((total) => (
          <span key={total.currency} className="amount">
            {formatMoney(total.amount, total.currency)}
          </span>
        ))}
      </p>
      <p className={styles.status}>
        <StatusOrBanner {...latest} />
        <span>latest report</span>
      </p>
      <p className={styles.title}>
        {props.titleLength ? cut(latest.title, props.titleLength) : latest.title}
      </p>
      {latest.description && (
        <p className={styles.muted}>{cut(latest.description, props.descriptionLength)}</p>
      )}
      <p className={styles.muted}>
        {formatPlace(latest)}
        {offender.shares.length > 0 && <> · Same {formatShares(offender.shares)}</>}
      </p>
    </article>
  );
}
