import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegistryEvent } from "#contracts/events/index.ts";
import { readModelPool } from "#read-model/database.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { History, histories } from "../../testing/histories.ts";
import { OpenedLog, positionAt, testKeys } from "../../testing/opened.ts";
import { type MemberRow, offendersProjection, personsOf } from "./offenders.projection.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await registryDatabase();
  pool = readModelPool(database.url, { name: "test", max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("persons grouped step by step", () => {
  it("equal all approved reports grouped in one pass, for any batch boundaries", async () => {
    const projection = offendersProjection();
    const keys = testKeys();
    let groups = 0;
    const cuts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(histories, cuts, async (steps, sizes) => {
        const history = new History();
        const ids = Array.from({ length: 12 }, () => randomUUID());
        const log = new OpenedLog();
        for (const step of steps)
          for (const event of history.next(step))
            log.report(ids[step.report] ?? "", event as RegistryEvent);
        await pool.query("truncate offenders.person, offenders.member, offenders.identity_key");
        for (let from = 0, cut = 0; from < log.events.length; cut += 1) {
          const size = sizes[cut % sizes.length] ?? 1;
          const events = log.events.slice(from, from + size);
          from += size;
          const position = positionAt(from);
          await inTransaction(pool, (client) =>
            projection.apply(client, { events, keys, position, epoch: "e" }),
          );
        }
        const { rows } = await pool.query<{ row: MemberRow }>(
          "select to_json(m) as row from offenders.member m",
        );
        const members = rows.map(({ row }) => row);
        const expected = personsOf(members).map(({ latest_at: _, ...person }) => person);
        const found = await pool.query(
          `select id, report_count, report_ids, totals, usd_total_cents, shares, latest_report_id
           from offenders.person order by id`,
        );
        expect(found.rows).toEqual(expected);
        groups += expected.length;
        const personOf = new Map(expected.flatMap((p) => p.report_ids.map((id) => [id, p.id])));
        for (const member of members)
          expect(member.person_id).toBe(personOf.get(member.report_id) ?? null);
        const stored = await pool.query(
          `select report_id, array_agg(key order by key collate "C") as keys
           from offenders.identity_key group by report_id order by report_id`,
        );
        const keyed = members.filter((member) => member.keys.length > 0);
        expect(stored.rows).toEqual(
          keyed
            .map(({ report_id, keys: own }) => ({ report_id, keys: own.toSorted() }))
            .toSorted((a, b) => (a.report_id < b.report_id ? -1 : 1)),
        );
      }),
      { numRuns: 40, endOnFailure: false },
    );
    expect(groups).toBeGreaterThan(25);
  }, 120_000);
});
