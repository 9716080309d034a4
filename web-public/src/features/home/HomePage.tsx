import { Form, Link, useLoaderData } from "react-router-dom";
import type { RegistryStats } from "#contracts/http/analytics.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { OffenderCard } from "../../components/OffenderCard.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { ReportList } from "../../components/ReportList.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { formatDate, formatNumber } from "../../lib/format.ts";
import { MAX_QUERY_LENGTH } from "../search/search-filters.ts";
import styles from "./HomePage.module.css";
import type { HomeData } from "./home.loader.ts";

const DESCRIPTION_LENGTH = 150;
const SENTENCE =
  "Before you take a payment, check whether the customer has been reported for chargeback fraud or bad checks.";

/** The home page: search, newest reports, and what the registry is. */
export function Component() {
  const { productName } = useSiteConfig();
  const { newest, offender, figures } = useLoaderData<HomeData>();
  return (
    <>
      <PageHead title={productName} description={SENTENCE} path={paths.home} />
      <section className={styles.hero} aria-labelledby="hero">
        <h1 id="hero" tabIndex={-1}>
          {productName}
        </h1>
        <p className={styles.sentence}>{SENTENCE}</p>
        <Form action={paths.search} role="search" className={styles.search}>
          <label htmlFor="home-q" className="visually-hidden">
            Name, title or location
          </label>
          <input
            id="home-q"
            name="q"
            type="search"
            maxLength={MAX_QUERY_LENGTH}
            placeholder="Name, title or location"
            autoComplete="off"
            enterKeyHint="search"
          />
          <Button
            type="submit"
            className={styles.go ?? ""}
            aria-label="Search Chargeback Offenders"
          >
            <span>
              Search<span className={styles.wide}> Chargeback Offenders</span>
            </span>
          </Button>
        </Form>
      </section>
      <div className={styles.columns}>
        <section aria-labelledby="newest">
          <div className={styles.sectionHead}>
            <h2 id="newest">Newest reports</h2>
            <Link to={paths.search}>See all reports</Link>
          </div>
          <Newest reports={newest} />
        </section>
        <aside className={styles.aside}>
          {offender !== undefined && (
            <section aria-labelledby="habitual">
              <div className={styles.sectionHead}>
                <h2 id="habitual">Top habitual offender</h2>
              </div>
              {offender ? (
                <>
                  <OffenderCard offender={offender} descriptionLength={DESCRIPTION_LENGTH} />
                  <Link to={paths.allOffenders()} className={styles.all}>
                    View All Offenders
                  </Link>
                </>
              ) : (
                <p className={styles.empty}>
                  No habitual offenders found yet. Start by reporting repeat offenders!
                </p>
              )}
            </section>
          )}
          <section className={styles.panel} aria-labelledby="report-yours">
            <h2 id="report-yours">Lost a payment?</h2>
            <p>
              Submit a report in a few minutes, without an account. Our team reviews it before
              anything is published, and your own details stay private.
            </p>
            <ButtonLink to={paths.submitReport}>Report Chargeback Fraud</ButtonLink>
          </section>
        </aside>
      </div>
      <HomeTiles />
      <HomeStats registry={figures} />
      <section className={styles.explainer} aria-labelledby="what">
        <h2 id="what">What is chargeback fraud?</h2>
        <p>
          A chargeback returns a card payment to the buyer. It's meant for stolen cards and goods
          that never arrived. It's fraud when the buyer received what they paid for and disputes the
          payment anyway. The merchant loses the goods, the money and a fee. A bad check has the
          same effect: it's returned for insufficient funds, a stopped payment or a closed account.
        </p>
        <h3>How does this registry work?</h3>
        <ol>
          <li>A merchant submits a report and confirms it with a link we email them.</li>
          <li>A moderator reviews it. We publish only approved reports.</li>
          <li>
            Anyone can search published reports. We show a person as a habitual offender only if
            several reports match on more than a name.
          </li>
        </ol>
        <p className={styles.caution}>
          A report is one party's account and isn't independently verified.
        </p>
        <p className={styles.actions}>
          <ButtonLink to={paths.submitReport}>Get Started Today</ButtonLink>
          <ButtonLink to={paths.faq} kind="secondary">
            LEARN MORE<span className="visually-hidden"> about chargeback fraud</span>
          </ButtonLink>
        </p>
      </section>
    </>
  );
}

function Newest({ reports }: { reports: HomeData["newest"] }) {
  if (!reports) {
    return (
      <p className={styles.empty} role="alert">
        We couldn't load the newest reports.{" "}
        <Link to={paths.home} reloadDocument>
          Try again
        </Link>
      </p>
    );
  }
  if (reports.length === 0) {
    return (
      <p className={styles.empty}>
        No reports have been published yet.{" "}
        <Link to={paths.submitReport}>Submit the first report</Link>
      </p>
    );
  }
  return <ReportList reports={reports} />;
}

const TILES = [
  {
    heading: "Search before you ship",
    text: "Search by name, title or location. Finds misspelled names too, and tells you when a match is approximate.",
  },
  {
    heading: "Reviewed first",
    text: "A moderator reads every report. Nothing is published until it's approved.",
  },
  {
    heading: "More than a name",
    text: "We match repeat offenders by email, phone, card, bank account or street, never by name alone.",
  },
  {
    heading: "Private stays private",
    text: "We mask contact and payment details, and reporters stay anonymous to the public unless they choose a public name.",
  },
] as const;

/** Describes the registry in four short tiles. */
export function HomeTiles() {
  return (
    <section aria-labelledby="features" className={styles.features}>
      <h2 id="features" className="visually-hidden">
        What the registry does
      </h2>
      <ul className={styles.tiles}>
        {TILES.map(({ heading, text }) => (
          <li key={heading} className={styles.tile}>
            <h3>{heading}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The registry's own totals, and published numbers on merchants' losses. */
export function HomeStats({ registry }: { registry: RegistryStats | null }) {
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

function InTheRegistry({ figures }: { figures: RegistryStats }) {
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
            total reported due
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

/** Published numbers on merchants' losses, with their sources. */
const LOSSES = [
  {
    figure: "$48B+",
    meaning: "forecast merchant losses to e-commerce fraud in 2023",
    source: "Juniper Research, October 2022",
  },
  {
    figure: "75%",
    meaning: "maximum share of chargebacks that may be friendly fraud",
    source: "Visa, June 2022",
  },
  {
    figure: "337M",
    meaning: "chargebacks expected by 2026",
    source: "Mastercard, March 2024",
  },
] as const;
