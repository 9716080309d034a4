import { Link, useLocation } from "react-router-dom";
import type { SearchHit } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import { SHIPPING_STATUSES } from "#contracts/report/words.ts";
import { paths } from "../config/paths.ts";
import { AMOUNT_LABELS } from "../lib/amounts.folded.ts";
import { cutSegments, type TextSegment } from "../lib/cut.ts";
import { formatCount, formatDate, formatRegion } from "../lib/format.ts";
import styles from "./ReportList.module.css";
import { StatusOrBanner, settledStatus } from "./StatusChip.tsx";

/** A list of reports on one sheet. */
export function ReportList({ reports }: { reports: readonly SearchHit[] }) {
  return (
    <ul className={styles.list}>
      {reports.map((report) => (
        <li key={report.id}>
          <ReportRow report={report} />
        </li>
      ))}
    </ul>
  );
}

/** A placeholder for a list that is still loading. */
export function ReportListSkeleton({ rows }: { rows: number }) {
  return (
    <div className={styles.list} aria-hidden="true">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={i} className={styles.skeleton}>
          <span className={styles.wide} />
          <span className={styles.medium} />
          <span className={styles.full} />
          <span className={styles.medium} />
        </div>
      ))}
    </div>
  );
}

/** The placeholder for a list that takes long to load, announced to screen readers. */
export function LoadingReports() {
  return (
    <>
      <p className="visually-hidden" role="status">
        Loading
      </p>
      <ReportListSkeleton rows={3} />
    </>
  );
}

const TITLE_LENGTH = 60;
const DESCRIPTION_LENGTH = 120;

const LOOSE_MATCHES: Readonly<Record<string, string>> = {
  nickname: "Found by nickname",
  phonetic: "Sounds alike",
  fuzzy: "Similar spelling",
};

/** A report in a list. The whole row is one link. */
function ReportRow({ report, level = 3 }: { report: SearchHit; level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  const { highlights } = report;
  const here = useLocation();
  const loose = report.match && LOOSE_MATCHES[report.match];
  const reason = report.check_reason ?? report.chargeback_reason;
  return (
    <article className={styles.row}>
      <div className={styles.head}>
        <Heading className={styles.name}>
          <Link
            to={paths.report(report.seo_title)}
            state={{ search: here.pathname + here.search }}
            className={styles.link}
          >
            <Marked text={`${report.first_name} ${report.last_name}`} segments={highlights?.name} />
          </Link>
        </Heading>
        <Amount report={report} />
      </div>
      <p className={styles.title}>
        <Marked text={report.title} segments={highlights?.title} length={TITLE_LENGTH} />
      </p>
      <p className={styles.description}>
        {report.description ? (
          <Marked
            text={report.description}
            segments={highlights?.description}
            length={DESCRIPTION_LENGTH}
          />
        ) : (
          "No description available"
        )}
      </p>
      <ul className={styles.facts}>
        <li className={styles.status}>
          <StatusOrBanner {...report} />
        </li>
        {loose && <li className={styles.loose}>{loose}</li>}
        {report.is_habitual_offender && (
          <li className={styles.habitual}>
            Habitual offender, {formatCount(report.report_count, "report")}
          </li>
        )}
        <li>
          <Marked text={report.city} segments={highlights?.city} />, {formatRegion(report)}
        </li>
        <li>
          <time dateTime={report.created_at}>{formatDate(report.created_at)}</time>
        </li>
        {reason && <li>{reasonLabel(reason)}</li>}
        {report.shipping_status && <li>{SHIPPING_STATUSES[report.shipping_status]}</li>}
        {report.public_username && <li>Reported by {report.public_username}</li>}
        <li>{formatCount(report.view_count, "view")}</li>
        <li>{formatCount(report.rebuttal_count, "rebuttal")}</li>
      </ul>
      <span className={styles.more} aria-hidden="true">
        View Details
      </span>
    </article>
  );
}

/** The report's amount or, for a habitual offender, the total that the person owes. */
function Amount({ report }: { report: SearchHit }) {
  if (report.is_habitual_offender && report.offender_totals?.length) {
    return (
      <p className={`${styles.amount} ${styles.due}`}>
        <span className={styles.label}>TOTAL DUE</span>
        {report.offender_totals.map((total) => (
          <span key={total.currency} className="amount">
            {formatMoney(total.amount, total.currency)}
          </span>
        ))}
      </p>
    );
  }
  const tone = styles[settledStatus(report)] ?? "";
  return (
    <p className={`${styles.amount} ${tone}`}>
      <span className={styles.label}>{AMOUNT_LABELS[report.report_type]}</span>
      <span className="amount">{formatMoney(report.amount, report.currency)}</span>
    </p>
  );
}

/** A text truncated to `length` characters, with search matches highlighted. */
function Marked(props: {
  text: string;
  segments?: readonly TextSegment[] | undefined;
  length?: number;
}) {
  const segments = props.segments ?? [{ text: props.text, hit: false }];
  return cutSegments(segments, props.length ?? Number.POSITIVE_INFINITY).map((segment, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    segment.hit ? <mark key={i}>{segment.text}</mark> : segment.text,
  );
}
