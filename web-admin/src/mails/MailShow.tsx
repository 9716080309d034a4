import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useEffect } from "react";
import { Link as RouterLink } from "react-router-dom";
import { type ListedMail, type ReadMail, UNREADABLE } from "#contracts/http/admin-mails.ts";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { Instant } from "../shared/Instant.tsx";
import { MailOutcome } from "../shared/MailFacts.tsx";
import { PRIVATE } from "../shared/RevealPanel.tsx";
import { useSending } from "../shared/use-sending.ts";

/** One email: what it is, and what it says once it is revealed. */
export function MailShow({
  mail,
  onClose,
}: {
  readonly mail: ListedMail;
  readonly onClose: () => void;
}) {
  const { data, error, isPending, mutate, reset, dialog } = useSending(
    (provider) => provider.command<ReadMail>(`/mails/${mail.id}/read`),
    { again: [], tells: "nothing" },
  );
  useEffect(() => {
    if (!data) return;
    const timer = setTimeout(reset, REVEAL_MS);
    return () => clearTimeout(timer);
  }, [data, reset]);
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth>
      <DialogTitle>{mailTitle(mail.kind)}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <FieldList
          fields={[
            { label: "Recipient", value: mail.recipient ?? "Erased" },
            { label: "About", value: <MailOwner owner={mail.owner} /> },
            { label: "Requested", value: <Instant at={mail.created_at} /> },
            { label: "State", value: <MailOutcome mail={mail} /> },
          ]}
        />
        {data ? (
          <Reading of={data.data} />
        ) : (
          <Typography color="textSecondary">
            We don't store email text. Reveal rebuilds it from the event log, with links hidden.
            This view is recorded.
          </Typography>
        )}
        {error && (
          <Alert severity="error">{messageOf(error, "Couldn't open the email. Try again.")}</Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ p: 2 }}>
        <Button onClick={onClose}>Close</Button>
        {!data && (
          <Button variant="outlined" loading={isPending} onClick={() => mutate()}>
            Reveal
          </Button>
        )}
      </DialogActions>
      {dialog}
    </Dialog>
  );
}

function Reading({ of: { subject, text, gone, is_reworded } }: { readonly of: ReadMail }) {
  if (gone) return <Alert severity="info">{UNREADABLE[gone]}</Alert>;
  return (
    <Box
      component="section"
      aria-label="Text of the email"
      sx={{ ...PRIVATE, overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
    >
      {is_reworded && (
        <Alert severity="info" sx={{ mb: 2 }}>
          The template it was sent with no longer exists. This is the default text.
        </Alert>
      )}
      <Typography sx={{ fontWeight: 600, mb: 1 }}>{subject}</Typography>
      <Typography>{text}</Typography>
    </Box>
  );
}

/** Whose email it is, with the way there. */
export function MailOwner({ owner: { type, id } }: Pick<ListedMail, "owner">) {
  const [to, label] = {
    report: [paths.report(id), reportNumber(id)],
    account: [paths.user(id), "Account"],
    inquiry: [paths.inquiry(id), "Inquiry"],
    notice: [paths.notice(id), "Notice"],
  }[type];
  return (
    <Link component={RouterLink} to={to ?? paths.mails}>
      {label}
    </Link>
  );
}
