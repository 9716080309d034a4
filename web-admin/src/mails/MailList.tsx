import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { useState } from "react";
import { useListContext } from "react-admin";
import { isEmail } from "#contracts/account/email.ts";
import { type ListedMail, MAIL_STATES } from "#contracts/http/admin-mails.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { formatInstant } from "../shared/formats.ts";
import { dayColumn } from "../shared/list/column-kinds.tsx";
import type { Column } from "../shared/list/columns.ts";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { oneLine } from "../shared/list/RecordRows.tsx";
import { attemptsText, MailState, MailTemplate, outcomeText } from "../shared/MailFacts.tsx";
import { useSending } from "../shared/use-sending.ts";
import { MailOwner, MailShow } from "./MailShow.tsx";

const KINDS = Object.keys(mailKinds)
  .map((kind) => [kind, mailTitle(kind)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

/** "Confirm a report of May 2, 2026, 2:05:09 PM EDT". */
const nameOf = ({ kind, created_at }: ListedMail) =>
  `${mailTitle(kind)} of ${formatInstant(created_at)}`;

const columnsFor = (onOpen: (mail: ListedMail) => void): readonly Column<ListedMail>[] => [
  {
    source: "kind",
    label: "Email",
    width: 216,
    render: (mail) => (
      <Link
        component="button"
        type="button"
        underline="hover"
        aria-haspopup="dialog"
        aria-label={`Read: ${nameOf(mail)}`}
        title={mailTitle(mail.kind)}
        onClick={() => onOpen(mail)}
        sx={{ font: "inherit", fontWeight: 600, display: "block", maxWidth: 1, ...oneLine }}
      >
        {mailTitle(mail.kind)}
      </Link>
    ),
  },
  {
    source: "recipient",
    label: "Recipient",
    width: 104,
    render: ({ recipient }) => recipient ?? "Recipient erased",
  },
  {
    source: "owner",
    label: "About",
    width: 132,
    phone: "hidden",
    render: ({ owner }) => <MailOwner owner={owner} />,
  },
  {
    source: "state",
    label: "State",
    width: 72,
    phone: "end",
    render: (mail) => <MailState mail={mail} />,
  },
  {
    source: "outcome",
    label: "Outcome",
    phone: "hidden",
    render: (mail) => <span title={outcomeText(mail)}>{attemptsText(mail)}</span>,
  },
  {
    source: "template",
    label: "Template",
    width: 120,
    phone: "hidden",
    render: (mail) => <MailTemplate mail={mail} />,
  },
  dayColumn("created_at", "Requested", { width: 104 }),
  {
    source: "actions",
    label: "Actions",
    align: "right",
    width: 116,
    phone: "end",
    render: (mail) => mail.state === "failed" && <Resend mail={mail} />,
  },
];

/** Which emails went to whom, masked, and those that failed. */
export function MailList() {
  const [opened, setOpened] = useState<ListedMail>();
  const [columns] = useState(() => columnsFor(setOpened));
  return (
    <>
      <RecordList<ListedMail>
        resource="mails"
        of={["email", "emails"]}
        columns={columns}
        pageSizes={[25]}
        filters={
          <ListFilters>
            <SearchFilter
              source="address"
              placeholder="Full email address"
              // Part of an address finds nothing: only the whole one can be compared.
              validate={(text) => (!text || isEmail(text) ? undefined : "Enter the full address")}
            />
            <SelectFilter source="state" label="State" options={Object.entries(MAIL_STATES)} />
            <SelectFilter source="kind" label="Kind" options={KINDS} />
            <OfAccount />
          </ListFilters>
        }
      />
      {opened && <MailShow mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Says that the emails are those of one account, and leads to those of all. */
function OfAccount() {
  const { filterValues, setFilters } = useListContext();
  const { account, ...others } = filterValues;
  if (!account) return null;
  return <Button onClick={() => setFilters(others)}>Emails of all accounts</Button>;
}

function Resend({ mail }: { readonly mail: ListedMail }) {
  const { mutate, isPending } = useSending(
    (provider) => provider.command(`/mails/${mail.id}/resend`),
    {
      again: ["mails", "notifications"],
      failed: "Couldn't resend the email. Try again.",
    },
  );
  return (
    <Button
      size="small"
      loading={isPending}
      aria-label={`Resend: ${nameOf(mail)}`}
      onClick={() => mutate()}
    >
      Resend
    </Button>
  );
}
