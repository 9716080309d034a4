import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { DROPPED_REASONS, type ListedMail, MAIL_STATES } from "#contracts/http/admin-mails.ts";
import { SHIPPED } from "#contracts/http/admin-templates.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { paths } from "../config/paths.ts";
import { counted, formatInstant } from "./formats.ts";
import { Instant } from "./Instant.tsx";

/** Which mail it is, and when it was asked for. */
export function MailKind({ mail: { kind, created_at } }: { readonly mail: ListedMail }) {
  return (
    <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
      <Typography sx={{ fontWeight: 600 }}>{mailTitle(kind)}</Typography>
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        <Instant at={created_at} />
      </Typography>
    </Box>
  );
}

/** What became of a mail, and the template that its words are from. */
export function MailOutcome({ mail }: { readonly mail: ListedMail }) {
  const { kind, state, attempts, template, reason, error, ended_at, next_attempt_at } = mail;
  const why = reason && (DROPPED_REASONS[reason] ?? reason);
  return (
    <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
      <Typography color={state === "failed" ? "error" : undefined} sx={{ fontWeight: 600 }}>
        {MAIL_STATES[state]}
      </Typography>
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        {[
          ended_at && formatInstant(ended_at),
          counted(attempts, "attempt", "attempts"),
          why,
          error && `last failure: ${error}`,
          state === "waiting" && next_attempt_at && `next try ${formatInstant(next_attempt_at)}`,
        ]
          .filter(Boolean)
          .join(", ")}
      </Typography>
      {template && (
        <Link
          component={RouterLink}
          to={paths.template(kind, template)}
          sx={{ display: "inline-block", py: 1, my: -1 }}
        >
          {template === SHIPPED ? "Default template" : "Template"}
        </Link>
      )}
    </Box>
  );
}
