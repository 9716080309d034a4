import Alert from "@mui/material/Alert";
import { useParams } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { takenIn, useQueueBeside } from "../commands/CommandDialog.tsx";
import { takenWords } from "../commands/labels.ts";
import { isOpen } from "../commands/report-commands.ts";
import { paths } from "../config/paths.ts";
import { RecordSkeleton, ReportLoadError } from "../record/ReportLoadError.tsx";
import { personName } from "../record/record-fields.ts";
import { useReport } from "../record/use-report.ts";
import { PageHeading } from "../shared/page.tsx";
import { waitingWords } from "../shared/reads.ts";
import { type Action, NEXT_KEY } from "./actions.tsx";
import { ReportSheet } from "./ReportSheet.tsx";

/** One report: the record, with what can be done beside it. */
export function ReportShow() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useReport(id);
  if (error) return <ReportLoadError id={id} error={error} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  return <OpenReport key={data.id} report={data} />;
}

function OpenReport({ report }: { readonly report: AdminReportDetail }) {
  const { queue, taken } = useQueueBeside(report.id);
  const nextId = queue?.reports.find((id) => id !== report.id && !takenIn(queue, id));
  const others: readonly Action[] =
    queue && nextId
      ? [
          {
            label: `Next report (${waitingWords(queue.to_decide, "to_decide")})`,
            key: NEXT_KEY,
            place: isOpen(report.status) ? "more" : "main",
            to: paths.report(nextId),
          },
        ]
      : [];
  return (
    <ReportSheet
      report={report}
      heading={(words) => (
        <PageHeading title={`${reportNumber(report.id)} ${personName(report)}`}>
          {words}
        </PageHeading>
      )}
      notice={
        <>
          {report.own && <Alert severity="info">{OWN_REPORT}</Alert>}
          {taken && <Alert severity="info">{takenWords(taken)}</Alert>}
        </>
      }
      others={others}
    />
  );
}
