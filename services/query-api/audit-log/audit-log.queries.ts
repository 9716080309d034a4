import {
  type Expression,
  type ExpressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from "kysely";
import type { ReadModel, ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import { MAX_WINDOW, type Page } from "../paging.ts";
import { containsPattern, searchWords } from "../text-filter.ts";

export type AuditRow = Selectable<AuditEntryTable>;

/** What the audit log may be filtered by; all that is given must match. */
export interface AuditFilter {
  readonly search?: string;
  readonly status?: "success" | "failure" | "warning";
  /** Name of a command. */
  readonly action?: string;
  /** Ids of events. */
  readonly id?: readonly string[];
}

/** What it may be sorted by; the first is the default. */
export const AUDIT_SORTS = ["timestamp", "id", "action", "resource", "status", "role"] as const;
export interface AuditSort {
  readonly field: (typeof AUDIT_SORTS)[number];
  readonly order: "asc" | "desc";
}

const COLUMNS = {
  timestamp: "position",
  id: "position",
  action: "command",
  resource: "stream",
  status: "status",
  role: "actor_role",
} as const satisfies Record<AuditSort["field"], keyof AuditEntryTable>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * One page of the audit log, and how many entries match, counted up to the window.
 * @param namedLike ids of the accounts whose names hold a word of the search, by word.
 */
export async function listEntries(
  db: ReadModelDatabase,
  filter: AuditFilter,
  namedLike: (word: string) => readonly string[],
  sort: AuditSort,
  page: Page,
): Promise<{ rows: AuditRow[]; total: number }> {
  const rows = db
    .selectFrom("audit.entry as e")
    .selectAll("e")
    .where((eb) => matches(eb, filter, namedLike))
    .orderBy(`e.${COLUMNS[sort.field]}`, sort.order)
    .orderBy("e.position", sort.order)
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const found = db
    .selectFrom("audit.entry as e")
    .select(sql`1`.as("one"))
    .where((eb) => matches(eb, filter, namedLike))
    .limit(MAX_WINDOW);
  const counted = db
    .selectFrom(found.as("found"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const [list, { total }] = await Promise.all([rows, counted]);
  return { rows: list, total };
}

/** The entry of an event. */
export function findEntry(db: ReadModelDatabase, eventId: string): Promise<AuditRow | undefined> {
  return db
    .selectFrom("audit.entry")
    .selectAll()
    .where("event_id", "=", eventId)
    .limit(1)
    .executeTakeFirst();
}

/** Who opened the sealed data of a report; newest last. */
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

function matches(
  eb: ExpressionBuilder<ReadModel & { e: AuditEntryTable }, "e">,
  { search, status, action, id }: AuditFilter,
  namedLike: (word: string) => readonly string[],
): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = [];
  if (id) all.push(sql<SqlBool>`e.event_id = any(${[...id]}::uuid[])`);
  if (status) all.push(eb("e.status", "=", status));
  if (action) all.push(eb("e.command", "=", action));
  for (const word of searchWords(search)) {
    all.push(UUID.test(word) ? isAbout(eb, word.toLowerCase()) : mentions(eb, word, namedLike));
  }
  return eb.and(all);
}

/** A whole id: the event's, the actor's, or what a stream is named after. */
function isAbout(
  eb: ExpressionBuilder<ReadModel & { e: AuditEntryTable }, "e">,
  id: string,
): Expression<SqlBool> {
  const streams = ["report", "user", "session", "access", "security"].map(
    (kind) => `${kind}-${id}`,
  );
  return eb.or([
    eb("e.event_id", "=", id),
    eb("e.actor_id", "=", id),
    eb("e.report_id", "=", id),
    eb("e.stream", "in", streams),
  ]);
}

function mentions(
  eb: ExpressionBuilder<ReadModel & { e: AuditEntryTable }, "e">,
  word: string,
  namedLike: (word: string) => readonly string[],
): Expression<SqlBool> {
  const pattern = containsPattern(word);
  const accounts = namedLike(word);
  return eb.or([
    eb("e.command", "ilike", pattern),
    eb("e.stream", "ilike", pattern),
    eb("e.actor_role", "ilike", pattern),
    sql<SqlBool>`e.event_id::text like ${pattern.toLowerCase()}`,
    ...(accounts.length > 0 ? [eb("e.actor_id", "in", [...accounts])] : []),
  ]);
}
