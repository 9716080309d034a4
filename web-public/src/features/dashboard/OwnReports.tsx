import { useState } from "react";
import { type OwnReportsPage, readOwnReports } from "../../api/own-reports.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { sentenceOf } from "../account/settings/settings-words.ts";
import styles from "./DashboardPage.module.css";
import { OwnReportRow } from "./OwnReportRow.tsx";

const FAILED = "We couldn't load more of your reports. Please try again.";

/** One's own reports, newest first, page by page. */
export function OwnReports({ first }: { first: OwnReportsPage }) {
  const store = storeOf(useSiteSession());
  const [{ reports, next }, setShown] = useState(first);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function readOn(page: string) {
    setReading(true);
    setFailure(null);
    try {
      const more = await readOwnReports(accountClient(store), page);
      setShown((before) => ({ reports: [...before.reports, ...more.reports], next: more.next }));
    } catch (error) {
      setFailure(sentenceOf(error, FAILED));
    } finally {
      setReading(false);
    }
  }

  return (
    <section aria-labelledby="own-reports">
      <h2 id="own-reports">My Reports</h2>
      <ul className={styles.reports}>
        {reports.map((report) => (
          <li key={report.id}>
            <OwnReportRow report={report} />
          </li>
        ))}
      </ul>
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      {next && (
        <p className={styles.more}>
          <Button kind="secondary" disabled={isReading} onClick={() => void readOn(next)}>
            {isReading ? "Loading…" : "Show More"}
          </Button>
        </p>
      )}
    </section>
  );
}
