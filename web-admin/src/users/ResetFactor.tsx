import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useGetIdentity, useNotify } from "react-admin";
import type { UserRecord } from "#contracts/http/users.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FormDialog } from "../shared/FormDialog.tsx";
import { useProof } from "../shared/use-proof.tsx";

/** Switches another account's second factor off. */
export function ResetFactor({ user }: { readonly user: UserRecord }) {
  const { identity } = useGetIdentity();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [isOpen, setIsOpen] = useState(false);
  // Whoever is signed in switches their own off on the site.
  const isOwn = !identity || identity.id === user.id;
  const isShut = user.status === "deactivated" && !user.waiting;
  if (!user.two_factor || isShut || isOwn) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setIsOpen(true)} sx={{ justifySelf: "start" }}>
        Reset second factor
      </Button>
      {isOpen && (
        <FactorResetDialog
          user={user}
          onClose={(said) => {
            setIsOpen(false);
            if (!said) return;
            notify(said, { type: "success" });
            void queryClient.invalidateQueries({ queryKey: ["users"] });
          }}
        />
      )}
    </>
  );
}

function FactorResetDialog(props: {
  readonly user: UserRecord;
  /** With the server's sentence once it is done, without one when it is given up. */
  readonly onClose: (said?: string) => void;
}) {
  const { user, onClose } = props;
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email;
  const needsCode = user.role === "admin";
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const [reason, setReason] = useState("");
  const [code, setCode] = useState("");
  const [asked, setAsked] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const missing = {
    reason: asked && !reason.trim(),
    code: asked && needsCode && code.trim().length < 6,
  };

  async function reset() {
    setAsked(true);
    if (!reason.trim() || (needsCode && code.trim().length < 6)) return;
    setRunning(true);
    setFailure(undefined);
    const body = { reason: reason.trim(), ...(needsCode ? { code: code.trim() } : {}) };
    try {
      const said = await proof.run(() => provider.resetFactor(String(user.id), body));
      if (said) onClose(said);
    } catch (error) {
      setFailure(messageOf(error, "The second factor could not be reset. Please try again."));
    } finally {
      setRunning(false);
    }
  }

  return (
    <FormDialog
      title={`Reset ${name}'s second factor?`}
      consequence="For an owner who lost both device and recovery codes. It is switched off at once, and all sessions of the account end. The owner and all admins are mailed."
      confirm="Reset"
      isFinal
      running={running}
      failure={failure}
      proof={proof.dialog}
      onSubmit={() => void reset()}
      onClose={() => onClose()}
    >
      <TextField
        fullWidth
        required
        multiline
        minRows={3}
        label="Reason"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={missing.reason}
        helperText={
          missing.reason
            ? "Say why, and how you know who asked you"
            : "Why, and how you know who asked you. All admins can read it."
        }
        slotProps={{ htmlInput: { maxLength: 1000 } }}
      />
      {needsCode && (
        <TextField
          fullWidth
          required
          label="Your own code"
          autoComplete="one-time-code"
          value={code}
          onChange={({ target }) => setCode(target.value)}
          error={missing.code}
          helperText={
            missing.code
              ? "Enter the 6-digit code or a recovery code"
              : "From your authenticator app, or a recovery code"
          }
          slotProps={{ htmlInput: { maxLength: 40 } }}
        />
      )}
    </FormDialog>
  );
}
