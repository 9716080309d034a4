import TextField from "@mui/material/TextField";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { given } from "#contracts/given.ts";
import type { ListedDocument } from "#contracts/http/documents.ts";
import { DOCUMENT_DELETIONS, type DocumentDeletion } from "#contracts/report/evidence-rules.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FormDialog } from "../shared/FormDialog.tsx";
import { ReasonField } from "../shared/ReasonField.tsx";
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
        return provider.command(`/reports/${report.id}/evidence/${fileId}/delete`, body);
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
    <FormDialog
      title="Delete this document?"
      consequence={`The file is destroyed for good${
        published > 0 ? ", with its published pictures" : ""
      }: nobody can open it any more. The report stays. That you did it, and why, stays in its history.`}
      confirm="Delete for good"
      cancel="Keep it"
      isFinal
      running={isPending}
      failure={error ? messageOf(error, "It failed. Please try again.") : undefined}
      proof={proof.dialog}
      onSubmit={() => {
        setAsked(true);
        if (code && !isTextMissing) mutate();
      }}
      onClose={onClose}
    >
      <ReasonField
        label="Reason for the deletion"
        reasons={Object.entries(DOCUMENT_DELETIONS)}
        value={code}
        onChange={setCode}
        isMissing={asked && !code}
        help="Kept in the history"
      />
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
    </FormDialog>
  );
}
