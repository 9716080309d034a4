import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { type Readiness, runChecks } from "#kit/http/health.ts";
import { createLogger } from "#kit/log.ts";
import { type CommandApi, composeCommandApi } from "#services/command-api/composition.ts";
import { composeMailer, type Mailer } from "#services/mailer/composition.ts";
import { composeProjector, type Projector } from "#services/projector/composition.ts";
import { composeQueryApi, type QueryApi } from "#services/query-api/composition.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { chargeback } from "./support/reports.ts";
import { askIntoSilence, recovered, soon, within } from "./support/silence.ts";

const ADMIN = { email: "admin@registry.example", password: "Correct-horse-9" };

const STORES = ["database", "keys", "log", "search", "jobs"] as const;
type Store = (typeof STORES)[number];

let database: TestDatabase;
let folder: string;
const networks = {} as Record<Store, TcpProxy>;
let commandApi: CommandApi;
let queryApi: QueryApi;
let projector: Projector;
let mailer: Mailer;
let token = "";
let reportId = "";

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-silent-"));
  const { hostname, port } = new URL(database.url);
  for (const store of STORES)
    networks[store] = await startTcpProxy({ host: hostname, port: Number(port) });
  const url = (store: Store) => {
    const through = new URL(database.url);
    through.port = String(networks[store].port);
    return through.href;
  };
  const stores = {
    version: "test",
    databaseUrl: url("database"),
    keysUrl: url("keys"),
    eventStoreUrl: url("log"),
    masterKeys: [randomBytes(32)],
    limits: "off" as const,
    trustProxyHops: 0,
    processMetrics: false,
  };
  const log = createLogger({ name: "test", level: "silent" });
  commandApi = await composeCommandApi(stores, log);
  projector = await composeProjector({ ...stores, searchUrl: stores.databaseUrl }, { log });
  queryApi = await composeQueryApi({ ...stores, searchUrl: url("search") }, log);
  mailer = await composeMailer(
    {
      ...stores,
      jobsUrl: url("jobs"),
      smtpUrl: pathToFileURL(folder).href,
      publicUrl: "http://registry.example",
      productName: "Registry",
      supportEmail: "help@registry.example",
      sweepMs: 500,
    },
    log,
  );
  for (const service of [projector, queryApi, mailer]) await service.start();
  await commandApi.accounts.add(
    { ...ADMIN, role: "admin", firstName: "Dana", lastName: "Ruiz" },
    {
      actor: { id: "system", role: "system" },
      origin: "live",
      correlationId: randomUUID(),
      now: new Date().toISOString(),
    },
  );
  const signedIn = await commandApi.app.inject({
    method: "POST",
    url: "/prod/api/auth/login",
    payload: ADMIN,
  });
  token = signedIn.json().data.token;
}, 120_000);
afterEach(() => {
  for (const network of Object.values(networks)) network.restore();
});
afterAll(async () => {
  for (const service of [mailer, queryApi, projector, commandApi]) await service?.stop();
  for (const network of Object.values(networks)) await network.close();
  await database.drop();
  await rm(folder, { recursive: true });
}, 120_000);

const submit = () =>
  commandApi.app.inject({
    method: "POST",
    url: "/prod/api/reports/submit",
    headers: { "idempotency-key": randomUUID() },
    payload: { ...chargeback, reporter_email: `${randomUUID()}@shop.example` },
  });
const read = (url: string) =>
  queryApi.app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });

type Answer = Awaited<ReturnType<typeof submit>>;

/** Every request is answered: at first with what was asked for, then with 503. */
async function expectAnswers(store: Store, ask: () => Promise<Answer>): Promise<void> {
  const answers = await askIntoSilence(() => networks[store].swallow(), ask);
  for (const answer of answers) expect([200, 201, 503]).toContain(answer.statusCode);
  const last = answers.at(-1) as Answer;
  expect(last.statusCode).toBe(503);
  expect(last.headers["retry-after"]).toBeDefined();
  expect(last.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
}

const readiness = {
  "command-api": () => commandApi.app.checkReadiness(),
  "query-api": () => queryApi.app.checkReadiness(),
  projector: () => projector.readiness(),
  mailer: () => runChecks("mailer", mailer.checks, false),
} satisfies Record<string, () => Promise<Readiness>>;
const isReady = async (service: keyof typeof readiness) =>
  (await readiness[service]()).status === "ready";

const history = () => `/prod/api/admin/reports/${reportId}/history`;
const READS: readonly (readonly [store: Store, address: () => string])[] = [
  ["database", () => "/prod/api/reports/recent"],
  ["search", () => "/prod/api/reports/search?q=ames"],
  ["keys", history],
  ["log", history],
];

describe("a store that accepts connections and never answers", { timeout: 400_000 }, () => {
  // A submit needs no other store: it is its keys and one append.
  it.each(["keys", "log"] as const)(
    "stops no submit for longer than a request may take: %s",
    async (store) => {
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      expect((await submit()).statusCode).toBe(200);
      await expectAnswers(store, submit);
      await expect.poll(() => isReady("command-api"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      await expect.poll(async () => (await submit()).statusCode, recovered).toBe(200);
    },
  );

  it("takes submissions while the database of the read models is silent, and reads answer 503", async () => {
    await expect.poll(() => isReady("command-api"), recovered).toBe(true);
    const recent = () => read("/prod/api/reports/recent");
    await expect.poll(async () => (await recent()).statusCode, recovered).toBe(200);
    const answers = await askIntoSilence(() => networks.database.swallow(), submit);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect((await within(recent())).statusCode).toBe(503);
    await expect.poll(() => isReady("query-api"), soon).toBe(false);
    expect((await within(submit())).statusCode).toBe(200);
    networks.database.restore();
    await expect.poll(async () => (await recent()).statusCode, recovered).toBe(200);
    const head = (await commandApi.store.head()) as string;
    const reached = () =>
      projector.health().every((each) => each.position !== null && each.position >= head);
    await expect.poll(reached, recovered).toBe(true);
  });

  it.each(READS)("stops no read for longer than a request may take: %s", async (store, address) => {
    reportId ||= (await submit()).json().data.id;
    const ask = () => read(address());
    await expect.poll(async () => (await ask()).statusCode, recovered).toBe(200);
    await expectAnswers(store, ask);
    await expect.poll(() => isReady("query-api"), soon).toBe(false);
    networks[store].restore();
    await expect.poll(() => isReady("query-api"), recovered).toBe(true);
    await expect.poll(async () => (await ask()).statusCode, recovered).toBe(200);
  });
  it.each(["database", "keys", "log"] as const)(
    "is told of by a projector, which goes on by itself: %s",
    async (store) => {
      await expect.poll(() => isReady("projector"), recovered).toBe(true);
      networks[store].swallow();
      await expect.poll(() => isReady("projector"), soon).toBe(false);
      networks[store].restore();
      const position = async () => {
        const answer = await submit();
        expect(answer.statusCode).toBe(200);
        return (await commandApi.store.head()) as string;
      };
      await expect.poll(() => isReady("command-api"), recovered).toBe(true);
      const head = await position();
      const reached = () =>
        projector.health().every((each) => each.position !== null && each.position >= head);
      await expect.poll(reached, recovered).toBe(true);
      await expect.poll(() => isReady("projector"), recovered).toBe(true);
    },
  );

  it.each(["database", "keys", "log", "jobs"] as const)(
    "is told of by a mailer, which goes on by itself: %s",
    async (store) => {
      await expect.poll(() => isReady("mailer"), recovered).toBe(true);
      networks[store].swallow();
      await expect.poll(() => isReady("mailer"), soon).toBe(false);
      networks[store].restore();
      await expect.poll(() => isReady("mailer"), recovered).toBe(true);
      await expect.poll(async () => (await submit()).statusCode, recovered).toBe(200);
      const waiting = async () => {
        const { checks } = await readiness.mailer();
        const { queued, failing } = (checks.mails?.detail ?? {}) as Record<string, number>;
        return `${queued} queued, ${failing} failing`;
      };
      await expect.poll(waiting, recovered).toBe("0 queued, 0 failing");
    },
  );
});
