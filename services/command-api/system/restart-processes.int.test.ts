import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { Caches } from "#operations/caches.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import type { ServiceName } from "#runtime/db/service-roles.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { RequestStore } from "./request.store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let requests: RequestStore;
beforeAll(async () => {
  database = await registryDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
  requests = new RequestStore(pool);
}, 60_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("delete from ops.request; delete from ops.process"));

/** A process that reports and looks when a test says so. */
async function aProcess(service: ServiceName, isSupervised = true) {
  let ended = 0;
  const end = () => {
    ended += 1;
  };
  const reporter = new ProcessReporter({
    pool,
    service,
    parts: [],
    caches: new Caches(),
    log: pino({ level: "silent" }),
    restart: isSupervised ? end : undefined,
  });
  onTestFinished(() => reporter.stop());
  await reporter.beat();
  return { beat: () => reporter.beat(), stop: () => reporter.stop(), ended: () => ended };
}
const settle = () => pool.query("update ops.process set began_at = now() - interval '6 seconds'");

it("ends a process when it is its turn, once, and no other one", async () => {
  const [mailer, projector] = [await aProcess("mailer"), await aProcess("projector")];
  const id = randomUUID();
  const plan = await requests.plan(id);
  expect(plan.map(({ service }) => service)).toEqual(["mailer", "projector"]);
  for (const each of [mailer, projector]) await each.beat();
  expect([mailer.ended(), projector.ended()]).toEqual([0, 0]);
  const [first] = plan;
  if (!first) throw new Error("nobody runs");
  await requests.turn(id, first.id);
  for (const each of [mailer, projector, mailer]) await each.beat();
  expect([mailer.ended(), projector.ended()]).toEqual([1, 0]);
  expect(await requests.standing(id, first)).toEqual({ is_there: true, answer: 1, others: 0 });
  await mailer.stop();
  const next = await aProcess("mailer");
  await next.beat();
  expect(next.ended()).toBe(0);
  expect(await requests.standing(id, first)).toEqual({ is_there: false, answer: 1, others: 0 });
  await settle();
  expect(await requests.standing(id, first)).toMatchObject({ others: 1 });
});

it("lets a process go on that nothing would start again, which says so", async () => {
  const mailer = await aProcess("mailer", false);
  const id = randomUUID();
  const [first] = await requests.plan(id);
  if (!first) throw new Error("nobody runs");
  await requests.turn(id, first.id);
  await mailer.beat();
  expect(await requests.standing(id, first)).toMatchObject({ is_there: true, answer: 0 });
});

it("keeps the plan of a job that goes on in another process, command-api last", async () => {
  for (const service of ["command-api", "query-api", "backup"] as const) await aProcess(service);
  const id = randomUUID();
  const plan = await requests.plan(id);
  expect(plan.map(({ service }) => service)).toEqual(["backup", "query-api", "command-api"]);
  await aProcess("mailer");
  expect(await requests.plan(id)).toEqual(plan);
});
