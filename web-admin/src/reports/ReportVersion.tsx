import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Paper from "@mui/material/Paper";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useCanAccess } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { maskBody, PAGE_COMMANDS, RESTORE } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import type { ReportHistory } from "../data/console-data-provider.ts";
import { historyDays, type Sentence } from "../record/history-sentences.ts";
import { useReport } from "../record/OpenReport.tsx";
import { currencyOf, RecordView, SideBySide, type SideBySideRow } from "../record/RecordView.tsx";
import type { ShownReport } from "../record/record-fields.ts";
import { FormDialog } from "../shared/AskDialog.tsx";
import { fieldLabel, valueText } from "../shared/labels.ts";
import { Section } from "../shared/page.tsx";
import { Instant, KeyHint, StatusChip } from "../shared/parts.tsx";
import { useShortcuts } from "../shared/use-shortcuts.ts";

const NONE = "none";

interface VersionProps {
  readonly history: ReportHistory;
  readonly at: number;
  readonly against: number | undefined;
}

/**
 * The report as of one revision, with links to the previous and next one, a comparison with another one, and an
 * option to restore it.
 */
export function ReportVersion({ history, at, against }: VersionProps) {
  const { canAccess: mayEdit } = useCanAccess({ resource: "reports", action: "edit" });
  const navigate = useNavigate();
  const lines = historyDays(history).flatMap((day) => day.lines);
  const line = lines.find(({ entry }) => entry?.revision === at);
  const last = Math.max(...history.events.map(({ revision }) => revision));
  const report = history.report as ShownReport | null | undefined;
  if (!line?.entry) {
    return (
      <Alert severity="warning" action={<BackToHistory />}>
        This report has no revision {at}.
      </Alert>
    );
  }
  const step = (words: string, to: number) => (
    <Button
      variant="outlined"
      {...(to < 0 || to > last
        ? { disabled: true }
        : { component: RouterLink, to: `?at=${to}`, replace: true })}
    >
      {words}
    </Button>
  );
  return (
    <>
      <Paper sx={{ p: 2, mb: 2, border: 1, borderColor: "divider" }}>
        <Typography variant="h2">
          Version from <Instant at={line.at} />
        </Typography>
        <Typography sx={{ overflowWrap: "anywhere" }}>
          After revision {at} of {last}: {line.sentences.map(({ text }) => text).join("; ")}
        </Typography>
        <Box sx={{ ...ROW, alignItems: "center", my: 1 }}>
          <StatusChip status={line.entry.status} />
          <Typography component="span" color="textSecondary">
            Email verified: {valueText("verified", line.entry.verified).toLowerCase()}
          </Typography>
        </Box>
        <Box sx={ROW}>
          {step("Previous", at - 1)}
          {step("Next", at + 1)}
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
              <MenuItem value={NONE}>None</MenuItem>
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
          <Comparison history={history} at={at} against={against} />
        </Box>
      )}
      {report ? (
        <Paper sx={{ border: 1, borderColor: "divider" }}>
          <RecordView report={report} />
        </Paper>
      ) : (
        <Typography>This version was erased.</Typography>
      )}
    </>
  );
}

const ROW = { display: "flex", gap: 1, flexWrap: "wrap" } as const;

function versionText(revision: number, [first, ...more]: readonly Sentence[]): string {
  return `Revision ${revision}: ${first?.text ?? ""}${more.length > 0 ? ", …" : ""}`;
}

function BackToHistory() {
  return (
    <Button component={RouterLink} to="?">
      Full history
    </Button>
  );
}

function Comparison({ history, at, against }: VersionProps & { readonly against: number }) {
  const [left, right] = [Math.min(at, against), Math.max(at, against)];
  const currency = currencyOf((history.report ?? {}) as ShownReport);
  const title = `Differences between revisions ${left} and ${right}`;
  const rows = (history.difference ?? []).map(({ field, from, to, hidden }): SideBySideRow => {
    const label = fieldLabel(field);
    const changed = history.erased ? "Changed, since erased" : "Changed, hidden";
    if (hidden) return { label, cells: [changed], mark: "kept" };
    const cells = [from, to].map((value) => comparedText(field, value, currency));
    return { label, cells: against < at ? cells : cells.toReversed() };
  });
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Typography>No differences.</Typography>
      ) : (
        <SideBySide label={title} columns={[`Revision ${left}`, `Revision ${right}`]} rows={rows} />
      )}
    </Section>
  );
}

const { mask } = PAGE_COMMANDS;

/**
 * Restores a version of the report after confirmation. Masks the selected text of that version, or everything in it
 * that looks private. Shown only once it is known that the report does not concern the moderator.
 */
function VersionActions(props: {
  readonly id: string;
  readonly at: number;
  /** Whether it is the current version, which can't be restored. */
  readonly isLast: boolean;
  /** The report as of the revision; absent if it was erased. */
  readonly shown: ShownReport | null | undefined;
}) {
  const { id, at, isLast, shown } = props;
  const [asks, setAsks] = useState(false);
  const navigate = useNavigate();
  const sender = useCommand(id);
  const { data: report } = useReport(id);
  const running = sender.running !== undefined;
  const isOffered = report !== undefined && !report.own;
  const send = () => {
    const body = maskBody({ ...shown, revision: at }, window.getSelection()?.toString() ?? "");
    void sender.run(mask, body);
  };
  const shortcuts = useShortcuts(
    isOffered && shown && !running ? { [mask.key.toLowerCase()]: send } : {},
  );
  const restore = async () => {
    if (await sender.run(RESTORE, { revision: at })) navigate("?");
  };
  if (report?.own && !isLast) return <Typography color="textSecondary">{OWN_REPORT}</Typography>;
  if (!isOffered) return null;
  return (
    <>
      {!isLast && (
        <Button variant="outlined" onClick={() => setAsks(true)}>
          Restore this version…
        </Button>
      )}
      {shown && (
        <Button
          variant="outlined"
          loading={sender.running === mask}
          onClick={send}
          aria-keyshortcuts={shortcuts.enabled ? mask.key : undefined}
          endIcon={shortcuts.enabled && <KeyHint>{mask.key}</KeyHint>}
        >
          {mask.label}
        </Button>
      )}
      {asks && (
        <FormDialog
          title={`Restore revision ${at}?`}
          consequence={`Restores the text of revision ${at}, also on the public page. The status, the verification and the reporter's address stay as they are. The current text stays in the history and can be restored too.`}
          confirm="Restore version"
          running={running}
          failure={sender.failure}
          onSubmit={() => void restore()}
          onClose={() => {
            setAsks(false);
            sender.reset();
          }}
        />
      )}
    </>
  );
}

/** Formats a value of one version. A list gets one line per entry, since two lists of the same length may differ. */
export function comparedText(field: string, value: unknown, currency: string): string {
  if (!Array.isArray(value) || value.length === 0) return valueText(field, value, currency);
  return value.map((item, i) => `${i + 1}. ${entryText(item, currency)}`).join("\n");
}

function entryText(item: unknown, currency: string): string {
  if (typeof item !== "object" || item === null) return valueText("", item, currency);
  return Object.entries(item)
    .map(([field, value]) => `${fieldLabel(field)}: ${valueText(field, value, currency)}`)
    .join(", ");
}
