import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { isEnded, type Job } from "#contracts/http/jobs.ts";
import { paths } from "../../config/paths.ts";
import { formatCount } from "../../shared/formats.ts";
import { lineWords, resultSentence, type SelectedReport } from "./bulk-words.ts";

/** How far a bulk decision is; at its end, which reports it has left as they were, and why. */
export function BulkProgress({
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
