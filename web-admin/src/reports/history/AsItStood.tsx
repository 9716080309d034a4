import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Paper from "@mui/material/Paper";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useCanAccess } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { ReportHistory } from "../../data/console-data-provider.ts";
import { Instant } from "../../shared/Instant.tsx";
import { valueText } from "../../shared/labels.ts";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { historyDays, type Sentence } from "../record/history-sentences.ts";
import { RecordView } from "../record/RecordView.tsx";
import type { ShownReport } from "../record/record-fields.ts";
import { Comparison } from "./Comparison.tsx";
import { VersionActions } from "./VersionActions.tsx";

const NONE = "none";

export interface AsItStoodProps {
  readonly history: ReportHistory;
  readonly at: number;
  /** The revision that it is compared with. */
  readonly against: number | undefined;
}

/**
 * The report as of one revision, with links to the previous and the next one, what differs from another
 * one, and the way back to it.
 */
export function AsItStood({ history, at, against }: AsItStoodProps) {
  const { canAccess: mayEdit } = useCanAccess({ resource: "reports", action: "edit" });
  const navigate = useNavigate();
  const lines = historyDays(history).flatMap((day) => day.lines);
  const line = lines.find(({ entry }) => entry?.revision === at);
  const last = Math.max(...history.events.map(({ revision }) => revision));
  const report = isRecord(history.report) ? history.report : undefined;
  if (!line?.entry) {
    return (
      <Alert severity="warning" action={<BackToHistory />}>
        This report has no revision {at}.
      </Alert>
    );
  }
  return (
    <>
      <Paper sx={{ p: 2, mb: 2, border: 1, borderColor: "divider" }}>
        <Typography variant="h2">
          As it stood on <Instant at={line.at} />
        </Typography>
        <Typography sx={{ overflowWrap: "anywhere" }}>
          After revision {at} of {last}: {line.sentences.map(({ text }) => text).join("; ")}
        </Typography>
        <Box sx={{ display: "flex", gap: 1, alignItems: "center", my: 1 }}>
          <StatusChip status={line.entry.status} />
          <Typography component="span" color="textSecondary">
            Email verified: {valueText("verified", line.entry.verified).toLowerCase()}
          </Typography>
        </Box>
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          <Step to={at - 1} enabled={at > 0}>
            Earlier
          </Step>
          <Step to={at + 1} enabled={at < last}>
            Later
          </Step>
          <BackToHistory />
          {mayEdit && !history.erased && (
            <VersionActions
              key={at}
              id={history.report_id}
              at={at}
              isLast={at >= last}
              shown={report}
            />
          )}
        </Box>
        {last > 0 && (
          <Box sx={{ display: "flex", maxWidth: 480, mt: 2 }}>
            <TextField
              select
              fullWidth
              label="Compare with"
              value={against === undefined ? NONE : String(against)}
              onChange={({ target: { value } }) =>
                navigate(value === NONE ? `?at=${at}` : `?at=${at}&against=${value}`, {
                  replace: true,
                })
              }
            >
              <MenuItem value={NONE}>No other version</MenuItem>
              {lines.flatMap(({ entry, sentences }) =>
                entry && entry.revision !== at
                  ? [
                      <MenuItem key={entry.revision} value={String(entry.revision)}>
                        {versionText(entry.revision, sentences)}
                      </MenuItem>,
                    ]
                  : [],
              )}
            </TextField>
          </Box>
        )}
      </Paper>
      {against !== undefined && history.difference && (
        <Box sx={{ mb: 2 }}>
          <Comparison history={history} difference={history.difference} at={at} against={against} />
        </Box>
      )}
      {report ? (
        <Paper sx={{ border: 1, borderColor: "divider" }}>
          <RecordView report={report} />
        </Paper>
      ) : (
        <Typography>Nothing of it is left.</Typography>
      )}
    </>
  );
}

function versionText(revision: number, sentences: readonly Sentence[]): string {
  const [first] = sentences;
  const more = sentences.length > 1 ? ", …" : "";
  return `Revision ${revision}: ${first?.text ?? ""}${more}`;
}

function BackToHistory() {
  return (
    <Button component={RouterLink} to="?">
      Whole history
    </Button>
  );
}

function Step({ to, enabled, children }: { to: number; enabled: boolean; children: string }) {
  return enabled ? (
    <Button variant="outlined" component={RouterLink} to={`?at=${to}`} replace>
      {children}
    </Button>
  ) : (
    <Button variant="outlined" disabled>
      {children}
    </Button>
  );
}

function isRecord(value: unknown): value is ShownReport {
  return typeof value === "object" && value !== null;
}
