import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
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
  const provider = useProvider();
  const notify = useNotify();
  const [progress, setProgress] = useState<ExportProgress>();
  const ending = useRef<AbortController>(undefined);
  const {
    mutate,
    variables: format,
    error,
  } = useMutation({
    async mutationFn(as: ExportFormat) {
      ending.current = new AbortController();
      setProgress(undefined);
      const options = { signal: ending.current.signal, onProgress: setProgress };
      return provider.exportList(ask, as, options);
    },
    networkMode: "always",
  });
  useEffect(() => () => ending.current?.abort(), []);
  const begin = (as: ExportFormat) =>
    mutate(as, {
      onSuccess({ content, rows }) {
        saveFile(content, `${ask.list}-${new Date().toISOString().slice(0, 10)}.${as}`);
        notify(`Exported ${counted(rows, "row", "rows")}`, { type: "success" });
        onClose();
      },
    });
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
            <Button variant="outlined" autoFocus onClick={() => begin("csv")}>
              CSV, for spreadsheets
            </Button>
            <Button variant="outlined" onClick={() => begin("json")}>
              JSON, for programs
            </Button>
          </Box>
        ) : error === null ? (
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
        <Button onClick={onClose}>{error ? "Close" : "Cancel"}</Button>
        {error && format && (
          <Button variant="contained" onClick={() => begin(format)}>
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
