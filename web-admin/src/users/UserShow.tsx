import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useGetList, useGetOne } from "react-admin";
import { useParams } from "react-router-dom";
import { SIGN_IN_CAUSES, USER_ROLES } from "#contracts/account/account-messages.ts";
import { PROFILE_FIELDS, type ProfileField } from "#contracts/account/profile-fields.ts";
import type { ListedMail } from "#contracts/http/admin-mails.ts";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { RevealedUser, UserRecord } from "#contracts/http/users.ts";
import { mailTitle } from "#contracts/mail/mail-titles.ts";
import { filtered, paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import { actionText } from "../shared/action-labels.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { formatCount, formatInstant } from "../shared/formats.ts";
import { MailOutcome } from "../shared/MailFacts.tsx";
import { PageHeading, Section } from "../shared/page.tsx";
import { Instant, StatusChip } from "../shared/parts.tsx";
import { RevealPanel } from "../shared/RevealPanel.tsx";
import { Loaded, Read } from "../shared/states.tsx";
import { useSending } from "../shared/use-sending.ts";
import { UserActions, UserStatusChip, useUserDialogs } from "./actions.tsx";
import { userName } from "./labels.ts";

/** Rows of a list are incomplete, so they must not be used as the record. */
const WHOLE = { whole: true };

/** One user: facts, reports, sessions, failed sign-ins, and the account's history. */
export function UserShow() {
  const { id = "" } = useParams();
  return (
    <Loaded
      query={useGetOne<UserRecord>("users", { id, meta: WHOLE }, { retry: false })}
      what="user"
      absence="The account doesn't exist, or it was erased."
      list={paths.users}
      all="All users"
    >
      {(user) => <OpenUser user={user} />}
    </Loaded>
  );
}

function OpenUser({ user }: { readonly user: UserRecord }) {
  const { id, reports, reports_count, sessions, failed_sign_ins } = user;
  const name = userName(user);
  const dialogs = useUserDialogs();
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center" }}>
        <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
          <PageHeading title={name}>{name}</PageHeading>
          <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            Account {id}
          </Typography>
        </Box>
        <UserStatusChip user={user} />
      </Box>
      <UserActions user={user} onOpen={dialogs.open} asButtons />
      <RevealUser id={id} />
      <Section title="Facts">
        <FieldList fields={factsOf(user)} />
      </Section>
      <Section title={`Reports (${formatCount(reports_count)})`}>
        <Lines rows={reports}>
          {({ id: report, first_name, last_name, title, status, created_at }) => (
            <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
              <Box sx={{ flex: "1 1 220px", minWidth: 0 }}>
                <Link to={paths.report(report)} underline="hover">
                  {`${first_name} ${last_name}`.trim() || title}
                </Link>
                <Detail>
                  {title}, <Instant at={created_at} as="day" />
                </Detail>
              </Box>
              <StatusChip status={status} />
            </Box>
          )}
        </Lines>
        {reports_count > reports.length && (
          <Detail>
            The newest {reports.length} of {formatCount(reports_count)}
          </Detail>
        )}
      </Section>
      <Section title="Sessions">
        <Lines rows={sessions}>
          {({ started_at, last_used_at, ...from }) => (
            <>
              <Typography>{placeOf(from)}</Typography>
              <Detail>
                Since <Instant at={started_at} />, last used <Instant at={last_used_at} />
              </Detail>
            </>
          )}
        </Lines>
      </Section>
      <Section title="Failed sign-ins">
        <Lines rows={failed_sign_ins} none="None in the last three months">
          {({ at, cause, ...from }) => (
            <>
              <Typography>{SIGN_IN_CAUSES[cause]}</Typography>
              <Detail>
                <Instant at={at} />, {placeOf(from)}
              </Detail>
            </>
          )}
        </Lines>
      </Section>
      <Mails id={id} />
      <History id={id} />
      {dialogs.dialog}
    </Box>
  );
}

function placeOf(from: { readonly device?: string; readonly network?: string }): string {
  return [from.device ?? "Unknown device", from.network].filter(Boolean).join(", ");
}

function factsOf(user: UserRecord) {
  const { ban } = user;
  return [
    { label: "Role", value: USER_ROLES[user.role] },
    { label: "Email", value: `${user.email}${user.confirmed ? "" : " (not confirmed)"}` },
    { label: "Phone", value: user.phone ?? "Not given" },
    { label: "Two-factor authentication", value: user.two_factor ? "On" : "Off" },
    { label: "Created", value: formatInstant(user.created_at) },
    { label: "Last login", value: user.last_login ? formatInstant(user.last_login) : "Never" },
    {
      label: "Banned since",
      value: ban && `${formatInstant(ban.at)}${ban.by ? `, by ${ban.by}` : ""}`,
    },
    {
      label: "Banned until",
      value: ban && (ban.until ? formatInstant(ban.until) : "No end date"),
    },
    { label: "Reason for the ban", value: ban && (ban.reason || "Erased") },
    { label: "Erased on", value: user.erase_at && formatInstant(user.erase_at) },
  ];
}

function Lines<Row>(props: {
  readonly rows: readonly Row[];
  readonly none?: string;
  readonly children: (row: Row) => ReactNode;
}) {
  const { rows, none = "None", children } = props;
  if (rows.length === 0) return <Detail>{none}</Detail>;
  return (
    <Box
      component="ul"
      sx={{
        "& > li": { py: 1, overflowWrap: "anywhere" },
        "& > li + li": { borderTop: 1, borderColor: "divider" },
      }}
    >
      {rows.map((row, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be of one moment; they have no state.
        <li key={n}>{children(row)}</li>
      ))}
    </Box>
  );
}

function Detail({ children }: { readonly children: ReactNode }) {
  return <Typography color="textSecondary">{children}</Typography>;
}

/** Reveals masked data, which the registry records. It exists only in this component and is never cached. */
function RevealUser({ id }: { readonly id: string }) {
  const opening = useSending(
    (provider) => provider.command<RevealedUser>(`/users/${encodeURIComponent(id)}/reveal`),
    { again: ["audit-logs"], tells: "nothing" },
  );
  const { data, error } = opening;
  return (
    <RevealPanel
      label="Masked data"
      hidden="Email and phone are masked"
      visible="Masked data is visible"
      it="them"
      opening={opening}
      failure={
        error
          ? `Failed to open the masked data: ${messageOf(error, "Unknown error occurred")}`
          : undefined
      }
    >
      {data && <FieldList fields={revealed(data.data)} />}
    </RevealPanel>
  );
}

function revealed(data: RevealedUser) {
  const names = Object.keys(PROFILE_FIELDS) as ProfileField[];
  return [
    { label: "Email", value: data.email },
    ...names.map((name) => ({
      label: PROFILE_FIELDS[name].label,
      value: data[name] || "Not given",
    })),
  ];
}

const QUIET = {
  retry: false,
  onError: () => undefined,
  placeholderData: keepPreviousData,
} as const;

/** The newest emails about an account. Those about its reports are in the list of all emails. */
function Mails({ id }: { readonly id: string }) {
  const filter = { account: id };
  const read = useGetList<ListedMail>("mails", { filter }, QUIET);
  return (
    <Section title="Emails">
      <Read what="the emails" query={read}>
        {(mails) => (
          <>
            <Lines rows={mails}>
              {(mail) => (
                <Box sx={{ display: "grid", gap: 1, gridTemplateColumns: { sm: "1fr 1fr" } }}>
                  <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
                    <Typography sx={{ fontWeight: 600 }}>{mailTitle(mail.kind)}</Typography>
                    <Typography color="textSecondary">
                      <Instant at={mail.created_at} />
                    </Typography>
                  </Box>
                  <MailOutcome mail={mail} />
                </Box>
              )}
            </Lines>
            {read.pageInfo?.hasNextPage && (
              <Link to={filtered(paths.mails, filter)}>All emails about this account</Link>
            )}
          </>
        )}
      </Read>
    </Section>
  );
}

const PAGE_SIZE = 25;

/** Events about the account and by the account, and who viewed it, newest first. */
function History({ id }: { readonly id: string }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  const read = useGetList<AuditEntry>(
    "audit-logs",
    {
      pagination: { page: 1, perPage: shown },
      sort: { field: "timestamp", order: "DESC" },
      filter: { search: id },
    },
    QUIET,
  );
  return (
    <Section title="History">
      <Read what="the history" query={read}>
        {(entries) => (
          <>
            <Lines rows={entries.filter(isNew)}>
              {({ action, user, user_id, timestamp, ipAddress }) => (
                <>
                  <Typography>
                    {actionText(action)}: {user_id === id ? "the user" : user}
                  </Typography>
                  <Detail>
                    <Instant at={timestamp} />
                    {ipAddress && `, ${ipAddress}`}
                  </Detail>
                </>
              )}
            </Lines>
            {read.total !== undefined && read.total > shown && shown < 1000 && (
              <Button sx={{ mt: 1 }} onClick={() => setShown(Math.min(shown + 100, 1000))}>
                Show more
              </Button>
            )}
          </>
        )}
      </Read>
    </Section>
  );
}

/** Whether the entry differs from the previous one: a command may append several events. */
function isNew(entry: AuditEntry, index: number, all: readonly AuditEntry[]): boolean {
  const before = all[index - 1];
  const { action, user_id, timestamp } = entry;
  return before?.action !== action || before.user_id !== user_id || before.timestamp !== timestamp;
}
