import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import type { UserRecord } from "#contracts/http/users.ts";
import { paths } from "../config/paths.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { formatCount, formatInstant } from "../shared/formats.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { Sorry } from "../shared/Sorry.tsx";
import { roleWord, userName } from "./labels.ts";
import { ResetFactor } from "./ResetFactor.tsx";
import { RevealUser } from "./RevealUser.tsx";
import { UserActions } from "./UserActions.tsx";
import { UserHistory } from "./UserHistory.tsx";
import { FailedSignIns, UserReports, UserSessions } from "./UserLists.tsx";
import { UserMails } from "./UserMails.tsx";
import { UserStatusChip } from "./UserStatus.tsx";
import { useUserDialogs } from "./use-user-dialogs.tsx";

/** One user: facts, reports, sessions, failed sign-ins, and what happened to the account. */
export function UserPage() {
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "users", action: "show" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["users", "getOne", id],
    queryFn: async () => (await provider.getOne<UserRecord>("users", { id })).data,
    enabled: !isChecking,
    retry: false,
  });
  // A dialog that is open keeps what is typed in it, whatever becomes of a later look.
  if (error && !data) return <UserLoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <FullPageLoading />;
  return <OpenUser key={data.id} user={data} />;
}

function OpenUser({ user }: { readonly user: UserRecord }) {
  const name = userName(user);
  const dialogs = useUserDialogs();
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center" }}>
        <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
          <PageHeading title={name}>{name}</PageHeading>
          <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            Account {user.id}
          </Typography>
        </Box>
        <UserStatusChip user={user} />
      </Box>
      <UserActions user={user} onOpen={dialogs.open} asButtons />
      <ResetFactor user={user} />
      <RevealUser user={user} />
      <Section title="Facts">
        <FieldList fields={factsOf(user)} />
      </Section>
      <Section title={`Reports (${formatCount(user.reports_count)})`}>
        <UserReports reports={user.reports} total={user.reports_count} />
      </Section>
      <Section title="Sessions">
        <UserSessions sessions={user.sessions} />
      </Section>
      <Section title="Failed sign-ins">
        <FailedSignIns attempts={user.failed_sign_ins} />
      </Section>
      <UserMails id={user.id} />
      <UserHistory id={user.id} />
      {dialogs.dialog}
    </Box>
  );
}

function factsOf(user: UserRecord) {
  const { ban } = user;
  return [
    { label: "Role", value: roleWord(user.role) },
    { label: "Email", value: `${user.email}${user.confirmed ? "" : " (not confirmed)"}` },
    { label: "Phone", value: user.phone ?? "Not given" },
    { label: "Two-factor sign-in", value: user.two_factor ? "On" : "Off" },
    { label: "Created", value: formatInstant(user.created_at) },
    { label: "Last login", value: user.last_login ? formatInstant(user.last_login) : "Never" },
    ...(ban
      ? [
          {
            label: "Banned since",
            value: `${formatInstant(ban.at)}${ban.by ? `, by ${ban.by}` : ""}`,
          },
          { label: "Banned until", value: ban.until ? formatInstant(ban.until) : "Without an end" },
          { label: "Reason of the ban", value: ban.reason || "Erased" },
        ]
      : []),
    ...(user.erase_at ? [{ label: "Erased on", value: formatInstant(user.erase_at) }] : []),
  ];
}

function UserLoadError(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <Sorry
      title={isGone ? "There is no such user" : "The user could not be loaded"}
      actions={[
        ...(isGone
          ? []
          : [
              <Button key="again" variant="contained" onClick={onRetry}>
                Try again
              </Button>,
            ]),
        <Button key="list" variant="outlined" component={RouterLink} to={paths.users}>
          All users
        </Button>,
      ]}
    >
      {isGone
        ? "The account does not exist, or it was erased."
        : messageOf(error, "Unknown error occurred")}
    </Sorry>
  );
}
