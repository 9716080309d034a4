import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useRequireAccess } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { LEASE_MS } from "#contracts/http/queue.ts";
import { paths } from "../../config/paths.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { EmptyNote } from "../../shared/EmptyNote.tsx";
import { counted } from "../../shared/formats.ts";
import { RecordSkeleton } from "../record/RecordSkeleton.tsx";
import { useReport } from "../record/use-report.ts";
import { QueueReport } from "./QueueReport.tsx";
import { type QueueView, type QueueWork, useQueue } from "./use-queue.ts";

/** One report after the other, each this moderator's alone while it is shown. */
export function QueuePage() {
  const { isPending } = useRequireAccess({ resource: "queue", action: "list" });
  const work = useQueue(!isPending);
  const { view } = work;
  if (view.kind === "loading") return <RecordSkeleton />;
  if (view.kind === "failed")
    return (
      <Alert
        severity="error"
        action={<Button onClick={() => void work.restart()}>Try again</Button>}
      >
        {loadFailureText("the queue", view.error)}
      </Alert>
    );
  if (view.kind === "empty") return <NothingLeft view={view} onRestart={work.restart} />;
  return <Opened key={view.id} id={view.id} until={view.until} work={work} />;
}

function Opened({
  id,
  until,
  work,
}: {
  readonly id: string;
  readonly until: string;
  readonly work: QueueWork;
}) {
  const { data, error, refetch } = useReport(id, true);
  if (error)
    return (
      <Alert
        severity="error"
        action={
          <>
            <Button onClick={() => void refetch()}>Try again</Button>
            <Button onClick={() => void work.skip()}>Skip</Button>
          </>
        }
      >
        {loadFailureText("report", error)}
      </Alert>
    );
  if (!data) return <RecordSkeleton />;
  return <QueueReport report={data} until={until} work={work} />;
}

function NothingLeft({
  view,
  onRestart,
}: {
  readonly view: Empty;
  readonly onRestart: () => Promise<void>;
}) {
  const { skipped, fresh } = view;
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <EmptyNote title={titleOf(view)}>
        <Typography color="textSecondary" role="status">
          {sentenceOf(view)}
          {skipped > 0 && ` You skipped ${counted(skipped, "report", "reports")}.`}
        </Typography>
        <Button variant="outlined" autoFocus onClick={() => void onRestart()}>
          {fresh > 0 ? "Open the first" : skipped > 0 ? "Look at skipped reports" : "Look again"}
        </Button>
        <Button component={RouterLink} to={paths.reports}>
          All reports
        </Button>
      </EmptyNote>
    </Paper>
  );
}

type Empty = Extract<QueueView, { kind: "empty" }>;

function titleOf({ byOthers, fresh, concerning }: Empty): string {
  if (fresh > 0) return "New reports wait";
  if (byOthers > 0) return "Others have what is left";
  return concerning > 0 ? "Nothing is left for you" : "The queue is empty";
}

function sentenceOf({ byOthers, fresh, concerning }: Empty): string {
  if (fresh > 0) return `${counted(fresh, "report has", "reports have")} come to the queue.`;
  if (byOthers > 0)
    return `${counted(byOthers, "report is", "reports are")} with other moderators, for ${LEASE_MS / 60_000} minutes at most.`;
  if (concerning > 0)
    return `${counted(concerning, "report to decide is", "reports to decide are")} your own or about you. Another moderator must decide.`;
  return "No confirmed report waits for a decision.";
}
