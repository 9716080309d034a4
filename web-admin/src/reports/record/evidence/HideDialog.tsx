import TextField from "@mui/material/TextField";
import { useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import { FormDialog } from "../../../shared/FormDialog.tsx";
import { useEvidence } from "./use-evidence.tsx";

/** Asks before a published picture is taken away for good. */
export function HideDialog({
  reportId,
  copy,
  onClose,
}: {
  readonly reportId: string;
  readonly copy: ReportFile["copies"][number];
  readonly onClose: () => void;
}) {
  const evidence = useEvidence(reportId);
  const [reason, setReason] = useState("");
  const hide = async () => {
    if (await evidence.hide(copy.copy_id, reason.trim() || undefined)) onClose();
  };
  return (
    <FormDialog
      title="Hide the published picture?"
      consequence="Nobody can see it any more, at once and for good. The file stays: it can be published again as another picture."
      confirm="Hide picture"
      cancel="Keep it"
      isFinal
      running={evidence.running}
      failure={evidence.failure}
      proof={evidence.dialog}
      onSubmit={() => void hide()}
      onClose={onClose}
    >
      <TextField
        fullWidth
        autoFocus
        multiline
        minRows={2}
        label="Reason, for the history"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 1000 } }}
      />
    </FormDialog>
  );
}
