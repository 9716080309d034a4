import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { isEmail } from "#contracts/account/email.ts";
import { type ListedMail, MAIL_STATES } from "#contracts/http/admin-mails.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { formatInstant } from "../shared/formats.ts";
import { ListFilter } from "../shared/ListFilter.tsx";
import { MailKind, MailOutcome } from "../shared/MailFacts.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { SearchField } from "../shared/SearchField.tsx";
import { usePages } from "../shared/use-pages.ts";
import { MailOwner } from "./MailOwner.tsx";
import { MailShow } from "./MailShow.tsx";

const KINDS = Object.keys(mailKinds)
  .map((kind) => [kind, mailTitle(kind)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

const COLUMNS = ["Recipient", "Outcome", "Actions"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** Which emails went to whom, masked, and those that failed. */
export function MailList() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("mails", ["address", "state", "kind", "account"], provider.mails);
  const columns = useColumns("mails", COLUMNS);
  const account = list.filter("account");
  return (
    <PagedList
      list={list}
      what="mails"
      columns={columns}
      filters={
        <>
          <SearchField
            placeholder="Whole email address"
            value={list.filter("address") ?? ""}
            // Part of an address finds nothing: only the whole one can be compared.
            onSearch={(text) => list.setFilter("address", isEmail(text) ? text : undefined)}
          />
          <ListFilter
            list={list}
            name="state"
            label="State"
            options={Object.entries(MAIL_STATES)}
          />
          <ListFilter list={list} name="kind" label="Kind" options={KINDS} width={260} />
          {account && (
            <Button onClick={() => list.setFilter("account", undefined)}>
              Emails of all accounts
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
  const { kind, recipient, state } = mail;
  const [isOpen, setOpen] = useState(false);
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
      <Box sx={{ minWidth: 0 }}>
        <MailKind mail={mail} />
        <Button
          size="small"
          aria-label={`Read: ${mailTitle(kind)} of ${formatInstant(mail.created_at)}`}
          onClick={() => setOpen(true)}
        >
          Read
        </Button>
        {isOpen && <MailShow mail={mail} onClose={() => setOpen(false)} />}
      </Box>
      <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
        {columns.shows("Recipient") && (
          <>
            <Typography>{recipient ?? "Recipient erased"}</Typography>
            <MailOwner owner={mail.owner} />
          </>
        )}
      </Box>
      <Box>{columns.shows("Outcome") && <MailOutcome mail={mail} />}</Box>
      <Box>{columns.shows("Actions") && state === "failed" && <Resend mail={mail} />}</Box>
    </Box>
  );
}

function Resend({ mail: { id, kind, created_at } }: { readonly mail: ListedMail }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: () => provider.resendMail(id),
    onSuccess: (message) => notify(message ?? "The email will be sent again", { type: "success" }),
    onError: (error) =>
      notify(messageOf(error, "Couldn't resend the email. Try again."), { type: "error" }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["notifications"] });
      return queryClient.invalidateQueries({ queryKey: ["mails"] });
    },
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
