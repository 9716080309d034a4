import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
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
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { BULK, isEnded, type Job, type JobStarted } from "#contracts/http/jobs.ts";
import { moderation } from "#contracts/http/moderation.ts";
import type { TakenByOther } from "#contracts/http/queue.ts";
import { paths } from "../../config/paths.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { counted, formatCount } from "../../shared/formats.ts";
import { useJob } from "../../shared/use-job.ts";
import { useProof } from "../../shared/use-proof.tsx";
import { heldWords } from "../commands/labels.ts";
import { PAGE_COMMANDS } from "../commands/report-commands.ts";
import { useAnswer } from "../commands/StepDialog.tsx";
import {
  BULK_ACTIONS,
  type BulkActionName,
  lineWords,
  ownWords,
  resultSentence,
  type SelectedReport,
} from "./bulk-words.ts";

const { choice, text } = PAGE_COMMANDS.reject.asks;
const REASONS = {
  choice: { ...choice, label: "Reason for all reports" },
  text: { ...text, label: "Details for the reporters" },
} as const;

/**
 * Says what follows for the selected reports, asks where other moderators have some of them, begins it, and shows how
 * far it is and what became of each.
 */
export function BulkDialog({
  action: name,
  reports,
  onClose,
}: {
  readonly action: BulkActionName;
  readonly reports: readonly SelectedReport[];
  /** @param isBegun whether reports may have changed. */
  readonly onClose: (isBegun: boolean) => void;
}) {
  const action = BULK_ACTIONS[name];
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const bulk = useJob(["reports", "audit-logs"]);
  const { fields, answer, press } = useAnswer(action.asksReason ? REASONS : {}, {
    body: moderation("reject").body,
  });
  const [stopping, setStopping] = useState(false);
  const [checking, setChecking] = useState(false);
  /** Those that others have, once it is known that there are some. */
  const [held, setHeld] = useState<readonly TakenByOther[]>();
  const { job, isBegun } = bulk;
  const isOver = job !== undefined && isEnded(job.state);
  const count = counted(reports.length, "report", "reports");
  const others = new Set(held?.map(({ report_id }) => report_id));
  const free = reports.filter(({ id }) => !others.has(id));
  const start = async (chosen: readonly SelectedReport[], answered = answer()) => {
    if (!answered) return;
    const body = {
      ...action.command,
      ...answered,
      reports: chosen.map(({ id, revision }) => ({ id, revision })),
    };
    await bulk.begin(
      () => proof.run(() => provider.command<JobStarted>(BULK, body)),
      "Nothing was changed",
    );
  };
  const begin = async () => {
    const answered = answer();
    if (!answered) return;
    if (!held) {
      setChecking(true);
      // Who has them is a courtesy: a decision does not fail because that cannot be read.
      const queue = await provider.queue().catch(() => undefined);
      setChecking(false);
      const ids = new Set(reports.map(({ id }) => id));
      const found = queue?.taken.filter(({ report_id }) => ids.has(report_id)) ?? [];
      if (found.length > 0) return setHeld(found);
    }
    await start(reports, answered);
  };
  const own = ownWords(reports);
  const isLeavable = !bulk.starting && (!isBegun || isOver);
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      onClose={isLeavable ? () => onClose(isBegun) : undefined}
      aria-labelledby="bulk-title"
    >
      <form
        noValidate
        onKeyDown={(event) => press(event, () => undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <DialogTitle id="bulk-title">
          {action.confirm(count)}
          {!isBegun && "?"}
        </DialogTitle>
        <DialogContent>
          {!isBegun && (
            <>
              <DialogContentText>{action.consequence(reports)}</DialogContentText>
              <DialogContentText sx={{ mt: 1 }}>
                Reports changed by someone else in the meantime are skipped and listed at the end.
              </DialogContentText>
              {own && <DialogContentText sx={{ mt: 1 }}>{own}</DialogContentText>}
              {fields.length > 0 && <Box sx={{ display: "grid", gap: 2, mt: 2 }}>{fields}</Box>}
            </>
          )}
          {!isBegun && held && (
            <Alert severity="warning" role="alert" sx={{ mt: 2 }}>
              {heldWords(held)} Decide them anyway?
            </Alert>
          )}
          {isBegun && <BulkProgress job={job} reports={reports} done={action.done} />}
          {bulk.failure && (
            <Alert severity="error" sx={{ mt: 2 }}>
              {bulk.failure}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2, flexWrap: "wrap", rowGap: 1 }}>
          {!isBegun && (
            <>
              <Button onClick={() => onClose(false)} disabled={bulk.starting}>
                Cancel
              </Button>
              {held && free.length > 0 && (
                <Button
                  variant="outlined"
                  disabled={bulk.starting}
                  onClick={() => void start(free)}
                >
                  {action.confirm(`the other ${free.length}`)}
                </Button>
              )}
              <Button type="submit" variant="contained" loading={checking || bulk.starting}>
                {action.confirm(held ? `all ${reports.length}` : count)}
              </Button>
            </>
          )}
          {isBegun && !isOver && (
            <Button
              variant="outlined"
              loading={stopping || job?.state === "stopping"}
              onClick={() => {
                setStopping(true);
                void bulk.stop().finally(() => setStopping(false));
              }}
            >
              Stop
            </Button>
          )}
          {isOver && (
            <Button variant="contained" autoFocus onClick={() => onClose(true)}>
              Close
            </Button>
          )}
        </DialogActions>
      </form>
      {proof.dialog}
    </Dialog>
  );
}

/** How far a bulk decision is; at its end, which reports it has left as they were, and why. */
function BulkProgress({
  job,
  reports,
  done: word,
}: {
  /** Undefined before the first look. */
  readonly job: Job | undefined;
  readonly reports: readonly SelectedReport[];
  /** What became of those that it has changed. */
  readonly done: string;
}) {
  const total = job?.total ?? reports.length;
  const done = job?.done ?? 0;
  const isOver = job !== undefined && isEnded(job.state);
  const lines = job?.lines.filter(({ outcome }) => outcome !== "done") ?? [];
  const names = new Map(reports.map(({ id, name }) => [id, name]));
  const state = job?.state === "stopping" ? "Stopping" : "In progress";
  return (
    <>
      {!isOver && (
        <Box>
          <LinearProgress
            variant="determinate"
            value={(100 * done) / Math.max(1, total)}
            aria-label="Progress"
          />
          <Typography role="status" sx={{ mt: 1, fontVariantNumeric: "tabular-nums" }}>
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
          {/* The heads of the console's tables stop below its bar; here the box is what scrolls. */}
          <Table size="small" sx={{ "& th": { top: 0 } }}>
            <TableHead>
              <TableRow>
                <TableCell>Report</TableCell>
                <TableCell>Reason it wasn't {word.toLowerCase()}</TableCell>
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
                  <TableCell>{lineWords(line)}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </>
  );
}
