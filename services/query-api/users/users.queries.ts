import type { FastifyBaseLogger } from "fastify";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { SIGN_IN_CAUSES, type UserStatus } from "#contracts/account/account-messages.ts";
import { isEmail } from "#contracts/account/email.ts";
import type { Role } from "#contracts/http/account.ts";
import type { LastRow } from "#contracts/http/keyset.ts";
import { ListedUser, UserRecord, type UsersQuery } from "#contracts/http/users.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { securityMonthsKept } from "#contracts/retention.ts";
import { subjects } from "#contracts/sealed.ts";
import { shown } from "#http/envelope.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  type FailedSignInTable,
  SIGNED_IN,
  USER_NAMES,
  type UserTable,
} from "#read-model/tables/user.ts";
import { ownAddress } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { type BlindIndexer, failedSignInIndex } from "#vault/sealing/hashes.ts";
import { maskClient } from "../actors/actor-names.ts";
import { compareCreated } from "../keyset-lists.ts";
import {
  followsStart,
  inListOrder,
  type KeyType,
  MAX_WINDOW,
  type PlacedPage,
  readingOf,
  type Total,
  totalOf,
} from "../placed-lists.ts";
import { containsPattern, searchWords } from "../visible-report.ts";

/** An account as staff see it, with the number of its own reports, excluding deleted ones. */
export type UserListRow = Selectable<UserTable> & { readonly reports_count: number };

/** Filters of the admins' list. An account must match all of them. */
interface UserFilter {
  /** Parts of the name. */
  readonly search?: string | undefined;
  /** Blind index of a complete email address; `search` is then ignored. */
  readonly emailBlind?: string | undefined;
  readonly status?: UserStatus | undefined;
  readonly role?: Role | undefined;
  readonly id?: readonly string[] | undefined;
}

/** Sort fields of the list, with their types. The first is the default. */
export const USER_KEYS = {
  created_at: "timestamptz",
  last_name: "text",
  last_login: "timestamptz",
  id: "uuid",
} as const satisfies Record<string, KeyType>;
type SortField = keyof typeof USER_KEYS;
interface UserSort {
  readonly field: SortField;
  readonly order: "asc" | "desc";
}

/** Maximum number of reports on a user's page. */
const REPORTS_SHOWN = 20;

export function userColumn(field: SortField) {
  return field === "last_login" ? "last_sign_in_at" : field;
}

/** Returns a page of users and the number of matches, up to the window. Users who never signed in sort first. */
export async function listUsers(
  db: ReadModelDatabase,
  filter: UserFilter,
  { field, order }: UserSort,
  page: PlacedPage,
): Promise<{ readonly rows: readonly UserListRow[] } & Total> {
  const conditions = conditionsOf(filter);
  const total = await totalOfUsers(db, filter, conditions);
  const reading = readingOf(page, order, total);
  const columns = [field === "last_login" ? SIGNED_IN : `u.${field}`, "u.id"];
  const behind = followsStart(reading, columns, USER_KEYS[field]);
  const found = await withCount(db)
    .where((eb) => eb.and([...conditions, ...(behind ? [behind] : [])]))
    .orderBy(sql.raw(columns.map((column) => `${column} ${reading.order}`).join(", ")))
    .offset(reading.offset)
    .limit(reading.limit)
    .execute();
  return { rows: inListOrder(reading, found), ...totalOf(page, found.length, total) };
}

async function totalOfUsers(
  db: ReadModelDatabase,
  filter: UserFilter,
  conditions: ReturnType<typeof conditionsOf>,
): Promise<Total> {
  const kept = await precomputedCount(db, filter);
  if (kept > MAX_WINDOW) return { total: kept };
  const { total } = await db
    .selectFrom(
      db
        .selectFrom("users.user as u")
        .select("u.id")
        .where((eb) => eb.and(conditions))
        .limit(MAX_WINDOW)
        .as("found"),
    )
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total === MAX_WINDOW ? { total, atLeast: true } : { total };
}

/** The number of matches, if it follows from the figures table; else zero. */
async function precomputedCount(
  db: ReadModelDatabase,
  { search, emailBlind, id, status, role }: UserFilter,
): Promise<number> {
  if (search !== undefined || emailBlind !== undefined || id) return 0;
  let query = db
    .selectFrom("users.figure_standing")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("accounts"), sql<number>`0`).as("accounts"));
  if (status) query = query.where("status", "=", status);
  if (role) query = query.where("role", "=", role);
  const { accounts } = await query.executeTakeFirstOrThrow();
  return Number(accounts);
}

/** Returns the exact number of matches. */
export async function countUsers(db: ReadModelDatabase, filter: UserFilter): Promise<number> {
  const { total } = await db
    .selectFrom("users.user as u")
    .where((eb) => eb.and(conditionsOf(filter)))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns matching accounts, newest first, from one on, which may have been deleted. */
export async function usersFrom(
  db: ReadModelDatabase,
  filter: UserFilter,
  from: LastRow | undefined,
  limit: number,
): Promise<readonly UserListRow[]> {
  const place = from ? [compareCreated("u", "<=", from)] : [];
  return await withCount(db)
    .where((eb) => eb.and([...conditionsOf(filter), ...place]))
    .orderBy("u.created_at", "desc")
    .orderBy("u.id", "desc")
    .limit(limit)
    .execute();
}

/** @returns undefined if there is no such account, or it no longer exists. */
export async function findUser(
  db: ReadModelDatabase,
  id: string,
): Promise<UserListRow | undefined> {
  return await withCount(db).where("u.id", "=", id).executeTakeFirst();
}

/** Returns an account's newest reports. */
export async function reportsOf(
  db: ReadModelDatabase,
  { id, owns_after }: Pick<UserListRow, "id" | "owns_after">,
) {
  return await db
    .selectFrom("reports.report")
    .select(["id", "first_name", "last_name", "title", "status", "created_at"])
    .where("owner_id", "=", id)
    .where("owned_since", ">", owns_after)
    .orderBy("owned_since", "desc")
    .limit(REPORTS_SHOWN)
    .execute();
}

function withCount(db: ReadModelDatabase) {
  return db
    .selectFrom("users.user as u")
    .selectAll("u")
    .select((from) =>
      from
        .selectFrom("reports.report as r")
        .select((report) => report.fn.countAll<number>().as("count"))
        .whereRef("r.owner_id", "=", "u.id")
        .whereRef("r.owned_since", ">", "u.owns_after")
        .$asScalar()
        .$notNull()
        .as("reports_count"),
    );
}

function conditionsOf({ search, emailBlind, status, role, id }: UserFilter) {
  const words = emailBlind === undefined ? searchWords(search) : [];
  return [
    ...words.map((word) => sql<SqlBool>`${sql.raw(USER_NAMES)} ilike ${containsPattern(word)}`),
    ...(emailBlind === undefined ? [] : [sql<SqlBool>`u.email_blind = ${emailBlind}`]),
    ...(status ? [sql<SqlBool>`u.status = ${status}`] : []),
    ...(role ? [sql<SqlBool>`u.role = ${role}`] : []),
    ...(id ? [sql<SqlBool>`u.id = any(${[...id]}::uuid[])`] : []),
  ];
}

type Filter = {
  readonly [F in "search" | "status" | "role"]?: UsersQuery[F] | undefined;
} & { readonly id?: readonly string[] | undefined };

/** Interprets a filter. A complete email address is looked up as such, anything else in names. */
export function wantedOf(
  { search: text, status: inStatus, role: inRole, id }: Filter,
  blind: BlindIndexer,
): UserFilter {
  const whole = text?.trim() ?? "";
  const emailBlind = isEmail(whole) ? blind("reporter_email", ownAddress(whole)) : undefined;
  return {
    ...omitUndefined({ search: text, emailBlind, id }),
    ...(inStatus === undefined || inStatus === "all" ? {} : { status: inStatus }),
    ...(inRole === undefined || inRole === "all" ? {} : { role: inRole }),
  };
}

/** Whether report `r` is not a banned account's; these few accounts are looked up once per statement. */
export const NOT_OF_BANNED: RawBuilder<SqlBool> = sql<SqlBool>`(r.owner_id is null or r.owner_id <> all(
  array(select u.id from users.user u where u.status = 'banned' limit ${MAX_WINDOW})))`;

/** Maximum number of failed sign-ins on a user's page. */
const SHOWN = 20;

type Shown = UserRecord["failed_sign_ins"][number];
type Row = Selectable<FailedSignInTable>;

/** Returns an account's newest failed sign-ins, masked, as long as the keys of their months exist. */
export async function failedSignInsOf(
  accountId: string,
  { db, keys }: { readonly db: ReadModelDatabase; readonly keys: KeyStore },
  log: FastifyBaseLogger,
): Promise<Shown[]> {
  const found = await keys.get(securityMonthsKept(new Date()).map(subjects.security));
  const indexes = [...found.values()].flatMap((lookup) =>
    lookup.state === "present" ? [failedSignInIndex(lookup.key, accountId)] : [],
  );
  const { rows } = await sql<Row>`
    select newest.* from unnest(${indexes}::text[]) as month (account_index), lateral (
      select * from users.failed_sign_in f where f.account_index = month.account_index
      order by f.position desc limit ${SHOWN}
    ) newest
    order by newest.position desc limit ${SHOWN}`.execute(db);
  return rows.flatMap((row) => {
    if (!isKnown(row.cause)) return [];
    const { event_id: id, stream, schema_version: schemaVersion, client } = row;
    const metadata = { schemaVersion, ...omitUndefined({ client: client ?? undefined }) };
    const event = { id, stream, type: "SignInFailed", data: {}, metadata };
    const { user_agent: device, ip_address: network } = maskClient(event, found, log);
    return [{ at: row.at.toISOString(), cause: row.cause, ...omitUndefined({ device, network }) }];
  });
}

function isKnown(cause: string): cause is Shown["cause"] {
  return Object.hasOwn(SIGN_IN_CAUSES, cause);
}

export function presentUser(row: UserListRow): ListedUser {
  return shown(ListedUser, {
    ...row,
    reopenable: row.closed_by === "staff" && !row.erase_at,
    waiting: row.closed_by === "owner",
    last_login: row.last_sign_in_at,
    banned_until: row.ban?.until,
    revision: row.facts_revision,
  });
}

export function presentUserRecord(
  row: UserListRow,
  parts: Pick<UserRecord, "sessions" | "failed_sign_ins" | "reports"> & {
    readonly ban: { readonly reason: string; readonly by: string | undefined } | undefined;
  },
): UserRecord {
  const ban =
    row.ban && parts.ban
      ? {
          reason: parts.ban.reason,
          at: row.ban.at,
          ...omitUndefined({ until: row.ban.until, by: parts.ban.by }),
        }
      : undefined;
  return shown(UserRecord, { ...row, ...presentUser(row), ...parts, ban });
}
