import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModelPool } from "#read-model/database.ts";
import { installReadModel } from "#read-model/install.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { costOf } from "../testing/rows-read.ts";
import { AUDIT_SORTS, type AuditFilter, type AuditSort, listEntries } from "./audit-log.queries.ts";

const ENTRIES = 20_000;
const WINDOW = 10_000;
/** Upper bound on the rows read from a few ranges or facets. */
const FEW = 400;
const ADMIN = randomUUID();
const OTHER = randomUUID();
const REPORT = randomUUID();

describe("entries that the audit log reads", () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    pool = readModelPool(database.url, { name: "test", max: 4 });
    await installReadModel(pool);
    // Approvals and rejections are all old, so a scan from the newest entry meets none of them
    // early.
    await pool.query(
      `insert into audit.entry
       select lpad(n::text, 20, '0'), gen_random_uuid(), now(), a.actor, a.role, a.command, a.type,
         case when a.kind = 'report' and n % 4 = 0 then 'report-' || $4 else a.kind || '-' || gen_random_uuid() end,
         0, 1, a.status, 'live', case when a.kind = 'report' then gen_random_uuid() end, null, null
       from generate_series(1, $1::int) n,
       lateral (select * from (values
         (1, 1500, $2, 'admin', 'ApproveReport', 'ReportApproved', 'report', 'success'),
         (1501, 3000, $3, 'admin', 'ApproveReport', 'ReportApproved', 'report', 'warning'),
         (3001, 6000, 'visitor', 'visitor', 'SignIn', 'SignInFailed', 'security', 'failure'),
         (6001, 18000, 'visitor', 'visitor', 'SubmitReport', 'ReportSubmitted', 'report', 'success'),
         (18001, 20000, $2, 'admin', 'RejectReport', 'ReportRejected', 'report', 'success')
       ) v (first, last, actor, role, command, type, kind, status) where n between first and last) a`,
      [ENTRIES, ADMIN, OTHER, REPORT],
    );
    await pool.query("analyze audit.entry");
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const staff = new Map([
    [ADMIN, "dana ruiz"],
    [OTHER, "ann lee"],
  ]);
  const namedLike = (word: string) =>
    [...staff].filter(([, name]) => name.includes(word.toLowerCase())).map(([id]) => id);
  const newest: AuditSort = { field: "timestamp", order: "desc" };

  async function listed(filter: AuditFilter, sort = newest, page = { offset: 0, limit: 25 }) {
    let found: Awaited<ReturnType<typeof listEntries>> | undefined;
    const costs = await costOf(pool, async (db) => {
      found = await listEntries(db, filter, namedLike, sort, page);
    });
    const ofPage = costs.find(({ text }) => text.includes("with page"));
    return { rows: found?.rows ?? [], total: found?.total, page: ofPage?.rows ?? 0, costs };
  }

  const filters: [string, AuditFilter, number][] = [
    ["no filter", {}, WINDOW],
    ["one letter", { search: "e" }, WINDOW],
    ["a letter that nothing holds", { search: "x" }, 0],
    ["a percent sign", { search: "%" }, 0],
    ["an underscore", { search: "_" }, 0],
    [
      "200 different words",
      { search: Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ") },
      0,
    ],
    ["twelve words of many entries", { search: "r e p o t s u b m i re po" }, WINDOW],
    ["a very common word", { search: "report" }, WINDOW],
    ["a common action", { action: "SubmitReport" }, WINDOW],
    ["a status of old entries", { status: "failure" }, 3_000],
    ["an action of old entries", { search: "approve" }, 3_000],
    ["a role of old and new entries", { search: "admin" }, 5_000],
    ["a status and an action that never meet", { status: "failure", action: "SubmitReport" }, 0],
    ["two common words that never meet", { search: "visitor approve" }, 0],
    ["a name", { search: "dana" }, 3_500],
    ["a name and an action of old entries", { search: "dana approve" }, 1_500],
    ["a name and a status that never meet", { search: "dana", status: "warning" }, 0],
    ["two names", { search: "dana ann" }, 0],
    ["an account's id and an action that never meet", { search: `${OTHER} reject` }, 0],
    ["the beginning of a report's id", { search: REPORT.slice(0, 8) }, 4_250],
    ["a report's id and a status", { search: `report-${REPORT}`, status: "warning" }, 375],
    ["two ids that never meet", { search: `${REPORT} ${randomUUID()}` }, 0],
    ["the digits of an id, too few of them", { search: REPORT.slice(0, 7).replace(/./, "9") }, 0],
  ];

  it.each(filters)("are those of the page and of the count: %s", async (_, filter, total) => {
    const found = await listed(filter);
    expect(found.total).toBe(total);
    expect(found.rows).toHaveLength(Math.min(25, total));
    for (const { text, rows } of found.costs) expect(rows, text).toBeLessThanOrEqual(WINDOW + FEW);
    if (!filter.search?.includes(REPORT.slice(0, 8))) expect(found.page).toBeLessThanOrEqual(FEW);
  });

  it.each(AUDIT_SORTS)("are those of the window, sorted by %s", async (field) => {
    for (const order of ["asc", "desc"] as const)
      for (const [name, filter] of filters)
        for (const { rows } of (await listed(filter, { field, order })).costs)
          expect(rows, `${name} ${order}`).toBeLessThanOrEqual(WINDOW + FEW);
  });

  it("are none when a word names too many people", async () => {
    const many = Array.from({ length: 151 }, () => randomUUID());
    const list = (names: string[]) =>
      costOf(pool, (db) =>
        listEntries(db, { search: "z" }, () => names, newest, { offset: 0, limit: 25 }),
      );
    await expect(list(many)).rejects.toMatchObject({ code: "invalid_request" });
    for (const { rows } of await list(many.slice(0, 100))) expect(rows).toBeLessThanOrEqual(FEW);
  });

  it("are those up to the page's end, however deep it is", async () => {
    const page = { offset: 9_000, limit: 100 };
    const { rows, page: visited } = await listed({ search: "report" }, newest, page);
    expect(rows[0]?.position).toBe(String(ENTRIES - 9_000).padStart(20, "0"));
    expect(rows).toHaveLength(100);
    expect(visited).toBeLessThanOrEqual(9_100 + FEW);
  });
});
