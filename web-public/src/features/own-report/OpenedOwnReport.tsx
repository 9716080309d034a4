import { lazy, Suspense } from "react";
import { useNavigate } from "react-router-dom";
import type { OpenedReport } from "#contracts/http/own-reports.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { REPORT_STATUSES } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { formatDate } from "../../lib/format.ts";
import { Facts } from "../report-record/ReportRecord.tsx";
import { handOver } from "../submit-report/handed-report.ts";
import styles from "./OwnReport.module.css";
import { ownFacts } from "./own-facts.ts";

const ResolutionPanel = lazy(() => import("./resolution/ResolutionPanel.tsx"));

/** Everything that was submitted, and what became of it. */
export function OpenedOwnReport({ opened }: { opened: OpenedReport }) {
  const { id, status, verified, submitted_at, edited, rejection_reason, resolution, report } =
    opened;
  const navigate = useNavigate();
  const standing = [
    { label: "Number", value: reportNumber(id) },
    { label: "Status", value: REPORT_STATUSES[status] },
    { label: "Submitted", value: formatDate(submitted_at) },
    { label: "Address confirmed", value: verified ? "Yes" : "Not yet" },
    ...(rejection_reason ? [{ label: "Reason", value: rejection_reason }] : []),
  ];
  function submitAgain() {
    handOver({ report, submittedAt: submitted_at });
    void navigate(paths.submitReport);
  }
  return (
    <>
      <p className={styles.lead}>
        This is your report as you submitted it. Only you can see all of it, and it can't be
        changed.
      </p>
      {edited && (
        <Notice tone="info">
          <p>A moderator has edited this report since you submitted it. This is your original.</p>
        </Notice>
      )}
      <div className={styles.actions}>
        {status === "rejected" && <Button onClick={submitAgain}>Submit again</Button>}
        <Button kind="secondary" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div className={styles.groups}>
        <Facts group={{ heading: "Status", facts: standing }} />
        {(status !== "rejected" || resolution) && (
          <Suspense fallback={null}>
            <ResolutionPanel opened={opened} />
          </Suspense>
        )}
        {ownFacts(report).map((group) => (
          <Facts key={group.heading} group={group} />
        ))}
      </div>
    </>
  );
}
