import { type RawBuilder, type Selectable, sql } from "kysely";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { PLACE } from "#contracts/http/list-place.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import { type AccountName, type ClientView, fullName } from "../actors/actor-names.ts";
import { readThroughIndexes } from "../keyset-lists.ts";
import {
  inListOrder,
  type KeyType,
  MAX_WINDOW,
  type Order,
  type PlacedPage,
  type Reading,
  readingOf,
  type Total,
  totalOf,
} from "../placed-lists.ts";
import {
  type AuditFilter,
  type NamedLike,
  positionOf,
  type Source,
  sourcesOf,
  wholeLog,
} from "./audit-sources.ts";

export type AuditRow = Selectable<AuditEntryTable>;

/** Sort fields of the audit log, with their types. The first is the default. */
export const AUDIT_KEYS = {
  timestamp: "text",
  id: "text",
  action: "text",
  status: "text",
  role: "text",
} as const satisfies Record<string, KeyType>;

export interface AuditSort {
  readonly field: keyof typeof AUDIT_KEYS;
  readonly order: Order;
}

/**
 * Returns one page of the audit log, and the number of matching entries: from the projection, or counted
 * up to the window if the filter names accounts or IDs.
 *
 * A filter becomes index ranges. All entries in a range have the same action, role and status, so in each
 * order the page is merged from the ranges it spans, reading few entries besides its own.
 * @param namedLike IDs of the accounts whose names contain a search word.
 * @throws {DomainError} `invalid_request` if a word matches too many accounts, or for a page without a
 * neighboring row that is too far from both ends.
 */
export async function listEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
  sort: AuditSort,
  page: PlacedPage,
): Promise<{ readonly rows: readonly AuditRow[] } & Total> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const all = await sourcesOf(reads, filter, namedLike);
    const sources = isInLogOrder(filter, sort) ? wholeLog(all) : all;
    const counted = {
      total: sources.reduce((sum, { entries }) => sum + entries, 0),
      atLeast: sources.some(({ atLeast }) => atLeast),
    };
    const reading = readingOf(page, sort.order, counted);
    const beside = reading.from && besideOf(reading.from, sort.field);
    const { stretches, offset } = stretchesOf(sources, { ...reading, beside }, sort.field);
    const end = offset + reading.limit;
    const rows = await readStretches(reads, stretches, reading.order, { offset, end });
    return { rows: inListOrder(reading, rows), ...totalOf(page, rows.length, counted) };
  });
}

async function readStretches(
  db: ReadModelDatabase,
  stretches: readonly Stretch[],
  order: Order,
  { offset, end }: { readonly offset: number; readonly end: number },
): Promise<readonly AuditRow[]> {
  if (stretches.length === 0) return [];
  const each = stretches.map(
    ({ sources, behind }, place) =>
      sql`(select position, ${sql.lit(place)} as place from (${merged(sources, order, end, behind)}) stretch)`,
  );
  const direction = sql.raw(order);
  const { rows } = await sql<AuditRow & { place: number }>`
    with page as (
      select * from (${sql.join(each, sql` union all `)}) found
      order by place, position ${direction} offset ${offset} limit ${end - offset}
    )
    select page.place, entry.* from page,
      lateral (select * from audit.entry e where e.position = page.position limit 1) entry
    order by page.place, page.position ${direction}`.execute(db);
  return rows;
}

/** Returns the number of matching entries, and the position of the newest one. */
export async function countEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
): Promise<{ rows: number; first?: string | undefined }> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const sources = await sourcesOf(reads, filter, namedLike, undefined);
    if (sources.length === 0) return { rows: 0 };
    const rows = sources.reduce((sum, { entries }) => sum + entries, 0);
    const first = await sql<{ position: string }>`${merged(sources, "desc", 1)}`.execute(reads);
    return { rows, first: first.rows[0]?.position };
  });
}

/** Returns matching entries in log order, newest first. @param from position of the first one, if not the newest. */
export async function entriesFrom(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: NamedLike,
  from: string | undefined,
  limit: number,
): Promise<readonly AuditRow[]> {
  return readThroughIndexes(db, "looked_up", async ({ db: reads }) => {
    const all = await sourcesOf(reads, filter, namedLike);
    const sources = isInLogOrder(filter) ? wholeLog(all) : all;
    if (sources.length === 0) return [];
    const behind = from === undefined ? undefined : { position: from, including: true };
    const { rows } = await sql<AuditRow>`
      with page as (${merged(sources, "desc", limit, behind)})
      select entry.* from page,
        lateral (select * from audit.entry e where e.position = page.position limit 1) entry
      order by page.position desc`.execute(reads);
    return rows;
  });
}

/** Whether the list is the whole log in log order, so that nothing needs merging. */
function isInLogOrder(filter: AuditFilter, sort?: AuditSort): boolean {
  const isByTime = !sort || sort.field === "timestamp" || sort.field === "id";
  return isByTime && Object.values(filter).every((value) => value === undefined || value === "");
}

/** The positions of the first entries of all sources merged in log order. */
function merged(
  sources: readonly Source[],
  order: Order,
  limit: number,
  behind?: Stretch["behind"],
): RawBuilder<unknown> {
  const position = positionOf(sources);
  const first = sql`order by ${position} ${sql.raw(order)} limit ${limit}`;
  const sign = sql.raw((order === "asc" ? ">" : "<") + (behind?.including ? "=" : ""));
  const rest = behind ? sql`and ${position} ${sign} ${behind.position}` : sql``;
  const each = sources.map(({ from }) => sql`(select position ${from} ${rest} ${first})`);
  return sql`select position from (${sql.join(each, sql` union all `)}) source ${first}`;
}

export function findEntry(db: ReadModelDatabase, eventId: string): Promise<AuditRow | undefined> {
  return db
    .selectFrom("audit.entry")
    .selectAll()
    .where("event_id", "=", eventId)
    .limit(1)
    .executeTakeFirst();
}

/** Returns entries about reveals of a report's encrypted data, newest last. */
export function reveals(db: ReadModelDatabase, reportId: string): Promise<AuditRow[]> {
  return db
    .selectFrom("audit.entry")
    .selectAll()
    .where("report_id", "=", reportId)
    .where("event_type", "=", "PersonalDataViewed")
    .orderBy("position")
    .limit(MAX_WINDOW)
    .execute();
}

/** Columns that the log can be sorted by, ahead of the time. */
type Key = keyof NonNullable<Source["shared"]>;
const COLUMNS: Readonly<Record<string, Key>> = {
  action: "command",
  status: "status",
  role: "actor_role",
};

/** An entry next to a page: the sort value it shares with its neighbors (empty in log order), and its position. */
interface Beside {
  readonly shared: string;
  readonly position: string;
}

/** Sources with the same sort value, in log order. */
interface Stretch {
  readonly sources: readonly Source[];
  /** The position to start after, or at if `including`. */
  readonly behind?: { readonly position: string; readonly including?: boolean } | undefined;
}

/** Returns an entry's sort key as one text, used as a keyset cursor. */
export function keyOf(row: Pick<AuditEntryTable, Key | "position">, field: string): string {
  const column = COLUMNS[field];
  return column ? `${row[column]} ${row.position}` : row.position;
}

/** Parses a {@link keyOf}. @throws {DomainError} `invalid_request` for a cursor of a list in another order. */
function besideOf({ key }: { readonly key: string }, field: string): Beside {
  const [shared, position, ...more] = COLUMNS[field] ? key.split(" ") : ["", key];
  if (shared === undefined || position === undefined || more.length > 0)
    throw invalidRequest({ [PLACE]: "place must be a cursor from this list" });
  return { shared, position };
}

/** The stretches of the log that a page spans, and how many entries of the first precede it. */
function stretchesOf(
  sources: readonly Source[],
  {
    order,
    beside,
    offset,
    limit,
  }: Pick<Reading, "order" | "offset" | "limit"> & { readonly beside: Beside | undefined },
  field: string,
): { readonly stretches: readonly Stretch[]; readonly offset: number } {
  const column = COLUMNS[field];
  const groups = [...Map.groupBy(sources, ({ shared }) => (column && shared?.[column]) ?? "")];
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string, b: string) => sign * (a < b ? -1 : Number(a > b));
  const stretches: Stretch[] = [];
  let before = offset;
  let found = 0;
  for (const [value, of] of groups.toSorted(([a], [b]) => compare(a, b))) {
    const side = beside ? compare(value, beside.shared) : 1;
    if (side < 0) continue;
    if (beside && side === 0) {
      stretches.push({ sources: of, behind: { position: beside.position } });
      continue;
    }
    const entries = of.reduce((sum, source) => sum + source.entries, 0);
    const isKnown = !of.some(({ atLeast }) => atLeast);
    if (stretches.length === 0 && isKnown && entries <= before) {
      before -= entries;
      continue;
    }
    stretches.push({ sources: of });
    found += entries;
    if (found >= before + limit) break;
  }
  return { stretches, offset: before };
}

/** Drops the status `all`, which the console sends when none is set. */
export function narrow<
  T extends { status?: "all" | "success" | "failure" | "warning" | undefined },
>({ status: wanted, ...rest }: T) {
  return wanted === undefined || wanted === "all" ? rest : { ...rest, status: wanted };
}

/** Displayed for actors without a name. */
const ROLE_NAMES: Readonly<Record<string, string>> = {
  visitor: "Visitor",
  user: "User",
  admin: "Admin",
  auditor: "Auditor",
  system: "System",
};

export function presentEntry(
  row: AuditRow,
  name: AccountName | undefined,
  client: ClientView,
): AuditEntry {
  const { ip_address, user_agent } = client;
  return {
    id: row.event_id,
    user: (name && fullName(name)) || (ROLE_NAMES[row.actor_role] ?? row.actor_role),
    user_id: row.actor_id,
    role: row.actor_role,
    action: row.command,
    resource: row.stream,
    ...omitUndefined({ details: row.details, ipAddress: ip_address, userAgent: user_agent }),
    timestamp: row.at.toISOString(),
    status: row.status,
  };
}
