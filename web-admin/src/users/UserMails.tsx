import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import type { ListedMail } from "#contracts/http/admin-mails.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { filtered, paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import { Instant } from "../shared/Instant.tsx";
import { MailOutcome } from "../shared/MailFacts.tsx";
import { Section } from "../shared/Section.tsx";
import { Lines } from "./UserLists.tsx";

/** The newest emails about an account. Those about its reports are in the list of all emails. */
export function UserMails({ id }: { readonly id: string }) {
  const filter = { account: id };
  const { data, error, isPending, pageInfo } = useGetList<ListedMail>(
    "mails",
    { filter },
    { retry: false, onError: () => undefined },
  );
  return (
    <Section title="Emails">
      {error && (
        <Alert severity="error">
          Failed to load the emails: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {isPending && <Typography color="textSecondary">Loading</Typography>}
      {data?.length === 0 && <Typography color="textSecondary">None</Typography>}
      {data && data.length > 0 && (
        <Lines>
          {data.map((mail) => (
            <Box
              component="li"
              key={mail.id}
              sx={{ display: "grid", gap: 1, gridTemplateColumns: { sm: "1fr 1fr" } }}
            >
              <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
                <Typography sx={{ fontWeight: 600 }}>{mailTitle(mail.kind)}</Typography>
                <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
                  <Instant at={mail.created_at} />
                </Typography>
              </Box>
              <MailOutcome mail={mail} />
            </Box>
          ))}
        </Lines>
      )}
      {pageInfo?.hasNextPage && (
        <Link component={RouterLink} to={filtered(paths.mails, filter)}>
          All emails about this account
        </Link>
      )}
    </Section>
  );
}
