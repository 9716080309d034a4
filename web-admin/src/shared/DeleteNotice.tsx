import Button from "@mui/material/Button";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { ListedNotice } from "#contracts/http/admin-notices.ts";
import {
  ENDED_NOTICES,
  NOTICE_DELETIONS,
  type NoticeDeletion,
} from "#contracts/notice/notice-rules.ts";
import { isOutdated, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FormDialog } from "./FormDialog.tsx";
import { ReasonField } from "./ReasonField.tsx";
import { useProof } from "./use-proof.tsx";

type Deletable = Pick<ListedNotice, "id" | "number" | "revision" | "status">;

/** The button that deletes a notice; nothing before it has ended. */
export function DeleteNotice({
  notice,
  onDeleted,
}: {
  readonly notice: Deletable;
  readonly onDeleted?: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!ENDED_NOTICES.includes(notice.status)) return null;
  return (
    <>
      <Button
        color="warning"
        aria-label={`Delete ${notice.number}`}
        onClick={() => setOpen(true)}
        sx={{ justifySelf: "start" }}
      >
        Delete…
      </Button>
      {isOpen && (
        <DeleteDialog notice={notice} onDeleted={onDeleted} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Asks why before what was sent is erased for good. */
function DeleteDialog({
  notice: { id, number, revision },
  onDeleted,
  onClose,
}: {
  readonly notice: Deletable;
  readonly onDeleted: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const proof = useProof();
  const [code, setCode] = useState("");
  const [isAsked, setAsked] = useState(false);
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ["notices"] });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      proof.run(async () => {
        const body = { reason_code: code as NoticeDeletion, revision };
        return { message: await provider.decideNotice(id, { name: "delete", body }) };
      }),
    async onSuccess(done) {
      if (!done) return;
      notify(done.message ?? "Notice deleted", { type: "success" });
      onClose();
      onDeleted?.();
      await readAgain();
    },
    async onError(failure) {
      if (isOutdated(failure)) await readAgain();
    },
  });
  return (
    <FormDialog
      title={`Delete ${number}?`}
      consequence="Permanently erases what was sent, and its notes. Decisions stay in force. The audit log keeps that you deleted it, and why."
      confirm="Delete for good"
      cancel="Keep it"
      isFinal
      running={isPending}
      failure={error ? messageOf(error, "It failed. Please try again.") : undefined}
      proof={proof.dialog}
      onSubmit={() => {
        setAsked(true);
        if (code) mutate();
      }}
      onClose={onClose}
    >
      <ReasonField
        label="Reason for the deletion"
        reasons={Object.entries(NOTICE_DELETIONS)}
        value={code}
        onChange={setCode}
        isMissing={isAsked && !code}
        help="Kept in the audit log"
      />
    </FormDialog>
  );
}
