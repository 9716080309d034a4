import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import FormControlLabel from "@mui/material/FormControlLabel";
import Paper from "@mui/material/Paper";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import type { RefObject } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../../config/paths.ts";
import { KeyHint } from "../../shared/KeyHint.tsx";
import type { NextPending } from "../../shared/use-next-pending.ts";
import { waitingWords } from "../../shared/use-status-counts.ts";
import { isOpen } from "../commands/is-open.ts";
import { StatusLine } from "./StatusLine.tsx";
import type { Decisions } from "./use-decisions.tsx";

export interface DecisionPanelProps {
  readonly report: AdminReportDetail;
  readonly decisions: Decisions;
  /** Undefined while it loads. */
  readonly queue: NextPending | undefined;
  readonly nextButton: RefObject<HTMLAnchorElement | null>;
  readonly shortcuts: {
    readonly enabled: boolean;
    readonly setEnabled: (enabled: boolean) => void;
  };
}

const wide = { minHeight: size.target, justifyContent: "space-between" } as const;

/** Status, decisions and a link to the next report. It stays visible beside the record. */
export function DecisionPanel(props: DecisionPanelProps) {
  const { report, decisions, queue, nextButton, shortcuts } = props;
  const { busy, offered, apart, decide, buttonRef } = decisions;
  const open = isOpen(report.status);
  const hint = (key: string | undefined) =>
    key && shortcuts.enabled ? <KeyHint>{key}</KeyHint> : undefined;
  return (
    <Paper
      component="section"
      aria-label="Decision"
      sx={{ p: 2, border: 1, borderColor: "divider", display: "grid", gap: 1 }}
    >
      <Box sx={{ mb: 1 }}>
        <StatusLine report={report} />
      </Box>
      {offered.map((command, index) => (
        <Button
          key={command.label}
          ref={buttonRef(command)}
          variant={index === 0 && open ? "contained" : "outlined"}
          disabled={busy !== undefined}
          loading={busy === command}
          loadingPosition="end"
          onClick={() => decide(command)}
          endIcon={hint(command.key)}
          sx={wide}
        >
          {command.label}
        </Button>
      ))}
      {!report.own && <Divider sx={{ my: 1 }} />}
      {!report.own && (
        <Button
          component={RouterLink}
          to={paths.reportEdit(report.id)}
          endIcon={hint("E")}
          sx={wide}
        >
          Edit
        </Button>
      )}
      <Button
        component={RouterLink}
        to={paths.reportHistory(report.id)}
        endIcon={hint("H")}
        sx={wide}
      >
        History
      </Button>
      {report.status === "approved" && report.seo_title && (
        <Button href={`/report/${encodeURIComponent(report.seo_title)}`} sx={wide}>
          Public page
        </Button>
      )}
      {apart.map((command) => (
        <Button
          key={command.label}
          color="warning"
          disabled={busy !== undefined}
          onClick={() => decide(command)}
          endIcon={hint(command.key)}
          sx={wide}
        >
          {command.label}
        </Button>
      ))}
      <Divider sx={{ my: 1 }} />
      {queue?.nextId && (
        <Button
          ref={nextButton}
          component={RouterLink}
          to={paths.report(queue.nextId)}
          variant={open ? "text" : "contained"}
          endIcon={hint("N")}
          sx={wide}
        >
          Next report ({waitingWords(queue.to_decide, "to_decide")})
        </Button>
      )}
      {queue && !queue.nextId && (
        <Typography color="textSecondary">No other report is free for you to decide.</Typography>
      )}
      <FormControlLabel
        control={
          <Switch
            size="small"
            checked={shortcuts.enabled}
            onChange={(_event, enabled) => shortcuts.setEnabled(enabled)}
          />
        }
        label="Keyboard shortcuts"
        sx={{ m: 0, gap: 1, color: "text.secondary", minHeight: size.target }}
      />
    </Paper>
  );
}
