import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPool } from "#runtime/db/pool.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { dropLeftovers, dropOutsideLeftovers } from "./composition.ts";
import type { Projection } from "./daemon/projection.ts";
import { openFixture } from "./testing/projector.fixture.ts";

const fixture = forTest(openFixture);
let pool: pg.Pool;
beforeEach(async () => {
  pool = openPool({ url: fixture.config.databaseUrl, name: "one", max: 1 });
});
afterEach(async () => {
  await pool?.end();
});

const stores = () => ({ url: fixture.config.databaseUrl, pool });
const isFree = () => pool.totalCount === pool.idleCount;
const search = () => fixture.stores.projections.filter(({ name }) => name === "search");

describe("a slow drop holds no connection of the pool", () => {
  it("in the database", async () => {
    await fixture.rows("create schema search_old create table leftover (x int)");
    const reader = await fixture.pool.connect();
    await reader.query("begin; select from search_old.leftover");
    const dropping = dropLeftovers(stores(), search());
    await eventually("the drop waits for the reader", async () => {
      const waiting = await fixture.rows(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query like 'drop schema%search_old%'",
      );
      return waiting.length === 1;
    });
    const wasFree = isFree();
    await reader.query("rollback");
    reader.release();
    expect(await dropping).toEqual(["search_old"]);
    expect(wasFree).toBe(true);
  });

  it("in the outside search index", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const dropped: string[] = [];
    const outside: Projection["outside"] = {
      find: async () => ["index-1"],
      async drop(names) {
        dropped.push(...names);
        await answered;
      },
    };
    const dropping = dropOutsideLeftovers(
      stores(),
      search().map((projection) => ({ ...projection, outside })),
    );
    await eventually("the drop is under way", () => dropped.length > 0);
    const wasFree = isFree();
    answer();
    expect(await dropping).toEqual(["index-1"]);
    expect(wasFree).toBe(true);
  });
});

it("leaves alone what a running rebuild is filling", async () => {
  await fixture.rows("create schema search_next");
  const rebuild = await fixture.pool.connect();
  await rebuild.query("select pg_advisory_lock(hashtextextended('rebuild:search', 0))");
  expect(await dropLeftovers(stores(), search())).toEqual([]);
  await rebuild.query("select pg_advisory_unlock(hashtextextended('rebuild:search', 0))");
  rebuild.release();
  expect(await dropLeftovers(stores(), search())).toEqual(["search_next"]);
});
