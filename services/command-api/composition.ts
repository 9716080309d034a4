import pg from "pg";
import type { Logger } from "pino";
import { eventDefinitions } from "#contracts/events/index.ts";
import { readEpoch } from "#event-store/log-epoch.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import type { EventStore } from "#event-store/port.ts";
import { preparePasswords } from "#kit/auth/passwords.ts";
import { createPostgresAccountGate } from "#kit/auth/postgres-account-gate.ts";
import { countersCheck, openCounters } from "#kit/counters/open-counters.ts";
import { applyMigrations } from "#kit/db/migrate.ts";
import { PreparingClient } from "#kit/db/preparing-client.ts";
import type { ServiceInstance } from "#kit/http/service.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import { openKeyStore } from "#kit/keys/postgres-key-store.ts";
import { createOneTimeLinks } from "#kit/links/one-time-link.ts";
import { createBlindIndexer } from "#kit/sealing/blind-index.ts";
import { createEventCodec } from "#kit/sealing/event-codec.ts";
import { normaliseEmail } from "#search/matching.ts";
import { AccountService } from "./account/account.service.ts";
import { AccountStore, accountMigrations } from "./account/account.store.ts";
import { RefreshTokenStore, refreshTokenMigrations } from "./account/refresh-token.store.ts";
import { buildCommandApp } from "./app.ts";
import { CommandHandler } from "./commands/command-handler.ts";
import type { CommandApiConfig } from "./config.ts";
import { houseKeep } from "./housekeeping/housekeeping.ts";
import { LogService } from "./log/log.service.ts";
import { ReportService } from "./report/report.service.ts";
import { SecurityRecorder } from "./security/security.recorder.ts";
import { SlugStore, slugMigrations } from "./slug/slug-store.ts";
import { ViewCounter, viewMigrations } from "./views/view-counter.ts";

const HOUR_MS = 3_600_000;

export interface CommandApi {
  readonly app: ServiceInstance;
  readonly reports: ReportService;
  readonly accounts: AccountService;
  readonly log: LogService;
  readonly keys: KeyStore;
  readonly store: EventStore;
  /** Begins the regular sweeps. */
  start(): Promise<void>;
  /** Ends the HTTP side first, then writes what waits, then closes the stores. */
  stop(): Promise<void>;
}

/** Opens the stores that the configuration names and builds the service over them. */
export async function composeCommandApi(
  config: CommandApiConfig,
  log: Logger,
): Promise<CommandApi> {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: 8,
    Client: PreparingClient,
  });
  pool.on("error", (err) => log.warn({ err }, "a database connection was lost"));
  await applyMigrations(pool, "command", [
    ...accountMigrations,
    ...refreshTokenMigrations,
    ...slugMigrations,
  ]);
  await applyMigrations(pool, "views", viewMigrations);
  const keys = await openKeyStore({ database: config.keysUrl, masterKeys: config.masterKeys });
  const store = await openEventStore(config.eventStoreUrl, { log });
  const [commandKey, tokenKey, slugKey, linkKey, blindKey] = (await Promise.all(
    ["commands", "tokens", "slugs", "links", "blind-index"].map((name) => keys.serviceKey(name)),
  )) as [Buffer, Buffer, Buffer, Buffer, Buffer];

  const handler = new CommandHandler({ store, keys, codec: createEventCodec(eventDefinitions) });
  const logService = new LogService(handler);
  await logService.start(new Date().toISOString());
  const epoch = await readEpoch(store);
  if (!epoch) throw new Error("the log has no epoch");

  const counters = await openCounters(config.rateLimitUrl, keys, log);
  // The first sign-in with an unknown address must not take longer than the next one.
  await preparePasswords();
  const blind = createBlindIndexer(blindKey);
  const slugs = new SlugStore(pool, slugKey);
  const links = createOneTimeLinks(linkKey);
  const reports = new ReportService({ handler, keys, slugs, links, blind });
  const security = new SecurityRecorder(handler);
  const tokens = new RefreshTokenStore(pool);
  const views = new ViewCounter(pool, (err) => log.warn({ err }, "views were not counted"));
  const accounts = new AccountService({
    handler,
    keys,
    accounts: new AccountStore(pool, keys, blind),
    tokens,
    security,
    ...(config.onSignIn ? { onSignIn: config.onSignIn } : {}),
  });
  const app = await buildCommandApp({
    version: config.version,
    log,
    store,
    reports,
    accounts,
    security,
    views,
    gate: createPostgresAccountGate(pool),
    commandKey,
    tokenKey,
    blindEmail: (email) => blind("account_email", normaliseEmail(email) ?? email),
    epoch,
    now: () => new Date(),
    limits: config.limits,
    counters,
    trustProxyHops: config.trustProxyHops,
    ...(config.corsOrigins ? { corsOrigins: config.corsOrigins } : {}),
    ...(config.originToken ? { originToken: config.originToken } : {}),
    ...(config.processMetrics === undefined ? {} : { processMetrics: config.processMetrics }),
    checks: {
      database: async () => {
        await pool.query("select 1");
        return { ok: true };
      },
      ...countersCheck(counters),
    },
  });

  let sweeping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    sweeping = houseKeep({ store, keys, slugs, tokens, views }, Date.now()).catch((err) =>
      log.warn({ err }, "a sweep failed and will be tried again"),
    );
  };
  return {
    app,
    reports,
    accounts,
    log: logService,
    keys,
    store,
    async start() {
      sweep();
      timer = setInterval(sweep, HOUR_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await app.close();
      await counters.close();
      await sweeping;
      await views.flush();
      await slugs.settled();
      await store.close();
      await keys.close();
      await pool.end();
    },
  };
}
