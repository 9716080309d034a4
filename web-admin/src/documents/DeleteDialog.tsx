import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogContentText from "@mui/material/DialogContentText";
import DialogTitle from "@mui/material/DialogTitle";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { given } from "#contracts/given.ts";
import type { ListedDocument } from "#contracts/http/documents.ts";
import { DOCUMENT_DELETIONS, type DocumentDeletion } from "#contracts/report/evidence-rules.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useProof } from "../shared/use-proof.tsx";

/** Asks why before a document is deleted for good. */
export function DeleteDialog({
  document: { report, file_id: fileId, published },
  onClose,
}: {
  readonly document: ListedDocument;
  readonly onClose: () => void;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const text = reason.trim() || undefined;
  const isTextMissing = code === "other" && !text;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      proof.run(async () => {
        const body = { reason_code: code as DocumentDeletion, ...given({ reason: text }) };
        return { message: await provider.deleteDocument(report.id, fileId, body) };
      }),
    onSuccess: async (done) => {
      if (!done) return;
      await Promise.all(
        ["documents", "reports"].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
      );
      notify(done.message ?? "Document deleted", { type: "success" });
      onClose();
    },
  });
  return (
    <Dialog open onClose={isPending ? undefined : onClose} maxWidth="sm" fullWidth>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (code && !isTextMissing) mutate();
        }}
      >
        <DialogTitle>Delete this document?</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <DialogContentText>
            The file is destroyed for good
            {published > 0 ? ", with its published pictures" : ""}: nobody can open it any more. The
            report stays. That you did it, and why, stays in its history.
          </DialogContentText>
          <TextField
            select
            fullWidth
            autoFocus
            label="Reason for the deletion"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            error={asked && !code}
            helperText={asked && !code ? "Choose a reason" : "Kept in the history"}
          >
            {Object.entries(DOCUMENT_DELETIONS).map(([value, words]) => (
              <MenuItem key={value} value={value}>
                {words}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            fullWidth
            multiline
            minRows={2}
            label={code === "other" ? "In words" : "In words, if need be"}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            error={asked && isTextMissing}
            helperText={asked && isTextMissing ? "Say why" : "For the history"}
            slotProps={{ htmlInput: { maxLength: 1000 } }}
          />
          {error && (
            <Alert severity="error">{messageOf(error, "It failed. Please try again.")}</Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ p: 2 }}>
          <Button onClick={onClose} disabled={isPending}>
            Keep it
          </Button>
          <Button type="submit" variant="contained" color="warning" loading={isPending}>
            Delete for good
          </Button>
        </DialogActions>
      </form>
      {proof.dialog}
    </Dialog>
  );
}
