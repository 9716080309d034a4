import type pg from "pg";
import { userStatus } from "#contracts/account/account-messages.ts";
import { CHANGES_FACTS } from "#contracts/events/user/account-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { maskEmail, maskPhone } from "#contracts/report/masks.ts";
import { securityMonthsKept } from "#contracts/retention.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { START, type StoredEvent } from "#event-store/port.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { SealedAccountPart } from "#read-model/tables/account.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { BanColumn, FailedSignInTable, UserTable } from "#read-model/tables/user.ts";
import { failedSignInIndex } from "#vault/sealing/hashes.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { EventType, Happened, ReadModel } from "../../keyed/read-model.ts";
import type { Count, TallyTable } from "../../keyed/tallies.ts";
import { accountOf } from "../../streams.ts";

type FailedSignInRow = JsonRow<FailedSignInTable>;

/** Failed sign-ins to existing accounts. Those with an unknown address are shown on no page. */
const failedSignIns: ReadModel<FailedSignInRow, "SignInFailed"> = {
  table: { name: "failed_sign_in", key: "position" },
  handles: ["SignInFailed"],
  keyOf: ({ position }) => position,
  begins: () => true,
  evolve(_, { event, stored, keys }) {
    const accountId = event.data.security?.account_id;
    if (accountId === undefined) return undefined;
    const month = keys.get((stored.data.security as unknown as Sealed).key);
    if (month?.state !== "present") return undefined;
    return {
      position: stored.position,
      at: stored.metadata.time,
      cause: event.data.cause,
      account_index: failedSignInIndex(month.key, accountId),
      event_id: stored.id,
      stream: stored.stream,
      schema_version: stored.metadata.schemaVersion,
      client: (stored.metadata.client as Sealed | undefined) ?? null,
    };
  },
};

/** Rows that one statement deletes, to stay within its time limit. */
const AT_ONCE = 5_000;

/** Deletes failed sign-ins of months whose keys are destroyed: no one can tell whose they were. */
export async function forgetFailedSignIns(
  sql: Pick<pg.Pool, "query">,
  now = new Date(),
  atOnce = AT_ONCE,
): Promise<void> {
  const first = `${securityMonthsKept(now).at(-1)}-01T00:00:00Z`;
  for (let removed = atOnce; removed >= atOnce; ) {
    const { rowCount } = await sql.query(
      `delete from users.failed_sign_in where position in (
         select position from users.failed_sign_in where at < $1 order by at limit $2)`,
      [first, atOnce],
    );
    removed = rowCount ?? 0;
  }
}

/** The accounts as staff see and search them, the failed sign-ins to them, and the number of accounts. */
export function usersProjection(): Projection {
  return keyedProjection({
    name: "users",
    schema: projectedSchemas.users,
    models: [users, failedSignIns],
    filter: { streamPrefixes: ["user-", "session-", "security-", LOG_STREAM] },
    opens: true,
    erasedBy: ACCOUNT_ENDS as readonly EventType[],
  });
}

type UserRow = JsonRow<UserTable>;

/** The accounts that have not ended. */
const users: ReadModel<UserRow> = {
  table: { name: "user", key: "id" },
  handles: undefined,
  keyOf: ({ type, stream, data }) =>
    type === "SessionStarted" ? String(data.account_id) : accountOf(stream),
  // A session's first event is about an account that exists.
  begins: ({ stream, revision }) => revision === 0 && accountOf(stream) !== undefined,
  evolve(row, happened) {
    if (!row) return begun(happened);
    const after = changed(row, happened);
    if (!after || after === row) return after;
    const { type, revision } = happened.stored;
    const facts_revision = CHANGES_FACTS.has(type) ? revision : row.facts_revision;
    return { ...after, facts_revision, status: statusOf(after) };
  },
  figuresOf,
};

const statusOf = ({
  closed_by,
  ban,
  confirmed,
}: Pick<UserRow, "closed_by" | "ban" | "confirmed">) =>
  userStatus({
    closed: closed_by ? { byOwner: closed_by === "owner" } : undefined,
    banned: ban,
    confirmed,
  });

function begun({ key, event, stored }: Happened): UserRow | undefined {
  if (
    event.type !== "AccountAdded" &&
    event.type !== "AccountRegistered" &&
    event.type !== "AccountInvited"
  )
    return undefined;
  const confirmed = event.type === "AccountAdded";
  const facts = { confirmed, closed_by: null, ban: null };
  return {
    id: key,
    role: event.type === "AccountRegistered" ? "user" : event.data.role,
    ...facts,
    status: statusOf(facts),
    erase_at: null,
    ...namesOf(event.data.account),
    ...addressOf(event.data.account),
    two_factor: false,
    created_at: stored.metadata.time,
    last_sign_in_at: null,
    owns_after: START,
    facts_revision: 0,
  };
}

/** @returns undefined once the account has ended. */
function changed(row: Readonly<UserRow>, { event, stored }: Happened): UserRow | undefined {
  switch (event.type) {
    case "EmailConfirmed": {
      const confirmed = { ...row, confirmed: true };
      if (!event.data.dropped) return confirmed;
      const facts = { ...namesOf(null), ...addressOf(event.data.account) };
      const fresh = { closed_by: null, erase_at: null, two_factor: false, last_sign_in_at: null };
      return { ...confirmed, ...fresh, ...facts, owns_after: stored.position };
    }
    case "ProfileEdited":
      return { ...row, ...namesOf(event.data.account) };
    case "EmailChanged":
      return { ...row, ...addressOf(event.data.account) };
    case "EmailChangeUndone": {
      const factor = event.data.two_factor === "kept" ? {} : { two_factor: false };
      const open = { closed_by: null, erase_at: null };
      return { ...row, ...factor, ...open, ...addressOf(event.data.account) };
    }
    case "TwoFactorEnabled":
      return { ...row, two_factor: true };
    case "TwoFactorDisabled":
    case "TwoFactorReset":
      return { ...row, two_factor: false };
    case "AccountBanned":
      return { ...row, ban: banOf(stored, event.data.until) };
    case "AccountUnbanned":
    case "PasswordReset":
      return { ...row, ban: null };
    case "AccountRoleChanged":
      return { ...row, role: event.data.to };
    case "AccountClosed": {
      const closed_by = event.data.by === "owner" ? "owner" : "staff";
      return { ...row, closed_by, erase_at: event.data.erase_at ?? null };
    }
    case "AccountReopened":
      return { ...row, closed_by: null, erase_at: null };
    case "AccountReplaced":
    case "AccountExpired":
    case "AccountErased":
      return undefined;
    case "SessionStarted":
      return { ...row, last_sign_in_at: stored.metadata.time };
    default:
      return row;
  }
}

interface Said {
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone?: string;
  readonly blind?: { readonly email?: string } | undefined;
}

/** Null once the account's key is destroyed. */
type MaybeSaid = Said | null | undefined;

function namesOf(said: MaybeSaid) {
  const { first_name = "", last_name = "", phone } = said ?? {};
  return { first_name, last_name, phone: phone === undefined ? null : maskPhone(phone) };
}

function addressOf(said: MaybeSaid) {
  const { email, blind } = said ?? {};
  return { email: email === undefined ? "" : maskEmail(email), email_blind: blind?.email ?? null };
}

function banOf({ id, type, data, metadata }: StoredEvent, until: string | undefined): BanColumn {
  const account = data.account as unknown as Sealed;
  const said: SealedAccountPart = {
    event_id: id,
    event_type: type,
    schema_version: metadata.schemaVersion,
    account,
  };
  return { at: metadata.time, by: metadata.actor.id, until: until ?? null, said };
}

const STATUS_AND_ROLE: TallyTable = {
  name: "figure_standing",
  keys: ["status", "role"],
  sums: ["accounts"],
};

/** Counts an account once, under its status and role. */
function figuresOf({ status, role }: UserRow): Count[] {
  return [{ tally: STATUS_AND_ROLE, key: [status, role], sums: [1] }];
}
