import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { BULK, isEnded, type JobStarted } from "#contracts/http/jobs.ts";
import type { TakenByOther } from "#contracts/http/queue.ts";
import { useOfferedFields } from "../commands/CommandDialog.tsx";
import { heldByText } from "../commands/labels.ts";
import { PAGE_COMMANDS, type Question } from "../commands/report-commands.ts";
import { paths } from "../config/paths.ts";
import { AskDialog } from "../shared/AskDialog.tsx";
import { counted, formatCount } from "../shared/formats.ts";
import { useProvider } from "../shared/reads.ts";
import { useJob } from "../shared/use-job.ts";
import {
  BULK_ACTIONS,
  type BulkActionName,
  lineText,
  ownReportsText,
  resultSentence,
  type SelectedReport,
} from "./labels.ts";

const LABELS = {
  reason_code: "Reason for all reports",
  reason: "Details for the reporters",
} as const;
const rejection: Question["fields"] = (now) =>
  PAGE_COMMANDS.reject.asks.fields(now).map((field) => ({ ...field, label: LABELS[field.source] }));

/**
 * Explains what happens to the selected reports, warns if other moderators have some of them, starts the job, and
 * shows its progress and the outcome for each report.
 */
export function BulkDialog(props: {
  readonly action: BulkActionName;
  readonly reports: readonly SelectedReport[];
  /** @param isBegun whether reports may have changed. */
  readonly onClose: (isBegun: boolean) => void;
}) {
  const { action: name, reports, onClose } = props;
  const action = BULK_ACTIONS[name];
  const provider = useProvider();
  const bulk = useJob(["reports", "audit-logs"]);
  const fields = useOfferedFields(action.asksReason && rejection);
  const [checking, setChecking] = useState(false);
  /** Reports claimed by other moderators; set only once some are found. */
  const [held, setHeld] = useState<readonly TakenByOther[]>();
  const title = action.confirm(counted(reports.length, "report", "reports"));
  const free = reports.filter(({ id }) => !held?.some(({ report_id }) => report_id === id));
  async function begin(answer: object, by: string) {
    if (!held) {
      setChecking(true);
      // Showing who has them is a courtesy: a failed read must not block the decision.
      const queue = await provider.queue().catch(() => undefined);
      setChecking(false);
      const ids = new Set(reports.map(({ id }) => id));
      const found = queue?.taken.filter(({ report_id }) => ids.has(report_id)) ?? [];
      if (found.length > 0) return setHeld(found);
    }
    const chosen = by === FREE ? free : reports;
    const body = {
      ...action.command,
      ...answer,
      reports: chosen.map(({ id, revision }) => ({ id, revision })),
    };
    await bulk.begin(() => provider.command<JobStarted>(BULK, body), "Nothing was changed");
  }
  if (bulk.isBegun)
    return (
      <BulkProgress title={title} bulk={bulk} reports={reports} onClose={() => onClose(true)} />
    );
  return (
    <AskDialog
      title={`${title}?`}
      consequence={[
        action.consequence(reports),
        "Reports changed by someone else in the meantime are skipped and listed at the end.",
        ownReportsText(reports),
      ]
        .filter(Boolean)
        .join("\n")}
      confirm={held ? action.confirm(`all ${reports.length}`) : title}
      another={
        held &&
        free.length > 0 && (
          <Button type="submit" value={FREE} variant="outlined" disabled={bulk.starting}>
            {action.confirm(`the other ${free.length}`)}
          </Button>
        )
      }
      fields={fields}
      running={checking || bulk.starting}
      failure={bulk.failure}
      onSend={(answer, _refuse, by) => void begin(answer, by)}
      onClose={() => onClose(false)}
    >
      {held && (
        <Alert severity="warning" role="alert">
          {heldByText(held)} Decide them anyway?
        </Alert>
      )}
    </AskDialog>
  );
}

/** Value of the button that leaves out reports claimed by other moderators. */
const FREE = "free";

function BulkProgress({
  title,
  bulk: { job, failure, stop },
  reports,
  onClose,
}: {
  readonly title: string;
  readonly bulk: ReturnType<typeof useJob>;
  readonly reports: readonly SelectedReport[];
  readonly onClose: () => void;
}) {
  const [stopping, setStopping] = useState(false);
  const total = job?.total ?? reports.length;
  const done = job?.done ?? 0;
  const isOver = job !== undefined && isEnded(job.state);
  const lines = job?.lines.filter(({ outcome }) => outcome !== "done") ?? [];
  const names = new Map(reports.map(({ id, name }) => [id, name]));
  const state = job?.state === "stopping" ? "Stopping" : "In progress";
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={isOver ? onClose : undefined}>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent>
        {!isOver && (
          <Box>
            <LinearProgress
              variant="determinate"
              value={(100 * done) / Math.max(1, total)}
              aria-label="Progress"
            />
            <Typography role="status" sx={{ mt: 1 }}>
              {state}: {formatCount(done)} of {formatCount(total)}
            </Typography>
            <Typography color="textSecondary">
              You can close this page; it keeps running. Stopping doesn't undo finished decisions.
            </Typography>
          </Box>
        )}
        {job && isOver && (
          <Alert
            role="status"
            severity={job.state === "done" && lines.length === 0 ? "success" : "warning"}
          >
            {resultSentence(job)}
          </Alert>
        )}
        {isOver && lines.length > 0 && (
          <Box sx={{ maxHeight: 320, overflow: "auto", mt: 2 }}>
            {/* Table heads elsewhere in the console stick below its bar; here this box scrolls. */}
            <Table size="small" sx={{ "& th": { top: 0 }, "& td": { py: 1 } }}>
              <TableHead>
                <TableRow>
                  <TableCell>Report</TableCell>
                  <TableCell>Why it wasn't changed</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {lines.map((line) => (
                  <TableRow key={line.number}>
                    <TableCell sx={{ overflowWrap: "anywhere" }}>
                      {line.target && (
                        <Link component={RouterLink} to={paths.report(line.target)}>
                          {names.get(line.target) ?? line.target}
                        </Link>
                      )}
                    </TableCell>
                    <TableCell>{lineText(line)}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </Box>
        )}
        {failure && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {failure}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        {isOver ? (
          <Button variant="contained" autoFocus onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button
            variant="outlined"
            loading={stopping || job?.state === "stopping"}
            onClick={() => {
              setStopping(true);
              void stop().finally(() => setStopping(false));
            }}
          >
            Stop
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
