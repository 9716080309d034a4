import type { ListedDocument } from "#contracts/http/documents.ts";
import { DOCUMENT_DELETIONS } from "#contracts/report/evidence-rules.ts";
import { AskDialog, type Typed } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { useSending } from "../shared/use-sending.ts";

const fields = ({ reason_code }: Typed): readonly FormField[] => [
  {
    source: "reason_code",
    label: "Reason for the deletion",
    choices: DOCUMENT_DELETIONS,
    help: "Kept in the history",
    needs: "Choose a reason",
  },
  {
    source: "reason",
    label: reason_code === "other" ? "Details" : "Details (optional)",
    isLong: true,
    max: 1000,
    help: "For the history",
    needs: reason_code === "other" ? "Enter the details" : undefined,
  },
];

/** Asks why before a document is deleted for good. */
export function DeleteDialog({
  document: { report, file_id: fileId, published },
  onClose,
}: {
  readonly document: ListedDocument;
  readonly onClose: () => void;
}) {
  const path = `/reports/${report.id}/evidence/${fileId}/delete`;
  const { mutate, isPending, failure, dialog } = useSending(
    (provider, typed: Typed) => provider.command(path, typed),
    {
      again: ["documents", "reports"],
      tells: "success",
      failed: "Couldn't delete the document. Try again.",
      onDone: onClose,
      isReadFirst: true,
    },
  );
  return (
    <AskDialog
      title="Delete this document?"
      consequence={`The file ${published > 0 ? "and its published pictures " : ""}will be permanently deleted. The report stays, and its history records who deleted the file and why.`}
      confirm="Delete permanently"
      cancel="Keep it"
      isFinal
      fields={fields}
      running={isPending}
      failure={failure}
      proof={dialog}
      onSend={(typed) => mutate(typed)}
      onClose={onClose}
    />
  );
}
