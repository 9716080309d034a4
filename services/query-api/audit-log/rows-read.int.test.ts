import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModelPool } from "#read-model/database.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import type { PlacedPage } from "../placed-lists.ts";
import { countFacets } from "../testing/audit-entries.ts";
import { costOf } from "../testing/rows-read.ts";
import { AUDIT_KEYS, type AuditSort, keyOf, listEntries } from "./audit-log.queries.ts";
import type { AuditFilter } from "./audit-sources.ts";

const ENTRIES = 20_000;
const WINDOW = 10_000;
/** Maximum rows read from a few ranges or facets. */
const FEW = 400;
const ADMIN = randomUUID();
const OTHER = randomUUID();
/** Rows of the pages that are read in sequence. */
const DEEP = 2500;
const FIRST = { offset: 0, limit: 25 };
const REPORT = randomUUID();

describe("entries read by the audit log", () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await registryDatabase();
    pool = readModelPool(database.url, { name: "test", max: 4 });
    // Approvals and rejections are all old, so a scan from the newest entry finds none of them early.
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
    await countFacets(pool);
    await pool.query(
      `insert into audit.actor (actor_id, role, event_id, stream, event_type, schema_version, added_at)
       values ($1, 'admin', gen_random_uuid(), 'user-' || $1, 'AccountAdded', 1, now())`,
      [ADMIN],
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

  async function listed(filter: AuditFilter, sort = newest, page: PlacedPage = FIRST) {
    let found: Awaited<ReturnType<typeof listEntries>> | undefined;
    const costs = await costOf(pool, async (db) => {
      found = await listEntries(db, filter, namedLike, sort, page);
    });
    const ofPage = costs.find(({ text }) => text.includes("with page"));
    return { rows: found?.rows ?? [], total: found?.total, page: ofPage?.rows ?? 0, costs };
  }

  const filters: [string, AuditFilter, number][] = [
    ["no filter", {}, ENTRIES],
    ["one letter", { search: "e" }, ENTRIES],
    ["a letter that nothing holds", { search: "x" }, 0],
    ["a percent sign", { search: "%" }, 0],
    ["an underscore", { search: "_" }, 0],
    [
      "200 different words",
      { search: Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ") },
      0,
    ],
    ["twelve words of many entries", { search: "r e p o t s u b m i re po" }, 12_000],
    ["a very common word", { search: "report" }, 17_000],
    ["a common action", { action: "SubmitReport" }, 12_000],
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

  it.each(filters)("are only those of the page and of the count: %s", async (_, filter, total) => {
    const found = await listed(filter);
    expect(found.total).toBe(total);
    expect(found.rows).toHaveLength(Math.min(25, total));
    for (const { text, rows } of found.costs) expect(rows, text).toBeLessThanOrEqual(WINDOW + FEW);
    if (!filter.search?.includes(REPORT.slice(0, 8))) expect(found.page).toBeLessThanOrEqual(FEW);
  });

  const fields = Object.keys(AUDIT_KEYS) as AuditSort["field"][];
  // Every third filter per field, alternating in direction.
  it.each([...fields.entries()])("are equally few in every order: %i %s", async (turn, field) => {
    for (const [n, [name, filter]] of filters.entries()) {
      if ((n + turn) % 3) continue;
      const order = (n + turn) % 2 ? "asc" : "desc";
      for (const { rows } of (await listed(filter, { field, order })).costs)
        expect(rows, `${name} ${order}`).toBeLessThanOrEqual(WINDOW + FEW);
    }
  });

  it("are none if a word names too many people", async () => {
    const many = Array.from({ length: 151 }, () => randomUUID());
    const list = (names: string[]) =>
      costOf(pool, (db) =>
        listEntries(db, { search: "z" }, () => names, newest, { offset: 0, limit: 25 }),
      );
    await expect(list(many)).rejects.toMatchObject({ code: "invalid_request" });
    for (const { rows } of await list(many.slice(0, 100))) expect(rows).toBeLessThanOrEqual(FEW);
  });

  it("are those up to the end of the page, counted from the nearer end", async () => {
    const page = { offset: 9_000, limit: 100 };
    const { rows, page: visited } = await listed({ search: "report" }, newest, page);
    expect(rows[0]?.position).toBe(String(ENTRIES - 9_000).padStart(20, "0"));
    expect(rows).toHaveLength(100);
    expect(visited).toBeLessThanOrEqual(9_100 + FEW);
    const last = await listed({}, newest, { offset: ENTRIES - 3, limit: 25 });
    expect(last.rows.map(({ position }) => Number(position))).toEqual([3, 2, 1]);
    expect(last.page).toBeLessThanOrEqual(FEW);
  });

  const everywhere: [string, AuditFilter][] = [
    ["no filter", {}],
    ["a common word", { search: "report" }],
    ["a name", { search: "dana" }],
    ["an account's id", { search: ADMIN }],
    ["the beginning of a report's id", { search: REPORT.slice(0, 8) }],
  ];
  it.each(
    everywhere.flatMap(([name, filter], turn) =>
      fields
        .filter((field) => field !== "id")
        .map((field, n) => [name, field, (n + turn) % 2 ? "asc" : "desc", filter] as const),
    ),
  )(
    "are few on any page, and adjacent pages meet: %s, sorted by %s %s",
    async (_, field, order, filter) => {
      const sort = { field, order };
      const { total = 0 } = await listed(filter, sort);
      const all: string[] = [];
      let beside: PlacedPage["beside"];
      for (let offset = 0; offset < total; offset += DEEP) {
        const page: PlacedPage = { offset, limit: DEEP, ...(beside && { beside }) };
        const { rows, page: visited } = await listed(filter, sort, page);
        if (!filter.search?.startsWith(REPORT.slice(0, 8)))
          expect(visited, `${offset} ${order}`).toBeLessThanOrEqual(4 * DEEP + FEW);
        all.push(...rows.map(({ position }) => position));
        const last = rows.at(-1);
        if (last) beside = { side: "after", key: keyOf(last, field), id: last.event_id };
      }
      expect(new Set(all).size).toBe(total);
      expect(all).toHaveLength(total);
      expect(all).toEqual(await inOrder(all, sort));
      const page: PlacedPage = { offset: total - 50, limit: 25 };
      const [first] = (await listed(filter, sort, { offset: total - 25, limit: 25 })).rows;
      if (!first) throw new Error("no last page");
      const placed = { side: "before", key: keyOf(first, field), id: first.event_id } as const;
      const { rows } = await listed(filter, sort, { ...page, beside: placed });
      expect(rows.map(({ position }) => position)).toEqual(all.slice(-50, -25));
    },
  );

  async function inOrder(positions: readonly string[], { field, order }: AuditSort) {
    const column = {
      timestamp: "",
      id: "",
      action: "command",
      status: "status",
      role: "actor_role",
    };
    const by = [column[field], "position"].filter(Boolean).map((each) => `${each} ${order}`);
    const { rows } = await pool.query(
      `select position from audit.entry where position = any($1) order by ${by.join(", ")}`,
      [positions],
    );
    return rows.map(({ position }) => position);
  }
});
