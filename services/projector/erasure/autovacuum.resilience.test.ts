import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnServer, startOwnServer } from "#test-kit/own-server.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { openFixture, type ProjectorFixture } from "../testing/projector.fixture.ts";
import { itemsOf, readPages } from "../testing/raw-pages.ts";

const CANARY = "zqcanary";

let server: OwnServer;
let fixture: ProjectorFixture;
beforeAll(async () => {
  server = await startOwnServer();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  // By default autovacuum checks a database once a minute.
  await client.query("alter system set autovacuum_naptime = '1s'");
  await client.query("select pg_reload_conf()");
  await client.end();
  fixture = await openFixture({ databaseUrl: server.url });
});
afterAll(async () => {
  await fixture?.close();
  await server?.dispose();
});

it("removes what a single erasure left in large tables, without a cleaning", {
  timeout: 120_000,
}, async () => {
  const projector = await fixture.start();
  await projector.ready();
  const named = (last_name: string) => [
    reportSubmitted({ personal: { first_name: "Quinn", last_name, title: last_name } }),
    reportApproved(),
  ];
  for (let n = 0; n < 300; n += 1) await fixture.report(randomUUID(), named(`Other${n}`));
  const gone = randomUUID();
  await fixture.reached(await fixture.report(gone, named(CANARY)));
  /** Lists tables in which a line pointer still leads to the person. */
  const reachable = async () => {
    const pages = await readPages(fixture, ["reports", "offenders", "search", "search_source"]);
    const found = pages
      .filter(({ kind }) => kind === "r")
      .filter(({ bytes }) => itemsOf(bytes).some((item) => item.includes(CANARY)))
      .map(({ relation }) => relation);
    return [...new Set(found)].sort();
  };
  const unclean = async () =>
    (
      await fixture.rows<{ name: string }>(
        `select relid::regclass::text as name from pg_stat_user_tables
         where schemaname = any($1) and n_dead_tup > 0 and relname <> 'meta' order by 1`,
        [["reports", "offenders", "search", "search_source"]],
      )
    ).map(({ name }) => name);
  expect(await reachable()).toEqual(["reports.report", "search.documents"]);
  await fixture.reached(await fixture.report(gone, [reportDeleted(), reportErased()]));
  await eventually("no row leads there", async () => (await reachable()).length === 0, 60_000);
  await eventually("no dead rows", async () => (await unclean()).length === 0, 60_000);
});
