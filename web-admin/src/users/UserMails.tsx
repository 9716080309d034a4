import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { MailKind, MailOutcome } from "../shared/MailFacts.tsx";
import { Section } from "../shared/Section.tsx";
import { Lines } from "./UserLists.tsx";

/** The newest mails about an account. Those about its reports are in the list of all mails. */
export function UserMails({ id }: { readonly id: string }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, isPending } = useQuery({
    queryKey: ["mails", "of", id],
    queryFn: () => provider.mails({ account: id }, undefined),
    retry: false,
  });
  return (
    <Section title="Mails">
      {error && (
        <Alert severity="error">
          Failed to load the mails: {messageOf(error, "Unknown error occurred")}
        </Alert>
      )}
      {isPending && <Typography color="textSecondary">Loading</Typography>}
      {data?.mails.length === 0 && <Typography color="textSecondary">None</Typography>}
      {data && data.mails.length > 0 && (
        <Lines>
          {data.mails.map((mail) => (
            <Box
              component="li"
              key={mail.id}
              sx={{ display: "grid", gap: 1, gridTemplateColumns: { sm: "1fr 1fr" } }}
            >
              <MailKind mail={mail} />
              <MailOutcome mail={mail} />
            </Box>
          ))}
        </Lines>
      )}
      {data?.next && (
        <Link component={RouterLink} to={`${paths.mails}?account=${encodeURIComponent(id)}`}>
          All mails about this account
        </Link>
      )}
    </Section>
  );
}
