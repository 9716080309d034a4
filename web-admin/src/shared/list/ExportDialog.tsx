import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNotify } from "react-admin";
import type { ExportAsk, ExportFormat } from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ExportProgress } from "../../data/export-calls.ts";
import { Dialog } from "../Dialog.tsx";
import { counted } from "../formats.ts";
import { useProvider } from "../reads.ts";
import { saveFile } from "../save-file.ts";
import { Failure } from "../states.tsx";

interface ExportDialogProps {
  readonly ask: ExportAsk;
  readonly onClose: () => void;
}

/**
 * Asks for a format, then runs the export while it is open: shows the number of rows, a cancel button, and errors.
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
      title={format ? `Export as ${format.toUpperCase()}` : "Export all matching rows"}
      maxWidth="xs"
      // A click on the backdrop doesn't cancel a running export.
      onClose={format ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose}>{error ? "Close" : "Cancel"}</Button>
          {error && format && (
            <Button variant="contained" onClick={() => begin(format)}>
              Try again
            </Button>
          )}
        </>
      }
    >
      {!format && (
        <>
          <Button variant="outlined" autoFocus onClick={() => begin("csv")}>
            CSV, for spreadsheets
          </Button>
          <Button variant="outlined" onClick={() => begin("json")}>
            JSON, for programs
          </Button>
        </>
      )}
      {format && !error && (
        <>
          <Typography role="status">
            {progress
              ? `${progress.done.toLocaleString("en-US")} of ${counted(progress.total, "row", "rows")}`
              : "Counting rows"}
          </Typography>
          <LinearProgress aria-label="Exporting" {...barOf(progress)} />
        </>
      )}
      {error && <Failure>Nothing was saved: {messageOf(error, "the export failed")}</Failure>}
    </Dialog>
  );
}

function barOf({ done, total }: ExportProgress = { done: 0, total: 0 }) {
  return total > 0
    ? ({ variant: "determinate", value: Math.min(100, (100 * done) / total) } as const)
    : {};
}
