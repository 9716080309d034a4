import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { expectEachReportOnce, type Load, startLoad } from "./support/lose-one-of-each.ts";
import { type ManyProcesses, startManyProcesses } from "./support/many-processes.ts";
import { untilReady } from "./support/processes.ts";
import {
  createRegistryClient,
  type RegistryClient,
  TIMEOUT_MS,
} from "./support/registry-client.ts";
import { skipWhere } from "./support/skip-where.ts";

const ROUNDS = 3;
/** Reports that must be acknowledged between two losses. */
const ENOUGH = 10;
/** Connection limits of the services, and of the process that makes backups. */
const { backup, ...SERVICES } = CONNECTIONS;
/** Most connections that two processes of each service and one for backups may open together. */
const BUDGET = 2 * Object.values(SERVICES).reduce((n, { most }) => n + most, 0) + backup.most;

let registry: ManyProcesses;
let client: RegistryClient;

beforeAll(async () => {
  if (noHaproxy) return;
  // All stores are on one server: logs, keys, jobs, read models and search.
  registry = await startManyProcesses({ openSearch: false, redis: false });
  client = createRegistryClient(registry);
  await client.signIn();
}, 600_000);
afterAll(() => registry?.close());

const processes = () => Object.values(registry.pairs).flat();

/** Expects that no process has exited or was about to. */
function expectAllAlive(): void {
  for (const { name, child, output } of processes()) {
    expect([name, child.exitCode, child.signalCode]).toEqual([name, null, null]);
    expect(output()).not.toContain("stopping after an uncaught error");
  }
}

async function connections(): Promise<number> {
  const { rows } = await registry.db.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where backend_type = 'client backend' and application_name <> 'test'`,
  );
  return rows[0]?.n ?? 0;
}

/** Waits until `ENOUGH` more reports are acknowledged. @returns the most connections it saw. */
async function acknowledgeMore(load: Load): Promise<number> {
  const wanted = load.acknowledged.size + ENOUGH;
  let most = 0;
  let done = false;
  const watching = (async () => {
    while (!done) most = Math.max(most, await connections().catch(() => 0));
  })();
  await load
    .until("reports are taken", (acknowledged) => acknowledged >= wanted)
    .finally(() => {
      done = true;
    });
  await watching;
  return most;
}

describe("two processes of each service on one PostgreSQL", { timeout: 900_000 }, () => {
  skipWhere(noHaproxy);
  it("survive the loss of all connections, and a kill of the server, under load", async () => {
    const load = startLoad(registry, client);
    let most = await acknowledgeMore(load);
    for (let round = 0; round < ROUNDS; round += 1) {
      await registry.db.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name <> 'test'",
      );
      most = Math.max(most, await acknowledgeMore(load));
      expectAllAlive();
      await registry.postgres.kill();
      await eventually(
        "readiness says so",
        async () => !(await fetch(`${registry.url}/readyz`).catch(() => undefined))?.ok,
        TIMEOUT_MS,
      );
      await registry.postgres.start();
      most = Math.max(most, await acknowledgeMore(load));
      expectAllAlive();
    }
    await load.end();
    for (const service of processes()) await untilReady(service);
    expect(load.refusals.filter((status) => ![502, 503].includes(status))).toEqual([]);
    await expectEachReportOnce(client, load.acknowledged);
    expect(most).toBeGreaterThan(20);
    expect(most).toBeLessThanOrEqual(BUDGET);
    console.log(`  connections at most: ${most} of ${BUDGET}`);
    // SQLSTATE of a refused connection, quoted: a random id may hold the digits.
    for (const { output } of processes()) expect(output()).not.toMatch(/"53300"|too many clients/);
  });

  it("stay within their connection budget afterwards", () => {
    // PostgreSQL's 100 by default, less 3 for superusers and 10 for the operator's commands.
    expect(BUDGET).toBeLessThanOrEqual(87);
  });
});
