import { Link, useNavigation } from "react-router-dom";
import { motion } from "#theme/tokens.ts";
import { OffenderCard } from "../../components/OffenderCard.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { PageSteps } from "../../components/PageSteps.tsx";
import { ReportListSkeleton } from "../../components/ReportList.tsx";
import { paths } from "../../config/paths.ts";
import { formatCappedCount } from "../../lib/format.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import styles from "./AllOffenders.module.css";
import type { AllOffendersData } from "./all-offenders.loader.ts";

const DESCRIPTION_LENGTH = 120;

/** Everybody who was reported more than once, most reports first, page by page. */
export function AllOffenders({ list }: AllOffendersData) {
  const { state, location } = useNavigation();
  const loading = state === "loading" && location.pathname === paths.search;
  const late = useDelayed(loading, motion.skeletonDelay);
  return (
    <>
      <PageHead
        title="All habitual offenders"
        description="People named in two or more published reports of chargeback fraud or bad checks, sorted by number of reports."
        {...(list?.page === 1 ? { path: paths.allOffenders() } : {})}
      />
      <div className={styles.head}>
        <h1 tabIndex={-1}>All habitual offenders</h1>
        <p>
          Two or more published reports agree on the name and on at least one of email, phone, card,
          bank account or street address. They are reported, not independently verified.
        </p>
        <p>
          <Link to={paths.search}>Search the database</Link>
        </p>
      </div>
      <section aria-label="Habitual offenders" aria-busy={loading}>
        {late ? <ReportListSkeleton rows={6} /> : <List list={list} />}
      </section>
    </>
  );
}

function List({ list }: AllOffendersData) {
  if (!list) {
    return (
      <div className={styles.empty} role="alert">
        <p>We couldn't load this list.</p>
        <Link to={paths.allOffenders()} reloadDocument>
          Try again
        </Link>
      </div>
    );
  }
  if (list.offenders.length === 0) {
    return (
      <div className={styles.empty}>
        <p>No habitual offenders found yet. Start by reporting repeat offenders!</p>
        <Link to={paths.submitReport}>Submit a report</Link>
      </div>
    );
  }
  return (
    <>
      <p className={styles.count} role="status">
        {formatCappedCount(list.total, list.total_capped, "person", "people")}
        {list.pages > 1 && `, page ${list.page} of ${list.pages}`}
      </p>
      <ul className={styles.list}>
        {list.offenders.map((offender) => (
          <li key={offender.latest_report.seo_title}>
            <OffenderCard offender={offender} level={2} descriptionLength={DESCRIPTION_LENGTH} />
          </li>
        ))}
      </ul>
      <PageSteps of={list} address={(token) => paths.allOffenders(token)} />
    </>
  );
}
