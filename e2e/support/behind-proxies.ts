import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { type Readiness, runChecks } from "#http/health.ts";
import { createLogger } from "#runtime/log.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { composeMailer } from "#services/mailer/composition.ts";
import { composeProjector } from "#services/projector/composition.ts";
import { composeQueryApi } from "#services/query-api/composition.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { IN_PROCESS } from "./config.ts";
import { chargeback } from "./reports.ts";

const ADMIN = { email: "admin@registry.example", password: "Correct-horse-9" };

/** The stores. Services connect to each one separately, although one database holds them all. */
const STORES = ["database", "keys", "log", "search", "jobs"] as const;
export type Store = (typeof STORES)[number];

/** The services in this process, on their own database, with a proxy in front of each store. */
export type BehindProxies = Awaited<ReturnType<typeof startBehindProxies>>;

/** @param onEnd receives the clean-up steps; the last one runs first. */
export async function startBehindProxies(onEnd: (undo: () => Promise<void>) => void) {
  const database = await freshDatabase();
  onEnd(() => database.drop());
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-silent-"));
  onEnd(() => rm(folder, { recursive: true }));
  const { hostname, port } = new URL(database.url);
  const networks = {} as Record<Store, TcpProxy>;
  for (const store of STORES) {
    const network = await startTcpProxy({ host: hostname, port: Number(port) });
    networks[store] = network;
    onEnd(() => network.close());
  }
  const url = (store: Store) => {
    const through = new URL(database.url);
    through.port = String(networks[store].port);
    return through.href;
  };
  const stores = {
    ...IN_PROCESS,
    databaseUrl: url("database"),
    keysUrl: url("keys"),
    eventStoreUrl: url("log"),
    masterKeys: [randomBytes(32)],
    filesUrl: pathToFileURL(path.join(folder, "files")).href,
  };
  const log = createLogger({ name: "test", level: "silent" });
  const commandApi = await composeCommandApi(stores, log);
  onEnd(() => commandApi.stop());
  const projector = await composeProjector({ ...stores, searchUrl: stores.databaseUrl }, { log });
  onEnd(() => projector.stop());
  const queryApi = await composeQueryApi({ ...stores, searchUrl: url("search") }, log);
  onEnd(() => queryApi.stop());
  const mailer = await composeMailer(
    {
      ...stores,
      jobsUrl: url("jobs"),
      smtpUrl: pathToFileURL(folder).href,
      publicUrl: "http://registry.example",
      sweepMs: 500,
    },
    log,
  );
  onEnd(() => mailer.stop());
  onEnd(async () => {
    for (const network of Object.values(networks)) network.restore();
  });
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
  const authorization = `Bearer ${signedIn.json().data.token}`;

  const readiness = {
    "command-api": () => commandApi.app.checkReadiness(),
    "query-api": () => queryApi.app.checkReadiness(),
    projector: () => projector.readiness(),
    mailer: () => runChecks("mailer", mailer.checks, false),
  } satisfies Record<string, () => Promise<Readiness>>;
  return {
    commandApi,
    projector,
    networks,
    readiness,
    isReady: async (service: keyof typeof readiness) =>
      (await readiness[service]()).status === "ready",
    /** Submits a report, each from a different reporter. */
    submit: () =>
      commandApi.app.inject({
        method: "POST",
        url: "/prod/api/reports/submit",
        headers: { "idempotency-key": randomUUID() },
        payload: { ...chargeback, reporter_email: `${randomUUID()}@shop.example` },
      }),
    /** Reads as an admin. */
    read: (address: string) =>
      queryApi.app.inject({ method: "GET", url: address, headers: { authorization } }),
    /** Whether the projector has applied the log up to this position. */
    hasReached: (head: string) =>
      projector.health().every((each) => each.position !== null && each.position >= head),
  };
}
