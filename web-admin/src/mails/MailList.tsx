import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useEffect, useState } from "react";
import { useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { isEmail } from "#contracts/account/email.ts";
import {
  type ListedMail,
  MAIL_STATES,
  type ReadMail,
  UNREADABLE,
} from "#contracts/http/admin-mails.ts";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";
import { Dialog } from "../shared/Dialog.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { type Column, dayColumn } from "../shared/list/columns.tsx";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { oneLine } from "../shared/list/RecordRows.tsx";
import {
  attemptsText,
  MailOutcome,
  MailState,
  MailTemplate,
  outcomeText,
} from "../shared/MailFacts.tsx";
import { Instant } from "../shared/parts.tsx";
import { PRIVATE } from "../shared/RevealPanel.tsx";
import { Failure } from "../shared/states.tsx";
import { useSending } from "../shared/use-sending.ts";

const KINDS = Object.keys(mailKinds)
  .map((kind) => [kind, mailTitle(kind)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other));

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

/** Emails sent, with masked recipients, including failed ones. */
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
              // Only a full address can be compared, so part of one would find nothing.
              validate={(text) => (!text || isEmail(text) ? undefined : "Enter the full address")}
            />
            <SelectFilter source="state" label="State" options={MAIL_STATES} />
            <SelectFilter source="kind" label="Kind" options={KINDS} />
            <OfAccount />
          </ListFilters>
        }
      />
      {opened && <MailShow mail={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function OfAccount() {
  const { filterValues, setFilters } = useListContext();
  const { account, ...others } = filterValues;
  if (!account) return null;
  return <Button onClick={() => setFilters(others)}>Emails for all accounts</Button>;
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

function MailShow({ mail, onClose }: { readonly mail: ListedMail; readonly onClose: () => void }) {
  const { data, failure, isPending, mutate, reset } = useSending(
    (provider) => provider.command<ReadMail>(`/mails/${mail.id}/read`),
    { again: [], tells: "nothing", failed: "Couldn't open the email. Try again." },
  );
  useEffect(() => {
    if (!data) return;
    const timer = setTimeout(reset, REVEAL_MS);
    return () => clearTimeout(timer);
  }, [data, reset]);
  return (
    <Dialog
      title={mailTitle(mail.kind)}
      maxWidth="md"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {!data && (
            <Button variant="outlined" loading={isPending} onClick={() => mutate()}>
              Reveal
            </Button>
          )}
        </>
      }
    >
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
          We don't store email text. Reveal rebuilds it from the event log, with links hidden. This
          view is recorded.
        </Typography>
      )}
      <Failure>{failure}</Failure>
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

function MailOwner({ owner: { type, id } }: Pick<ListedMail, "owner">) {
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
