import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import FormControlLabel from "@mui/material/FormControlLabel";
import Paper from "@mui/material/Paper";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useNotify } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { size } from "#theme/tokens.ts";
import { paths } from "../../config/paths.ts";
import { Instant } from "../../shared/Instant.tsx";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { waitingWords } from "../../shared/use-status-counts.ts";
import type { QueueReportProps } from "./QueueReport.tsx";
import { StatusLine } from "./StatusLine.tsx";
import type { Decisions } from "./use-decisions.tsx";

interface QueuePanelProps extends QueueReportProps {
  readonly decisions: Decisions;
  readonly shortcuts: {
    readonly enabled: boolean;
    readonly setEnabled: (enabled: boolean) => void;
  };
}

const wide = { minHeight: size.target, justifyContent: "space-between" } as const;

/** What can be done with a report of the queue, each with its key, and how many wait. */
export function QueuePanel({ report, until, work, decisions, shortcuts }: QueuePanelProps) {
  const { busy, offered, decide, buttonRef } = decisions;
  const hint = (key: string | undefined) =>
    key && shortcuts.enabled ? <KeyHint>{key}</KeyHint> : undefined;
  return (
    <Paper
      component="section"
      aria-label="Decision"
      sx={{ p: 2, border: 1, borderColor: "divider", display: "grid", gap: 1 }}
    >
      <Typography role="status" sx={{ fontWeight: 600 }}>
        {work.toDecide === undefined ? "" : waitingWords(work.toDecide, "to_decide")}
      </Typography>
      <StatusLine report={report} />
      <Lease key={until} until={until} keep={work.keep} />
      {offered.map((command, index) => (
        <Button
          key={command.label}
          ref={buttonRef(command)}
          variant={index === 0 ? "contained" : "outlined"}
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
      <Button
        variant="outlined"
        disabled={busy !== undefined}
        onClick={() => void work.skip()}
        endIcon={hint("S")}
        sx={wide}
      >
        Skip
      </Button>
      <Divider sx={{ my: 1 }} />
      <Button component={RouterLink} to={paths.report(report.id)} sx={wide}>
        The report's own page
      </Button>
      {shortcuts.enabled && (
        <Typography>
          <KeyHint>A</KeyHint> then <KeyHint>Enter</KeyHint> approves. <KeyHint>R</KeyHint>, a
          reason's number and <KeyHint>Enter</KeyHint> rejects.
        </Typography>
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

/** Until when nobody else gets the report. It is not kept by itself: the moderator may be gone. */
function Lease({ until, keep }: { readonly until: string; readonly keep: () => Promise<boolean> }) {
  const notify = useNotify();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), Date.parse(until) - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  if (!isOver)
    return (
      <Typography color="textSecondary">
        Yours until <Instant at={until} as="clock" />.
      </Typography>
    );
  return (
    <Box>
      <Alert
        severity="warning"
        icon={false}
        action={
          <Button
            onClick={async () => {
              const kept = await keep().catch(() => false);
              if (!kept) notify("Another moderator has this report now", { type: "warning" });
            }}
          >
            Keep it
          </Button>
        }
      >
        Others can take it now.
      </Alert>
    </Box>
  );
}
