import { useState } from "react";
import type { ClaimableReports } from "#contracts/http/own-reports.ts";
import { REPORT_STATUSES } from "#contracts/report/words.ts";
import { claimReport } from "../../api/own-reports.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount, formatDate } from "../../lib/format.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { sentenceOf } from "../account/settings/settings-words.ts";
import styles from "./DashboardPage.module.css";

const FAILED = "We couldn't add the report to your account. Please try again.";

/**
 * Offers what was sent from the account's address before it had an account.
 * @param onClaimed called after each press that may have added a report.
 */
export function ClaimReports(props: { claimable: ClaimableReports; onClaimed: () => void }) {
  const { reports, has_more } = props.claimable;
  const store = storeOf(useSiteSession());
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (reports.length === 0) return null;

  async function add(ids: readonly string[]) {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    let added = 0;
    try {
      for (const id of ids) {
        await claimReport(accountClient(store), id);
        added += 1;
      }
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
    } finally {
      setSending(false);
      if (added > 0) {
        const are = added === 1 ? "is" : "are";
        const text = `${formatCount(added, "report")} ${are} now in your account.`;
        showToast({ kind: "info", text });
      }
      props.onClaimed();
    }
  }

  const count = has_more
    ? `More than ${reports.length} reports`
    : formatCount(reports.length, "report");
  const were = reports.length === 1 ? "was" : "were";
  return (
    <section aria-labelledby="claim" className={styles.claim}>
      <h2 id="claim">Reports from before your account</h2>
      <p>
        {count} {were} submitted from your address before you had an account. Add{" "}
        {reports.length === 1 ? "it" : "them"} to your account to follow the status of{" "}
        {reports.length === 1 ? "it" : "them"}.
      </p>
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
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
            <Button kind="secondary" disabled={isSending} onClick={() => void add([id])}>
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
          <Button disabled={isSending} onClick={() => void add(reports.map(({ id }) => id))}>
            {isSending ? "Adding…" : "Add All"}
          </Button>
        </p>
      )}
    </section>
  );
}
