import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { ProtectedAdmin } from "#contracts/http/two-factor.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FormDialog } from "./FormDialog.tsx";
import { useProof } from "./use-proof.tsx";

const FAILED = "The request could not be made. Please try again.";

/** What is said of an admin's, which one admin alone does not reset, and of any other. */
const WORDS = {
  admin: {
    title: (name?: string) => `Ask for a reset of ${name ? `${name}'s` : "a"} second factor`,
    consequence:
      "For an admin who lost both device and recovery codes. All admins are mailed. Another admin confirms it, or it takes effect in 24 hours if nobody objects. All sessions of the account end then.",
    confirm: "Ask for the reset",
  },
  other: {
    title: (name?: string) => `Reset ${name ? `${name}'s` : "the"} second factor?`,
    consequence:
      "For an owner who lost both device and recovery codes. It is switched off at once, and all sessions of the account end. The owner and all admins are mailed.",
    confirm: "Reset",
  },
} as const;

/** Asks to switch a second factor off: whose, unless it is said, and why. */
export function FactorResetDialog(props: {
  /** Those to choose from. */
  readonly admins?: readonly ProtectedAdmin[];
  /** Whose it is, in place of a choice. */
  readonly account?: ProtectedAdmin;
  /** Whether the account is an admin's, as those to choose from are. */
  readonly isAdmin?: boolean;
  /** With the server's sentence once it is done, without one when it is given up. */
  readonly onClose: (said?: string) => void;
}) {
  const { admins = [], account, isAdmin = true, onClose } = props;
  const words = WORDS[isAdmin ? "admin" : "other"];
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const [accountId, setAccountId] = useState(account?.account_id ?? "");
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();
  const missing = { admin: asked && !accountId, reason: asked && !reason.trim() };

  async function ask() {
    setAsked(true);
    if (!accountId || !reason.trim()) return;
    setRunning(true);
    setFailure(undefined);
    try {
      const said = await proof.run(() => provider.askFactorReset(accountId, reason.trim()));
      if (said) onClose(said);
    } catch (error) {
      setFailure(messageOf(error, FAILED));
    } finally {
      setRunning(false);
    }
  }

  return (
    <FormDialog
      title={words.title(account && (account.account_name || account.account_id))}
      consequence={words.consequence}
      confirm={words.confirm}
      isFinal
      running={running}
      failure={failure}
      proof={proof.dialog}
      onSubmit={() => void ask()}
      onClose={() => onClose()}
    >
      {!account && (
        <TextField
          select
          fullWidth
          required
          label="Admin"
          value={accountId}
          onChange={({ target }) => setAccountId(target.value)}
          error={missing.admin}
          helperText={missing.admin ? "Choose whose second factor it is" : undefined}
        >
          {admins.map(({ account_id, account_name }) => (
            <MenuItem key={account_id} value={account_id}>
              {account_name || account_id}
            </MenuItem>
          ))}
        </TextField>
      )}
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
    </FormDialog>
  );
}
