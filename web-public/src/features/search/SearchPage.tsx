import { useEffect, useRef, useState } from "react";
import { Link, useLoaderData, useNavigation, useRevalidator } from "react-router-dom";
import { CONTACT_SEARCHES_USED, SEARCH_PAGE_SIZE } from "#contracts/http/search-messages.ts";
import { motion } from "#theme/tokens.ts";
import { OffenderCard } from "../../components/OffenderCard.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { PageSteps } from "../../components/PageSteps.tsx";
import { ReportList, ReportListSkeleton } from "../../components/ReportList.tsx";
import { paths } from "../../config/paths.ts";
import { formatCappedCount } from "../../lib/format.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { formatWait } from "../../lib/waiting-time.ts";
import { useAccount } from "../../session/site-session.ts";
import { signInFor } from "../account/after-sign-in.ts";
import { SearchForm, SortMenu } from "./SearchForm.tsx";
import styles from "./SearchPage.module.css";
import type { AllOffendersData, SearchData } from "./search.loader.ts";
import { isImpossibleRange, writeFilters } from "./search-filters.ts";
import { showRateLimitToast } from "./search-gate.ts";

const OFFENDER_TITLE_LENGTH = 40;
const OFFENDER_DESCRIPTION_LENGTH = 60;

/** The search page, or the list of all habitual offenders. */
export function Component() {
  const data = useLoaderData<SearchData | AllOffendersData>();
  return "list" in data ? <AllOffenders {...data} /> : <Search {...data} />;
}

function Search(data: SearchData) {
  const { filters, result, failure, refusal, offenders } = data;
  const navigation = useNavigation();
  const searching = navigation.state === "loading" && navigation.location.pathname === paths.search;
  const late = useDelayed(searching, motion.skeletonDelay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused search says so again.
  useEffect(() => {
    if (failure === "limited" && refusal !== CONTACT_SEARCHES_USED) showRateLimitToast();
  }, [failure, filters]);
  const isPlain = writeFilters(filters) === "";
  return (
    <>
      <PageHead
        title="Search Chargeback Fraud Database - Find Repeat Offenders"
        description="Search reports of chargeback fraud and bad checks by name, title or location, and see who was reported more than once."
        {...(isPlain && result?.page === 1 ? { path: paths.search } : {})}
      />
      <div className={styles.top}>
        <h1 tabIndex={-1}>Search the database</h1>
        <SearchForm filters={filters} />
      </div>
      <div className={styles.columns}>
        <section aria-labelledby="results" aria-busy={searching} className={styles.results}>
          <div className={styles.resultsHead}>
            <div role="status">
              <h2 id="results">
                {result
                  ? `${formatCappedCount(result.total, result.total_capped, "report")} found`
                  : "Results"}
              </h2>
              {result && result.total > 0 && (
                <p className={styles.pageOf}>
                  Page {result.page} of {result.pages}
                </p>
              )}
            </div>
            {result && result.total > 1 && <SortMenu filters={filters} />}
          </div>
          {late ? (
            <ReportListSkeleton rows={result?.reports.length || SEARCH_PAGE_SIZE} />
          ) : (
            <Results data={data} dimmed={searching} />
          )}
        </section>
        {offenders.length > 0 && (
          <aside
            id="habitual-offenders"
            aria-labelledby="top-offenders"
            className={styles.offenders}
          >
            <h2 id="top-offenders">TOP HABITUAL OFFENDERS</h2>
            {offenders.map((offender, i) => (
              <OffenderCard
                key={offender.latest_report.seo_title}
                offender={offender}
                rank={i + 1}
                titleLength={OFFENDER_TITLE_LENGTH}
                descriptionLength={OFFENDER_DESCRIPTION_LENGTH}
              />
            ))}
            <Link to={paths.allOffenders()} className={styles.all}>
              View All Offenders
            </Link>
            <p className={styles.note}>
              People with two or more published reports that match on the name and on at least one
              of email, phone, card, bank account or street address.
            </p>
          </aside>
        )}
      </div>
    </>
  );
}

function Results({ data, dimmed }: { data: SearchData; dimmed: boolean }) {
  const { filters, result, failure, asVisitor, refusal, retryAfter } = data;
  const here = paths.search + writeFilters(filters);
  if (failure === "contact")
    return (
      <div className={styles.empty} role="alert">
        <ContactRefused
          here={here}
          asVisitor={Boolean(asVisitor)}
          refusal={refusal ?? "Sign in to search by email or phone"}
        />
      </div>
    );
  if (!result) {
    return (
      <div className={styles.empty} role="alert">
        <p>
          {failure === "limited" ? limitedWords(refusal, retryAfter) : "Failed to load search data"}
        </p>
        {failure === "away" && retryAfter !== undefined && (
          <SearchAway retryAfter={retryAfter} refusal={filters} />
        )}
        <Link to={here} reloadDocument>
          Try again
        </Link>
      </div>
    );
  }
  if (result.reports.length === 0) {
    return (
      <div className={styles.empty}>
        <h3>No reports found</h3>
        <p>
          {isImpossibleRange(filters)
            ? "The minimum amount is higher than the maximum amount."
            : "Try adjusting your search criteria or filters."}
        </p>
        <p>
          No match doesn't mean a payment is safe. The registry only includes reports that were
          submitted and approved. <Link to={paths.submitReport}>Submit a report</Link>
        </p>
      </div>
    );
  }
  return (
    <div className={dimmed ? styles.dimmed : undefined}>
      <ReportList reports={result.reports} />
      <PageSteps of={result} address={(token) => paths.search + writeFilters(filters, token)} />
    </div>
  );
}

/** A daily limit says when it resets; the others last only seconds. */
function limitedWords(refusal: string | undefined, retryAfter = 0): string {
  if (refusal === CONTACT_SEARCHES_USED)
    return `${refusal} Try again in ${formatWait(retryAfter)}.`;
  return "Too many searches. Please wait a moment before searching again.";
}

/**
 * Says what is required to search by email or phone, in the registry's words, and links to it.
 * @param here path of the search.
 */
function ContactRefused(props: { here: string; asVisitor: boolean; refusal: string }) {
  const { here, asVisitor, refusal } = props;
  const { state } = useAccount();
  const { revalidate } = useRevalidator();
  // A visitor's result may not apply to the account: the server renders the page without knowing who is signed
  // in, and the visitor may have signed in since.
  const isAskedAgain = state === "signed_in" && asVisitor;
  useEffect(() => {
    if (isAskedAgain) void revalidate();
  }, [isAskedAgain, revalidate]);
  if (isAskedAgain) return <p>Searching…</p>;
  return (
    <div className={state === "unknown" ? styles.guest : undefined}>
      <p>{refusal}</p>
      {state === "signed_in" ? (
        <Link to={paths.dashboard}>Confirm your email</Link>
      ) : (
        <Link to={signInFor(here, false)}>Sign in</Link>
      )}
    </div>
  );
}

const LONGEST_PAUSE = 60;
/** Random extra share of each pause, so that pages that failed together don't all retry at once. */
const SPREAD = 0.25;

interface SearchAwayProps {
  /** Seconds to wait before retrying, as returned by the registry. */
  readonly retryAfter: number;
  /** A different object after each refusal. */
  readonly refusal: unknown;
}

/** Says that search is unavailable, and retries automatically; without scripts it only says so. */
function SearchAway({ retryAfter, refusal }: SearchAwayProps) {
  const { revalidate } = useRevalidator();
  const tries = useRef(0);
  const [isTrying, setIsTrying] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal begins the next pause.
  useEffect(() => {
    setIsTrying(true);
    // Retries count as searches, so back off.
    const pause = Math.min(retryAfter * 2 ** tries.current, LONGEST_PAUSE);
    const ms = pause * 1000 * (1 + Math.random() * SPREAD);
    const timer = setTimeout(() => {
      tries.current += 1;
      void revalidate();
    }, ms);
    return () => clearTimeout(timer);
  }, [retryAfter, refusal, revalidate]);
  return (
    <p>
      Search is unavailable right now.
      {isTrying ? " This page will try again automatically." : " Please try again in a minute."}
    </p>
  );
}

const DESCRIPTION_LENGTH = 120;

/** People with two or more published reports, most reports first, with pagination. */
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
          Two or more published reports match on the name and on at least one of email, phone, card,
          bank account or street address. Reports aren't independently verified.
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
      <div className={styles.allOffendersEmpty} role="alert">
        <p>We couldn't load this list.</p>
        <Link to={paths.allOffenders()} reloadDocument>
          Try again
        </Link>
      </div>
    );
  }
  if (list.offenders.length === 0) {
    return (
      <div className={styles.allOffendersEmpty}>
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
