import type pg from "pg";
import { type TObject, type TSchema, Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_INQUIRIES, InquiriesQuery } from "#contracts/http/admin-inquiries.ts";
import { ADMIN_MAILS, MailsQuery } from "#contracts/http/admin-mails.ts";
import { ADMIN_NOTICES, NoticesQuery } from "#contracts/http/admin-notices.ts";
import { AdminReportsQuery } from "#contracts/http/admin-reports.ts";
import { AuditQuery } from "#contracts/http/audit.ts";
import {
  ADMIN_DOCUMENTS,
  ADMIN_PAYMENTS,
  DocumentsQuery,
  PaymentsQuery,
} from "#contracts/http/documents.ts";
import { OPEN_RESOLUTIONS } from "#contracts/http/resolution.ts";
import { UsersQuery } from "#contracts/http/users.ts";
import { type ReadModelDatabase, readModelPool } from "#read-model/database.ts";
import { listReports } from "./admin-reports/report-list.queries.ts";
import { listEntries } from "./audit-log/audit-log.queries.ts";
import { findPayments, findReportsWithFiles } from "./documents/documents.queries.ts";
import { findInquiries } from "./inquiries/inquiries.queries.ts";
import { findMails } from "./mails/mails.queries.ts";
import { findNotices } from "./notices/notices.queries.ts";
import { MAX_WINDOW } from "./placed-lists.ts";
import { findOpenResolutions } from "./resolutions/resolutions.queries.ts";
import { addManyRows, HALFWAY, RARE_COMMAND, RARE_KIND, RARE_NAME } from "./testing/many-rows.ts";
import { type Fixture, startQueryApi } from "./testing/query-api.fixture.ts";
import { costOf } from "./testing/rows-read.ts";
import { listUsers } from "./users/users.queries.ts";

/** Maximum rows that a page reads from all ranges it is merged from. */
const FEW = 150;
const IN_ORDER = { most: FEW, never: /Sort|Seq Scan|Bitmap/ };
const PAGE = { offset: 0, limit: 25 };
const NEWEST = { field: "created_at", order: "desc" } as const;
const NO_ID = "00000000-0000-0000-0000-000000000000";

type Filter = Readonly<Record<string, string>>;

interface List {
  /** The declaration of its filters. */
  readonly query: TObject;
  readonly read: (db: ReadModelDatabase, filter: never) => Promise<unknown>;
  /** Values to try for free-text filters. */
  readonly samples?: Filter;
}

/** Lists paged by keyset. */
const READ_ON: Readonly<Record<string, List>> = {
  [ADMIN_DOCUMENTS]: { query: DocumentsQuery, read: findReportsWithFiles },
  [ADMIN_INQUIRIES]: {
    query: InquiriesQuery,
    read: (db, filter) => findInquiries(db, filter, new Date()),
  },
  [ADMIN_MAILS]: {
    query: MailsQuery,
    read: (db, { address, ...filter }: { readonly address?: string }) =>
      findMails(db, filter, address),
    samples: { kind: RARE_KIND, address: "nobody@example.net" },
  },
  [ADMIN_NOTICES]: {
    query: NoticesQuery,
    read: (db, filter) => findNotices(db, filter, new Date()),
  },
  [ADMIN_PAYMENTS]: { query: PaymentsQuery, read: findPayments },
};

/** Lists with numbered pages and a total, whose rows are counted up to the window. */
const NUMBERED: Readonly<Record<string, List>> = {
  "/prod/admin/reports": {
    // Filters that no index covers are tested in rows-read.int.
    query: Type.Omit(AdminReportsQuery, [
      "from",
      "to",
      "amount_min",
      "amount_max",
      "country",
      "state",
      "reporter",
      "evidence",
    ]),
    read: (db, filter) => listReports(db, filter, NEWEST, PAGE),
    samples: { q: RARE_NAME },
  },
  "/prod/admin/users": {
    query: UsersQuery,
    read: (db, filter) => listUsers(db, filter, NEWEST, PAGE),
    samples: { search: RARE_NAME },
  },
  "/prod/admin/audit-logs": {
    query: AuditQuery,
    read: (db, filter) =>
      listEntries(db, filter, () => [], { field: "timestamp", order: "desc" }, PAGE),
    samples: { search: "reject", action: RARE_COMMAND },
  },
};

/** The registry's own texts: as few as its staff write, merged with the shipped ones. */
const OF_STAFF = ["/prod/admin/content"];

let service: Fixture;
let pool: pg.Pool;
/** The account whose emails are the oldest. */
let account = "";

beforeAll(async () => {
  service = await startQueryApi();
  account = await addManyRows(service);
  const url = String(service.db.options.connectionString);
  pool = readModelPool(url, { name: "test", max: 2, statementMs: 120_000 });
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await service?.close();
});

/** Possible values of a filter. Excludes page numbers, sorts, and the value for no filter. */
function valuesOf(name: string, schema: TSchema, samples: Filter): readonly string[] {
  const { enum: values, const: only } = schema as {
    readonly enum?: readonly string[];
    readonly const?: string;
  };
  if (only) return [only];
  if (values) return values.filter((value) => value !== "all");
  const sample = samples[name];
  if (sample === undefined) throw new Error(`there is no sample of the filter ${name}`);
  return [sample];
}

const NO_FILTERS = ["after", "page", "limit", "sort", "order"];

/** No filter, each value of each filter, and combinations of different filters. */
function combinations({ query, samples = {} }: List): readonly Filter[] {
  return Object.entries(query.properties)
    .filter(([name]) => !NO_FILTERS.includes(name))
    .reduce<readonly Filter[]>(
      (all, [name, schema]) =>
        all.flatMap((each) => [
          each,
          ...valuesOf(name, schema, samples).map((value) => ({ ...each, [name]: value })),
        ]),
      [{}],
    );
}

/** Reads the list, and fails with the plan if it reads more than it shows. @param never forbidden plan steps. */
async function expectRead(
  { read }: Pick<List, "read">,
  filter: Filter,
  { most, never }: { readonly most: number; readonly never?: RegExp },
): Promise<void> {
  const costs = await costOf(pool, (db) => read(db, filter as never));
  // Contradictory filters need no statement.
  if (Object.keys(filter).length === 0) expect(costs).not.toEqual([]);
  for (const { rows, plan } of costs) {
    const said = `${JSON.stringify(filter)}\n${plan.join("\n")}`;
    expect(
      plan.filter((line) => never?.test(line)),
      said,
    ).toEqual([]);
    expect(rows, said).toBeLessThanOrEqual(most);
  }
}

describe("a list of the console", () => {
  it("is covered by this test", async () => {
    const { paths } = (await service.get("/openapi.json")).json();
    const lists = Object.entries<{ get?: { parameters?: { name: string }[] } }>(paths)
      .filter(([path, { get }]) => {
        const names = get?.parameters?.map(({ name }) => name) ?? [];
        return /\/admin\//.test(path) && (names.includes("after") || names.includes("range"));
      })
      .map(([path]) => path);
    const tried = [...Object.keys(READ_ON), ...Object.keys(NUMBERED), ...OF_STAFF];
    expect(lists.toSorted()).toEqual(tried.toSorted());
  });

  it.each(Object.entries(READ_ON))(
    "is read in index order, whatever the filters: %s",
    async (path, list) => {
      const samples = path === ADMIN_MAILS ? { ...list.samples, account } : list.samples;
      const filters = combinations({ ...list, ...(samples && { samples }) });
      const after = `${HALFWAY.toISOString()}~${path === ADMIN_MAILS ? "mail-0" : NO_ID}`;
      for (const filter of filters)
        for (const page of [filter, { ...filter, after }]) await expectRead(list, page, IN_ORDER);
    },
    60_000,
  );

  it.each(Object.entries(READ_ON))(
    "rejects an invalid page or filter: %s",
    async (path, { query }) => {
      const filters = Object.entries(query.properties).filter(([, schema]) => "enum" in schema);
      expect(filters).not.toEqual([]);
      for (const name of ["after", "page", ...filters.map(([filter]) => filter)])
        expect((await service.get(`${path}?${name}=2`, { as: "admin" })).statusCode, name).toBe(
          400,
        );
    },
  );

  it.each([["open requests for the banner", findOpenResolutions]] as const)(
    "is read in index order: %s",
    async (_, read) => {
      await expectRead({ read }, {}, { ...IN_ORDER, most: OPEN_RESOLUTIONS + 1 });
    },
  );

  it.each(Object.entries(NUMBERED))(
    "reads no more rows than are counted, whatever the filters: %s",
    async (_, list) => {
      const filters = combinations(list).filter((filter) => Object.keys(filter).length <= 2);
      for (const filter of filters) await expectRead(list, filter, { most: MAX_WINDOW + FEW });
    },
    60_000,
  );
});
