import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useNotify } from "react-admin";
import type { ExportAsk, ExportFormat } from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ExportProgress } from "../../data/export-calls.ts";
import { counted } from "../formats.ts";
import { useProvider } from "../reads.ts";
import { saveFile } from "../save-file.ts";

interface ExportDialogProps {
  readonly ask: ExportAsk;
  readonly onClose: () => void;
}

/**
 * Asks for a format, then runs the export as long as it is shown: how many rows have come, a way to stop, and what
 * went wrong.
 */
export function ExportDialog({ ask, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>();
  const provider = useProvider();
  const notify = useNotify();
  const [progress, setProgress] = useState<ExportProgress>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins with the format, and with each attempt.
  useEffect(() => {
    if (!format) return;
    const ending = new AbortController();
    const run = async () => {
      try {
        const options = { signal: ending.signal, onProgress: setProgress };
        const { content, rows } = await provider.exportList(ask, format, options);
        if (ending.signal.aborted) return;
        saveFile(content, `${ask.list}-${new Date().toISOString().slice(0, 10)}.${format}`);
        notify(`Exported ${counted(rows, "row", "rows")}`, { type: "success" });
        onClose();
      } catch (caught) {
        if (!ending.signal.aborted) setError(caught);
      }
    };
    void run();
    return () => ending.abort();
  }, [format, attempt]);
  const again = () => {
    setError(undefined);
    setProgress(undefined);
    setAttempt(attempt + 1);
  };
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      aria-labelledby="export-title"
      // A press beside it does not end an export that runs.
      onClose={format ? undefined : onClose}
    >
      <DialogTitle id="export-title">
        {format ? `Export as ${format.toUpperCase()}` : "Export all matching rows"}
      </DialogTitle>
      <DialogContent>
        {!format ? (
          <Box sx={{ display: "grid", gap: 1 }}>
            <Button variant="outlined" autoFocus onClick={() => setFormat("csv")}>
              CSV, for spreadsheets
            </Button>
            <Button variant="outlined" onClick={() => setFormat("json")}>
              JSON, for programs
            </Button>
          </Box>
        ) : error === undefined ? (
          <>
            <Typography role="status" sx={{ mb: 1.5 }}>
              {progress
                ? `${progress.done.toLocaleString("en-US")} of ${counted(progress.total, "row", "rows")}`
                : "Counting rows"}
            </Typography>
            <LinearProgress aria-label="Exporting" {...barOf(progress)} />
          </>
        ) : (
          <Alert severity="error">Nothing was saved: {messageOf(error, "the export failed")}</Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{error === undefined ? "Cancel" : "Close"}</Button>
        {error !== undefined && (
          <Button variant="contained" onClick={again}>
            Try again
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function barOf(progress: ExportProgress | undefined) {
  if (!progress || progress.total === 0) return { variant: "indeterminate" as const };
  const value = Math.min(100, (100 * progress.done) / progress.total);
  return { variant: "determinate" as const, value };
}
