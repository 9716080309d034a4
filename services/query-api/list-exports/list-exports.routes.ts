import { Readable } from "node:stream";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { type Cell, CSV_END, CSV_MARK, csvLine, totalCells, totalColumns } from "#contracts/csv.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { REPORT_FILTERS } from "#contracts/http/admin-reports.ts";
import { AnalyticsQuery } from "#contracts/http/analytics.ts";
import { AuditEntry, AuditQuery } from "#contracts/http/audit.ts";
import { afterRow, type LastRow, rowOfAfter } from "#contracts/http/keyset.ts";
import {
  EXPORT_ASK_LENGTH,
  EXPORTABLE,
  ExportAsk,
  type ExportableList,
  ExportCountReply,
  type ExportFilter,
  type ExportFormat,
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  MAX_EXPORTED,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import { AdminReport } from "#contracts/http/report-view.ts";
import { ListedUser, UsersQuery } from "#contracts/http/users.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { strict } from "#contracts/report/fields.ts";
import type { CallerRole } from "#http/actor.ts";
import { mayContinue } from "#http/auth.ts";
import { LIST_EXPORT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import { RateLimited } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ExportTicket, ListExportSeals } from "#vault/links/list-export.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { countReports, reportsFrom } from "../admin-reports/admin-reports.queries.ts";
import { readAnalytics } from "../analytics/analytics.queries.ts";
import { narrow } from "../audit-log/audit-log.queries.ts";
import type { AuditReader } from "../audit-log/audit-reader.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import type { ReadSide } from "../read-side.ts";
import { presentAdminReport } from "../reports/reports.presenter.ts";
import { Slots } from "../slots.ts";
import { countUsers, presentUser, usersFrom, wantedOf } from "../users/users.queries.ts";

/** Rows of one read, in list order, and where the next one starts; no `next` at the end. */
interface ExportedPage {
  readonly rows: readonly object[];
  readonly next?: string;
}

/** Where a page starts and how long it is. */
interface PageWanted {
  /** The first row's cursor, from the previous page or {@link ExportedList.count}; undefined for the newest row. */
  readonly from: string | undefined;
  readonly limit: number;
  /** Rows that matched when counted, which decides how to find them. */
  readonly counted: number;
}

/** A list that can be exported, newest first. */
export interface ExportedList {
  /** CSV column names: fields of a row. */
  readonly columns: readonly string[];
  /** Returns how many rows match, and the first. @throws {DomainError} `invalid_request` for an unknown filter. */
  count(
    filter: ExportFilter,
    log: FastifyBaseLogger,
  ): Promise<{ readonly rows: number; readonly first?: string | undefined }>;
  page(filter: ExportFilter, wanted: PageWanted, log: FastifyBaseLogger): Promise<ExportedPage>;
}

/** The parts of a list whose rows are sorted by creation time. */
interface CreatedRows<F, Row> {
  readonly columns: readonly string[];
  wanted(filter: ExportFilter): F;
  count(wanted: F): Promise<number>;
  /** Returns rows from one on, which may have been deleted. @param counted as in {@link PageWanted}. */
  rowsFrom(
    wanted: F,
    from: LastRow | undefined,
    limit: number,
    counted: number,
  ): Promise<readonly Row[]>;
  present(row: Row): object;
}

function newestCreated<F, Row extends { readonly created_at: Date; readonly id: string }>(
  list: CreatedRows<F, Row>,
): ExportedList {
  const placeOf = ({ created_at, id }: Row) => afterRow({ at: created_at.toISOString(), id });
  return {
    columns: list.columns,
    async count(filter) {
      const wanted = list.wanted(filter);
      const rows = await list.count(wanted);
      const [first] = await list.rowsFrom(wanted, undefined, 1, rows);
      return { rows, first: first && placeOf(first) };
    },
    async page(filter, { from, limit, counted }) {
      const after = from === undefined ? undefined : rowOfAfter(from);
      const found = await list.rowsFrom(list.wanted(filter), after, limit + 1, counted);
      const next = found[limit];
      return {
        rows: found.slice(0, limit).map(list.present),
        ...(next ? { next: placeOf(next) } : {}),
      };
    },
  };
}

/** @returns the names of a row's fields, in schema order. */
function columnsOf(row: TObject): readonly string[] {
  return Object.keys(row.properties);
}

/** Reads a filter as the list's own query does. @param fields schemas of the list's filters. */
function filterReader<P extends Readonly<Record<string, TSchema>>>(fields: P) {
  const schema = strict(fields);
  const validator = Compile(schema as TSchema);
  return (filter: ExportFilter): Static<typeof schema> => {
    if (validator.Check(filter)) return filter as Static<typeof schema>;
    throw invalidRequest({ [X_EXPORT]: "Unknown filter for this list" });
  };
}

/** Formats a value as one cell: string lists separated by semicolons, objects as JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value as Cell;
  const isList = Array.isArray(value);
  if (isList && value.length === 0) return null;
  if (isList && value.every((each) => typeof each === "string")) return value.join("; ");
  return JSON.stringify(value);
}

const { search, status, action } = AuditQuery.properties;
const readAudit = filterReader({ search, status, action });

/** The audit log. Searching by ID finds the same entries as in the list. */
function exportedAudit(audit: AuditReader): ExportedList {
  return {
    columns: columnsOf(AuditEntry),
    async count(filter, log) {
      return audit.count(narrow(readAudit(filter)), log);
    },
    async page(filter, { from, limit }, log) {
      const { entries, places } = await audit.from(narrow(readAudit(filter)), from, limit + 1, log);
      const next = places[limit];
      return { rows: entries.slice(0, limit), ...(next === undefined ? {} : { next }) };
    },
  };
}

/** How long a count is valid. */
const COUNT_MS = 5 * 60_000;
/** Rows per read. Between reads nothing is open in the database. */
const PAGE_ROWS = 500;
/** An export that takes longer, even because of a slow reader, is cut off. */
const MAX_MS = 10 * 60_000;
/** The route's timeout, longer than that of the rows: what precedes them takes time too. */
const HANDLED_MS = MAX_MS + 60_000;

const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const satisfies Record<ExportFormat, string>;

const asks = Compile(ExportAsk);

/** For the API docs only. Missing or wrong headers get their own error message. */
const header = (name: string, description: string) =>
  Type.Object({ [name]: Type.Optional(Type.String({ description })) });

export function listExportRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, blind, audit } = side;
  const lists = {
    reports: exportedReports(db),
    users: exportedUsers(db, blind),
    audit: exportedAudit(audit),
    analytics: exportedAnalytics(db),
  };
  serveExports(app, lists, side);
}

/** Adds the routes for a list's count and, once the export is logged, its rows. */
export function serveExports(
  app: ServiceInstance,
  lists: Readonly<Record<ExportableList, ExportedList>>,
  side: Pick<ReadSide, "seals" | "accounts"> & { freshness: Pick<ReadYourWrites, "waitFor"> },
): void {
  const { seals, freshness, accounts } = side;
  const running = exportSlots();
  const preHandler = freshness.waitFor(["reports", "offenders", "users", "audit"], "any");

  app.get(
    LIST_EXPORT_COUNT,
    {
      config: { roles: ["admin", "auditor"], limit: "read" },
      schema: {
        tags: ["audit"],
        summary: "Count the rows of a list export; the list and its filter are in X-Export",
        headers: header(X_EXPORT, '{"list": "reports", "filter": {}} as JSON, percent-encoded'),
        response: { 200: ExportCountReply },
      },
      preHandler,
    },
    async (request) => {
      const { list, filter } = askOf(request);
      mayExport(list, request.actor.role);
      const { rows: found, first } = await lists[list].count(filter, request.log);
      const rows = Math.min(found, MAX_EXPORTED);
      const expiresAt = new Date(Date.now() + COUNT_MS).toISOString();
      const counted = { accountId: request.actor.id, list, filter, rows, expiresAt };
      const statement = seals.count.seal({ ...counted, ...omitUndefined({ first }) });
      return succeed({ rows, statement });
    },
  );

  app.route({
    method: "GET",
    url: LIST_EXPORT_ROWS,
    handlerTimeout: HANDLED_MS,
    config: { roles: ["admin", "auditor"], limit: "read", bounds: LIST_EXPORT_BOUNDS },
    schema: {
      tags: ["audit"],
      summary: "The rows of a logged export, with the ticket in X-Export-Ticket",
      headers: header(X_EXPORT_TICKET, "The ticket that starting the export gave"),
      produces: ["text/csv", "application/json"],
      response: { 200: Type.Any() },
    },
    preHandler,
    handler: async (request, reply) => {
      const ticket = ticketOf(request, seals);
      const list = ticket.list as ExportableList;
      mayExport(list, request.actor.role);
      const format = ticket.format as ExportFormat;
      const end = running.take(request.actor.id);
      const exported = lists[list];
      const pages = pagesOf(exported, ticket, request.log, () => mayContinue(request, accounts));
      const text = Readable.from(exportText(pages, format, exported.columns, ticket.rows));
      const timer = setTimeout(
        () => text.destroy(new Error("the export took too long")),
        MAX_MS,
      ).unref();
      // Also if the client disconnects: then no further page is read.
      text.once("close", () => {
        clearTimeout(timer);
        end();
      });
      const day = new Date().toISOString().slice(0, 10);
      return reply
        .type(TYPES[format])
        .header("content-disposition", `attachment; filename="${list}-${day}.${format}"`)
        .header("cache-control", "no-store")
        .send(text);
    },
  });
}

/**
 * Yields the list page by page, each as of when it is read: rows deleted in the meantime are omitted. No
 * page is read before the previous one was consumed, nor for an account that may not continue.
 * @param mayRead checked before each page, so that a ban or the end of a session applies as for requests.
 * @throws {DomainError} `forbidden`
 */
async function* pagesOf(
  list: ExportedList,
  { filter, first, rows: counted }: ExportTicket,
  log: FastifyBaseLogger,
  mayRead: () => Promise<boolean>,
): AsyncGenerator<ExportedPage> {
  let from = first;
  while (from !== undefined) {
    if (!(await mayRead())) throw new DomainError("forbidden", messages.forbidden);
    const page: ExportedPage = await list.page(filter, { from, limit: PAGE_ROWS, counted }, log);
    yield page;
    from = page.next;
  }
}

/** @throws {DomainError} `forbidden` */
function mayExport(list: ExportableList, role: CallerRole): void {
  const roles: readonly string[] = EXPORTABLE[list].roles;
  if (!roles.includes(role)) throw new DomainError("forbidden", messages.forbidden);
}

/** @throws {DomainError} `invalid_request` */
function askOf({ headers }: FastifyRequest): ExportAsk {
  const header = headers[X_EXPORT];
  try {
    if (typeof header === "string" && header.length <= EXPORT_ASK_LENGTH) {
      const ask: unknown = JSON.parse(decodeURIComponent(header));
      if (asks.Check(ask)) return ask as ExportAsk;
    }
  } catch {
    // Rejected below like any other.
  }
  throw invalidRequest({ [X_EXPORT]: "X-Export must name a list and its filter" });
}

/** @throws {DomainError} `invalid_request` */
function ticketOf({ headers, actor }: FastifyRequest, seals: ListExportSeals): ExportTicket {
  const header = headers[X_EXPORT_TICKET];
  const now = new Date().toISOString();
  const ticket = typeof header === "string" ? seals.ticket.open(header, now) : undefined;
  if (ticket && ticket.accountId === actor.id && EXPORTABLE[ticket.list as ExportableList]?.hasRows)
    return ticket;
  throw invalidRequest({
    [X_EXPORT_TICKET]: "This export has expired or isn't yours. Start a new export.",
  });
}

const readPeriod = filterReader({ period: AnalyticsQuery.properties.period });

/** The figures of a period, which the console exports itself. They are counted only for the log. */
function exportedAnalytics(db: ReadModelDatabase): ExportedList {
  return {
    columns: [],
    async count(filter, log) {
      const { period } = readPeriod(filter);
      const { figures, top_reporters, top_offenders } = await readAnalytics(db, period, log);
      const named = (top_reporters?.length ?? 0) + (top_offenders?.length ?? 0);
      return { rows: (figures?.points.length ?? 0) + named };
    },
    page: () => Promise.resolve({ rows: [] }),
  };
}

const readReports = filterReader(REPORT_FILTERS);

function exportedReports(db: ReadModelDatabase): ExportedList {
  return newestCreated({
    // `own` depends on the reader, not on the list.
    columns: columnsOf(AdminReport)
      .filter((column) => column !== "own")
      .flatMap((column) => (column === "offender_totals" ? totalColumns(column) : [column])),
    wanted: readReports,
    count: (wanted) => countReports(db, wanted),
    rowsFrom: (...wanted) => reportsFrom(db, ...wanted),
    present: presentAdminReport,
  });
}

const listed = UsersQuery.properties;
const readUsers = filterReader({
  search: listed.search,
  status: listed.status,
  role: listed.role,
});

function exportedUsers(db: ReadModelDatabase, blind: BlindIndexer): ExportedList {
  return newestCreated({
    columns: columnsOf(ListedUser),
    wanted: (filter) => wantedOf(readUsers(filter), blind),
    count: (wanted) => countUsers(db, wanted),
    rowsFrom: (wanted, from, limit) => usersFrom(db, wanted, from, limit),
    present: presentUser,
  });
}

/** Milliseconds after which to retry. */
const AGAIN_MS = 5000;

/** The exports that this process sends at a time. */
export const exportSlots = () =>
  new Slots({
    ofAccount: 1,
    inAll: 3,
    accountError: () =>
      new RateLimited(
        AGAIN_MS,
        "You already have an export running. Cancel it or wait for it to finish.",
      ),
    totalError: () =>
      new RateLimited(AGAIN_MS, "Too many exports are running. Try again in a few seconds."),
  });

/**
 * Yields the export as text, one piece per page, so that memory holds only one of them. CSV starts with
 * the column names; JSON is an array with one row per line.
 * @param most maximum rows according to the log. Further ones are omitted.
 */
export async function* exportText(
  pages: AsyncIterable<ExportedPage>,
  format: ExportFormat,
  columns: readonly string[],
  most: number,
): AsyncGenerator<string> {
  yield format === "csv" ? `${CSV_MARK}${csvLine(columns)}${CSV_END}` : "[";
  let given = 0;
  for await (const { rows } of pages) {
    const shown = rows.slice(0, most - given);
    if (format === "csv") {
      const lines = shown.map((row) => csvLine(cellsOf(row, columns)) + CSV_END);
      if (lines.length > 0) yield lines.join("");
    } else {
      const lines = shown.map((row, i) => `${given + i > 0 ? "," : ""}\n${JSON.stringify(row)}`);
      if (lines.length > 0) yield lines.join("");
    }
    given += shown.length;
    if (given >= most) break;
  }
  if (format === "json") yield "\n]\n";
}

function cellsOf(row: object, columns: readonly string[]): Cell[] {
  const { offender_totals } = row as Partial<AdminReport>;
  const sums = offender_totals && totalCells("offender_totals", offender_totals);
  const values: Readonly<Record<string, unknown>> = { ...row, ...sums };
  return columns.map((column) => cellOf(values[column]));
}
