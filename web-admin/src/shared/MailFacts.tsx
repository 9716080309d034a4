import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Link } from "react-admin";
import { DROPPED_REASONS, type ListedMail, MAIL_STATES } from "#contracts/http/admin-mails.ts";
import { SHIPPED } from "#contracts/http/admin-templates.ts";
import { paths } from "../config/paths.ts";
import { counted, formatInstant } from "./formats.ts";

interface Of {
  readonly mail: ListedMail;
}

/** The state of an email. Failed ones stand out. */
export function MailState({ mail: { state } }: Of) {
  return (
    <Box
      component="span"
      sx={{ fontWeight: 600, color: state === "failed" ? "error.main" : undefined }}
    >
      {MAIL_STATES[state]}
    </Box>
  );
}

/** Returns e.g. "May 2, 2026, 2:05:09 PM EDT, 3 attempts, last failure: timeout". */
export function outcomeText(mail: ListedMail): string {
  return [mail.ended_at && formatInstant(mail.ended_at), attemptsText(mail)]
    .filter(Boolean)
    .join(", ");
}

/** Returns e.g. "3 attempts, last failure: timeout". */
export function attemptsText({
  state,
  attempts,
  reason,
  error,
  next_attempt_at,
}: ListedMail): string {
  return [
    counted(attempts, "attempt", "attempts"),
    reason && (DROPPED_REASONS[reason] ?? reason),
    error && `last failure: ${error}`,
    state === "waiting" && next_attempt_at && `next try ${formatInstant(next_attempt_at)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The template used for an email; empty until it is sent. */
export function MailTemplate({ mail: { kind, template } }: Of) {
  if (!template) return null;
  return (
    <Link to={paths.template(kind, template)}>
      {template === SHIPPED ? "Default template" : "Template"}
    </Link>
  );
}

/** The outcome of an email, with its template. */
export function MailOutcome({ mail }: Of) {
  return (
    <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
      <MailState mail={mail} />
      <Typography color="textSecondary">{outcomeText(mail)}</Typography>
      <MailTemplate mail={mail} />
    </Box>
  );
}
