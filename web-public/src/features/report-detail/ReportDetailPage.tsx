import { useEffect, useState } from "react";
import { Link, useLoaderData, useLocation } from "react-router-dom";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { REPORT_TYPES } from "#contracts/report/words.ts";
import { countView } from "../../api/count-view.ts";
import { useApi } from "../../api/use-api.ts";
import { Breadcrumb } from "../../components/Breadcrumb.tsx";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { StatusChip, settledStatus } from "../../components/StatusChip.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { AMOUNT_LABELS } from "../../lib/amounts.folded.ts";
import { cut } from "../../lib/cut.ts";
import {
  formatCount,
  formatDate,
  formatPlace,
  formatShares,
  formatTotals,
} from "../../lib/format.ts";
import { Facts, ReportRecord } from "../report-record/ReportRecord.tsx";
import { NOT_GIVEN } from "../report-record/record-facts.ts";
import styles from "./ReportDetailPage.module.css";

const META_LENGTH = 155;
const SEARCH = [["Search", paths.search]] as const;

/** A report as a record: status, description, facts, amounts. */
export function Component() {
  const report = useLoaderData<ReportDetail>();
  const { publicUrl } = useSiteConfig();
  const api = useApi();
  useEffect(() => countView(api, "reports", report.id), [api, report.id]);
  const name = `${report.first_name} ${report.last_name}`;
  const path = paths.report(report.seo_title);
  return (
    <article className={styles.page}>
      <PageHead
        title={`${name}: ${cut(report.title, 60)}`}
        description={cut(
          `${REPORT_TYPES[report.report_type]} report, ${formatPlace(report)}. ${report.description}`,
          META_LENGTH,
        )}
        path={path}
        picture={`${path}/picture.png`}
        above={SEARCH}
        name={name}
      />
      <Breadcrumb above={SEARCH} name={name} />
      <header className={styles.head}>
        <div>
          <h1 tabIndex={-1}>{name}</h1>
          <p className={styles.title}>{report.title}</p>
        </div>
        <Amounts report={report} />
      </header>
      <p className={styles.status}>
        {!report.resolved && <StatusChip status={report.resolution_status} />}
        <span>Reported, not independently verified</span>
        <time dateTime={report.created_at}>{formatDate(report.created_at)}</time>
      </p>
      {report.resolved && <ResolvedBanner />}
      {report.is_habitual_offender && <HabitualOffender report={report} />}
      <ReportRecord report={report}>
        {report.evidence.length > 0 && <Evidence report={report} />}
        <Facts
          group={{
            heading: "Reporting company",
            facts: [
              { label: "Company", value: report.public_username || NOT_GIVEN },
              {
                label: "Reporter's email",
                value: report.verified ? "Confirmed" : "Not confirmed",
              },
              { label: "Reported", value: formatDate(report.created_at) },
              {
                label: "Published",
                value: report.approved_at ? formatDate(report.approved_at) : NOT_GIVEN,
              },
              { label: "Views", value: String(report.view_count) },
              { label: "Rebuttals", value: String(report.rebuttal_count) },
            ],
          }}
        />
        {report.other_reports.length > 0 && (
          <section className={styles.others}>
            <h2>Other reports about this person</h2>
            <ul>
              {report.other_reports.map((other) => (
                <li key={other.seo_title}>
                  <Link to={paths.report(other.seo_title)}>{other.title}</Link>
                  <time dateTime={other.created_at}>{formatDate(other.created_at)}</time>
                </li>
              ))}
            </ul>
          </section>
        )}
      </ReportRecord>
      <div className={styles.actions}>
        <BackToSearch />
        <ButtonLink to={paths.submitReport} kind="secondary">
          Report Another Offender
        </ButtonLink>
        <Button kind="quiet" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <p className={styles.printed}>{publicUrl + path}</p>
    </article>
  );
}

function Amounts({ report }: { report: ReportDetail }) {
  const money = (amount: number) => formatMoney(amount, report.currency);
  return (
    <p className={styles.amount}>
      <span>Total due</span>
      <strong className={`amount ${styles[settledStatus(report)] ?? ""}`}>
        {money(report.total_due)}
      </strong>
      {report.total_due !== report.amount && (
        <span>
          {AMOUNT_LABELS[report.report_type]} <span className="amount">{money(report.amount)}</span>
        </span>
      )}
    </p>
  );
}

function HabitualOffender({ report }: { report: ReportDetail }) {
  const { offender_shares: shares = [], offender_totals: totals = [] } = report;
  return (
    <Notice tone="warning">
      <h2>Habitual offender: {formatCount(report.report_count, "published report")}</h2>
      <p>
        {shares.length > 0
          ? `These reports match on the ${formatShares(["name", ...shares])}.`
          : "These reports name the same person."}
        {totals.length > 0 && ` Total due over all of them: ${formatTotals(totals)}.`}
      </p>
    </Notice>
  );
}

function BackToSearch() {
  const { state } = useLocation();
  const [target, setTarget] = useState<string>(paths.search);
  useEffect(() => {
    // The server doesn't know the browser's history, so the first render can't use it.
    if (isFromSearch(state)) setTarget(state.search);
  }, [state]);
  return <ButtonLink to={target}>Back to Search</ButtonLink>;
}

function isFromSearch(state: unknown): state is { search: string } {
  const search = (state as { search?: unknown } | null)?.search;
  return typeof search === "string" && search.startsWith(paths.search);
}

/** States that the reporter declared the matter settled. */
function ResolvedBanner() {
  return (
    <Notice tone="success">
      <h2>RESOLVED</h2>
      <p>The reporting merchant has declared in a notarized letter that this matter is settled.</p>
    </Notice>
  );
}

/** The published pictures of evidence, each linked to its full size. */
export function Evidence({
  report,
}: {
  report: Pick<ReportDetail, "evidence" | "check_image_url">;
}) {
  const { evidence, check_image_url: check } = report;
  return (
    <section className={styles.evidence} aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <p>Provided by the reporter. Account numbers and addresses have been redacted.</p>
      <ul>
        {evidence.map(({ id, url, width, height }, index) => {
          const what = url === check ? "The check" : "Evidence";
          const of = evidence.length > 1 ? `, picture ${index + 1} of ${evidence.length}` : "";
          return (
            <li key={id}>
              <a href={url}>
                <img
                  src={url}
                  width={width}
                  height={height}
                  alt={`${what}${of}, in full size`}
                  loading="lazy"
                  decoding="async"
                />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
