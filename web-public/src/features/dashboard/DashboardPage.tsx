import { useEffect } from "react";
import { SUMMARIZED_REPORTS } from "#contracts/account/own-figures.ts";
import type { User } from "#contracts/http/account.ts";
import type { ClaimableReports, OwnReportsSummary } from "#contracts/http/own-reports.ts";
import { REPORT_STATUSES, type ReportStatus } from "#contracts/report/words.ts";
import type { ApiClient } from "../../api/client.ts";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { LoadingReports } from "../../components/ReportList.tsx";
import { showToast } from "../../components/toast-store.ts";
import { paths } from "../../config/paths.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { refreshAccount, useAccountClient, useStore } from "../../session/session-store-of.ts";
import { ConfirmAddress } from "../account/ConfirmAddress.tsx";
import { NeedsScripts, RequireAccount } from "../account/RequireAccount.tsx";
import { AmountsOverTime } from "./AmountsOverTime.tsx";
import type { AskedOfYou } from "./AskedOfYou.tsx";
import styles from "./DashboardPage.module.css";
import { OWN_REPORTS, OwnReports, type OwnReportsPage } from "./OwnReports.tsx";

const FAILED = "We couldn't load your reports. Please try again.";
const SKELETON_MS = 150;

interface Loaded {
  readonly summary: OwnReportsSummary;
  readonly first: OwnReportsPage;
  readonly claimable: ClaimableReports;
  /** Shows moderators' questions; null if there are none, as is usual. */
  readonly AskedOfYou: typeof AskedOfYou | null;
  /** Milliseconds at which it was read; the list's key, so that a new read resets it. */
  readonly at: number;
}

/**
 * Loads the dashboard's data and code. Loading parts later would shift the content.
 * @throws {ApiError}
 */
async function load(api: ApiClient, signal: AbortSignal): Promise<Loaded> {
  const [summary, first, claimable] = await Promise.all([
    api.get<OwnReportsSummary>(`${OWN_REPORTS}/summary`, { signal }),
    api.get<OwnReportsPage>(OWN_REPORTS, { signal }),
    api.get<ClaimableReports>(`${OWN_REPORTS}/claimable`, { signal }),
  ]);
  const isAsked = summary.asked.length > 0;
  const AskedOfYou = isAsked ? (await import("./AskedOfYou.tsx")).AskedOfYou : null;
  return { summary, first, claimable, AskedOfYou, at: performance.now() };
}

/** The status of the user's own reports, and moderators' questions about them. */
export function Component() {
  return (
    <div className={styles.page}>
      <PageHead title="Dashboard" />
      <h1 tabIndex={-1}>Dashboard</h1>
      <NeedsScripts />
      <RequireAccount>{(user) => <Dashboard key={user.id} user={user} />}</RequireAccount>
    </div>
  );
}

function Dashboard({ user }: { user: User }) {
  const store = useStore();
  const api = useAccountClient();
  const read = useRead((signal) => load(api, signal), [api], FAILED);
  const { data: loaded, failure, again } = read;
  const isLate = useDelayed(!loaded && failure === null, SKELETON_MS);
  useEffect(() => void refreshAccount(store), [store]);
  return (
    <>
      {user.confirmed === false && <ConfirmAddress email={user.email} />}
      <Failure text={failure} onRetry={again} />
      {isLate && <LoadingReports />}
      {loaded?.AskedOfYou && <loaded.AskedOfYou asked={loaded.summary.asked} onAnswered={again} />}
      {loaded && <ClaimReports claimable={loaded.claimable} onClaimed={again} />}
      {loaded &&
        (loaded.summary.reports === 0 ? (
          loaded.claimable.reports.length === 0 && <Empty />
        ) : (
          <>
            <Figures summary={loaded.summary} />
            <OwnReports key={loaded.at} first={loaded.first} />
            <AmountsOverTime months={loaded.summary.months} />
          </>
        ))}
    </>
  );
}

function Empty() {
  return (
    <div className={styles.empty}>
      <h2>You haven't submitted any reports</h2>
      <p>Reports you submit while signed in are listed here, along with their status.</p>
      <ButtonLink to={paths.submitReport}>Report Abuse</ButtonLink>
    </div>
  );
}

function Figures({ summary }: { summary: OwnReportsSummary }) {
  const { reports, statuses, view_count, unconfirmed } = summary;
  const isCapped = reports === SUMMARIZED_REPORTS;
  return (
    <section aria-label="Your report totals">
      <dl className={styles.figures}>
        {(Object.keys(REPORT_STATUSES) as ReportStatus[]).map((status) => (
          <div key={status}>
            <dt>{REPORT_STATUSES[status]}</dt>
            <dd>{statuses[status].toLocaleString("en-US")}</dd>
          </div>
        ))}
        <div>
          <dt>Views</dt>
          <dd>{view_count.toLocaleString("en-US")}</dd>
        </div>
      </dl>
      {isCapped && (
        <p className={styles.muted}>
          These totals cover your {formatCount(reports, "most recent report")}.
        </p>
      )}
      {unconfirmed > 0 && (
        <p>
          {formatCount(unconfirmed, "report")} {unconfirmed === 1 ? "is" : "are"} waiting for you to
          confirm your email. Open the link we emailed you.
        </p>
      )}
    </section>
  );
}

const CLAIM_REPORTS_FAILED = "We couldn't add the report to your account. Please try again.";

/**
 * Offers reports that were sent from the account's address before it had an account.
 * @param onClaimed called after each press that may have added a report.
 */
export function ClaimReports(props: { claimable: ClaimableReports; onClaimed: () => void }) {
  const { reports, has_more } = props.claimable;
  const api = useAccountClient();
  const { isBusy, failure, run } = useAction(CLAIM_REPORTS_FAILED);
  if (reports.length === 0) return null;
  const add = (ids: readonly string[]) =>
    run(async () => {
      let added = 0;
      try {
        for (const id of ids) {
          await api.post(`${OWN_REPORTS}/${encodeURIComponent(id)}/claim`, { body: {} });
          added += 1;
        }
      } finally {
        if (added > 0) {
          const are = added === 1 ? "is" : "are";
          const text = `${formatCount(added, "report")} ${are} now in your account.`;
          showToast({ kind: "info", text });
        }
        props.onClaimed();
      }
    });
  const count = has_more
    ? `More than ${reports.length} reports`
    : formatCount(reports.length, "report");
  const were = reports.length === 1 ? "was" : "were";
  return (
    <section aria-labelledby="claim" className={styles.claim}>
      <h2 id="claim">Reports you submitted before you had an account</h2>
      <p>
        {count} {were} submitted from your email address. Add {reports.length === 1 ? "it" : "them"}{" "}
        to your account to follow the status of {reports.length === 1 ? "it" : "them"}.
      </p>
      <Failure text={failure} />
      <ul>
        {reports.map(({ id, title, first_name, last_name, status, created_at }) => (
          <li key={id}>
            <div>
              <p>
                <strong>
                  {first_name} {last_name}
                </strong>
                , {title}
              </p>
              <p className={styles.sent}>
                Submitted {formatDate(created_at)}, {REPORT_STATUSES[status].toLowerCase()}
              </p>
            </div>
            <Button kind="secondary" disabled={isBusy} onClick={() => void add([id])}>
              Add
              <span className="visually-hidden">
                {" "}
                the report about {first_name} {last_name}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {reports.length > 1 && (
        <p>
          <Button disabled={isBusy} onClick={() => void add(reports.map(({ id }) => id))}>
            {isBusy ? "Adding…" : "Add All"}
          </Button>
        </p>
      )}
    </section>
  );
}
