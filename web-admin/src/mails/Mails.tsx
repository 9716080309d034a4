import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDataProvider, useNotify } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { type ListedMail, MAIL_STATES } from "#contracts/http/admin-mails.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { formatInstant } from "../shared/formats.ts";
import { ListFilter } from "../shared/ListFilter.tsx";
import { MailKind, MailOutcome } from "../shared/MailFacts.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { usePages } from "../shared/use-pages.ts";

const KINDS = Object.keys(mailKinds)
  .map((kind) => [kind, mailTitle(kind)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

const COLUMNS = ["Recipient", "Outcome", "Actions"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** Which mails went to whom, masked, and those that failed. */
export function Mails() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("mails", ["state", "kind", "account"], provider.mails);
  const columns = useColumns("mails", COLUMNS);
  const account = list.filter("account");
  return (
    <PagedList
      list={list}
      what="mails"
      columns={columns}
      filters={
        <>
          <ListFilter
            list={list}
            name="state"
            label="State"
            options={Object.entries(MAIL_STATES)}
          />
          <ListFilter list={list} name="kind" label="Kind" options={KINDS} width={260} />
          {account && (
            <Button onClick={() => list.setFilter("account", undefined)}>
              Mails of all accounts
            </Button>
          )}
        </>
      }
    >
      {list.pages?.flatMap(({ mails }) =>
        mails.map((mail) => <Row key={mail.id} mail={mail} columns={columns} />),
      ) ?? []}
    </PagedList>
  );
}

function Row({ mail, columns }: { readonly mail: ListedMail; readonly columns: Shown }) {
  const { recipient, state } = mail;
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gap: 1,
        alignItems: "center",
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) minmax(0, 3fr) 130px" },
      }}
    >
      <MailKind mail={mail} />
      <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
        {columns.shows("Recipient") && (
          <>
            <Typography>{recipient ?? "Recipient erased"}</Typography>
            <Owner owner={mail.owner} />
          </>
        )}
      </Box>
      <Box>{columns.shows("Outcome") && <MailOutcome mail={mail} />}</Box>
      <Box>{columns.shows("Actions") && state === "failed" && <Resend mail={mail} />}</Box>
    </Box>
  );
}

/** Whose mail it is, with the way there. */
function Owner({ owner: { type, id } }: Pick<ListedMail, "owner">) {
  const [to, words] = {
    report: [paths.report(id), `Report ${reportNumber(id)}`],
    account: [paths.user(id), "Account"],
    inquiry: [paths.inquiry(id), "Inquiry"],
    notice: [paths.notice(id), "Notice"],
  }[type];
  return (
    <Link
      component={RouterLink}
      to={to ?? paths.mails}
      sx={{ display: "inline-block", py: 1, my: -1 }}
    >
      {words}
    </Link>
  );
}

function Resend({ mail: { id, kind, created_at } }: { readonly mail: ListedMail }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: () => provider.resendMail(id),
    onSuccess: (message) => notify(message ?? "The mail will be sent again", { type: "success" }),
    onError: (error) => notify(messageOf(error, "It failed. Please try again."), { type: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["mails"] }),
  });
  return (
    <Button
      variant="outlined"
      loading={isPending}
      aria-label={`Send again: ${mailTitle(kind)} of ${formatInstant(created_at)}`}
      onClick={() => mutate()}
    >
      Send again
    </Button>
  );
}
