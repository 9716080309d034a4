import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { BAN_REASON_LENGTH } from "#contracts/account/account-words.ts";
import { BAN_ENDS, type BanEnd, banUntil, userName } from "./labels.ts";
import { UserDialog } from "./UserDialog.tsx";
import type { OfUser } from "./UserForms.tsx";
import { useUserCommand } from "./use-user-command.ts";

/** Bans an account, with a reason and an end. */
export function BanDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const [reason, setReason] = useState("");
  const [end, setEnd] = useState<BanEnd>("30");
  const [date, setDate] = useState("");
  const [asked, setAsked] = useState(false);
  const isReasonMissing = asked && !reason.trim();
  const isDateMissing = asked && end === "date" && !date;
  const problem = commands.failure?.fields.until;
  const send = async () => {
    setAsked(true);
    if (!reason.trim() || (end === "date" && !date)) return;
    const until = banUntil(end, date, new Date());
    const sent = { reason: reason.trim(), ...(until ? { until } : {}) };
    if (await commands.run("ban", sent)) onClose();
  };
  return (
    <UserDialog
      title={`Ban ${userName(user)}?`}
      consequence="All sessions end at once, and nobody can sign in. The owner reads the reason and the end, in a mail and when signing in. Pending reports leave the queue; published ones stay."
      confirm="Ban"
      isGrave
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <TextField
        fullWidth
        autoFocus
        required
        multiline
        minRows={3}
        label="Reason"
        value={reason}
        error={isReasonMissing}
        helperText={
          isReasonMissing
            ? "Please give a reason"
            : `${reason.length} of ${BAN_REASON_LENGTH} characters`
        }
        onChange={(event) => setReason(event.target.value)}
        slotProps={{ htmlInput: { maxLength: BAN_REASON_LENGTH } }}
      />
      <TextField
        select
        fullWidth
        label="For how long"
        value={end}
        onChange={(event) => setEnd(event.target.value as BanEnd)}
      >
        {Object.entries(BAN_ENDS).map(([code, text]) => (
          <MenuItem key={code} value={code}>
            {text}
          </MenuItem>
        ))}
      </TextField>
      {end === "date" && (
        <TextField
          fullWidth
          required
          type="date"
          label="Last day of the ban"
          value={date}
          error={isDateMissing || problem !== undefined}
          helperText={isDateMissing ? "Please choose a day" : problem}
          onChange={(event) => setDate(event.target.value)}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      )}
    </UserDialog>
  );
}

/** Ends a ban. */
export function UnbanDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const send = async () => {
    if (await commands.run("unban", {})) onClose();
  };
  return (
    <UserDialog
      title={`Unban ${userName(user)}?`}
      consequence="The owner can sign in again with the same password, and gets a mail. An address that nobody confirmed stays unconfirmed."
      confirm="Unban"
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    />
  );
}

/** Opens an account of staff again. */
export function ReopenDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const send = async () => {
    if (await commands.run("reopen", {})) onClose();
  };
  return (
    <UserDialog
      title={`Open the account of ${userName(user)} again?`}
      consequence="The owner can sign in again with the same password and second factor, as a user: a role of staff is given by a step of its own. The owner and all admins get a mail. A ban that the account had stays."
      confirm="Open again"
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    />
  );
}

/** Deletes an account. */
export function DeleteDialog({ user, onClose }: OfUser) {
  const commands = useUserCommand(user);
  const send = async () => {
    if (await commands.run("delete", {})) onClose();
  };
  return (
    <UserDialog
      title={`Delete ${userName(user)}?`}
      consequence="The owner is signed out and can't sign in again. The account is erased within two hours; its reports stay published, without the name. A staff account is kept, because histories name it, and can be opened again."
      confirm="Delete"
      isGrave
      commands={commands}
      onConfirm={() => void send()}
      onClose={onClose}
    />
  );
}
