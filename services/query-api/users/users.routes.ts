import type { FastifyBaseLogger } from "fastify";
import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import {
  ADMIN_USERS,
  ListedUser,
  UserRecord,
  UserRecordReply,
  UsersQuery,
  UsersReply,
} from "#contracts/http/users.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { strict } from "#contracts/report/fields.ts";
import { subjects } from "#contracts/sealed.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { NameOf } from "../actors/actor-names.ts";
import { createPlacedReader, PlacedQuery, pageOf, sendPlaces, sendRange } from "../placed-lists.ts";
import { openPart } from "../profile/profile.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { clientOf, findSessions } from "../sessions/sessions.queries.ts";
import {
  failedSignInsOf,
  findUser,
  listUsers,
  presentUser,
  presentUserRecord,
  reportsOf,
  USER_KEYS,
  type UserListRow,
  userColumn,
  wantedOf,
} from "./users.queries.ts";

const FEED = ["users", "reports"] as const;
/** Where a session was used, and staff names, are in the audit tables. */
const PAGE_FEED = [...FEED, "audit"] as const;
const Id = strict({ id: Type.String({ format: "uuid" }) });
const NO_SESSION = "00000000-0000-0000-0000-000000000000";
/** Maximum number of sessions on a user's page. */
const SESSIONS_SHOWN = 20;

const { search, status, role } = UsersQuery.properties;
/** Filters of the console's list. react-admin's `getMany` filters by `id`. */
const ListFilter = strict({
  search,
  q: search,
  status,
  role,
  id: Type.Optional(Type.Array(Type.String({ format: "uuid" }), { maxItems: 1000 })),
});
const readList = createPlacedReader("users", ListFilter, USER_KEYS);

/** The admins' list and page of accounts, in both the specified format and the console's. */
export function userRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, blind, freshness } = side;
  const waitForList = freshness.waitFor(FEED, "any");
  const waitForOne = freshness.waitFor(PAGE_FEED, "one");

  const read = reads(["admin"], "accounts");
  app.get(
    ADMIN_USERS,
    read({
      summary: "Accounts by page, newest first, with filters",
      querystring: UsersQuery,
      reply: UsersReply,
      preHandler: waitForList,
    }),
    async (request) => {
      const { page = 1, limit = 10, ...filter } = request.query;
      const newest = { field: "created_at", order: "desc" } as const;
      const wanted = wantedOf(filter, blind);
      const { rows, total } = await listUsers(db, wanted, newest, pageOf(page, limit));
      return succeed({ users: rows.map(presentUser), total, page, limit });
    },
  );

  app.get(
    `${ADMIN_USERS}/:id`,
    read({
      summary: "An account's status, sessions, failed sign-ins and reports",
      params: Id,
      reply: UserRecordReply,
      preHandler: waitForOne,
    }),
    async (request, response) => {
      const { id } = request.params;
      await freshness.markParked(response, PAGE_FEED, streams.user(id));
      return succeed(await readRecord(id, side, request.log));
    },
  );

  app.get(
    "/prod/admin/users",
    read({
      summary: "Accounts for ra-data-simple-rest",
      querystring: PlacedQuery,
      reply: Type.Array(ListedUser),
      preHandler: waitForList,
    }),
    async (request, response) => {
      const { page, sort, filter, of } = readList(request.query);
      const { q, search: text = q, ...rest } = filter;
      const { rows, total } = await listUsers(
        db,
        wantedOf({ ...rest, search: text }, blind),
        sort,
        page,
      );
      sendRange(response, "users", page.offset, rows.length, total);
      sendPlaces(response, of, rows, (row) => row[userColumn(sort.field)]);
      return rows.map(presentUser);
    },
  );

  app.get(
    "/prod/admin/users/:id",
    read({
      summary: "One account for ra-data-simple-rest",
      params: Id,
      reply: UserRecord,
      preHandler: waitForOne,
    }),
    async (request, response) => {
      const { id } = request.params;
      await freshness.markParked(response, PAGE_FEED, streams.user(id));
      return readRecord(id, side, request.log);
    },
  );
}

/** @throws {DomainError} `account_not_found`, even for an account that no longer exists. */
async function readRecord(
  id: string,
  { db, keys, names }: ReadSide,
  log: FastifyBaseLogger,
): Promise<UserRecord> {
  const row = await findUser(db, id);
  if (!row) throw new DomainError("account_not_found", "Account not found.");
  const [found, sessions, failed_sign_ins, reports, nameOf] = await Promise.all([
    keys.get([subjects.account(id)]),
    findSessions(db, id, NO_SESSION, new Date()),
    failedSignInsOf(id, { db, keys }, log),
    reportsOf(db, row),
    names.nameOf(row.ban ? [row.ban.by] : [], log),
  ]);
  return presentUserRecord(row, {
    ban: banOf(row, found, nameOf),
    sessions: sessions.slice(0, SESSIONS_SHOWN).map((session) => {
      const { user_agent: device, ip_address: network } = clientOf(session, found, log);
      return {
        started_at: session.started_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        ...omitUndefined({ device, network }),
      };
    }),
    failed_sign_ins,
    reports: reports.map(({ created_at, ...report }) => ({
      ...report,
      created_at: created_at.toISOString(),
    })),
  });
}

type Keys = Parameters<typeof openPart>[2];

function banOf({ id, ban }: UserListRow, keys: Keys, nameOf: NameOf) {
  if (!ban) return undefined;
  const { reason = "" } = openPart(id, ban.said, keys) as { readonly reason?: string };
  return { reason, by: nameOf(ban.by) };
}
