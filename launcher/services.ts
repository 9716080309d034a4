import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type Readiness, runChecks } from "#http/health.ts";
import { makeOriginToken } from "#http/origin.ts";
import type { ServiceInstance } from "#http/service.ts";
import { backupProcess } from "#services/backup/backup-process.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { composeMailer } from "#services/mailer/composition.ts";
import { composeProjector, type Projector } from "#services/projector/composition.ts";
import type { ProcessorHealth } from "#services/projector/daemon/processor.ts";
import { composeQueryApi } from "#services/query-api/composition.ts";
import { buildWebApps } from "#services/web/apps.ts";
import { builtApps } from "#services/web/config.ts";
import { showsOutbox } from "./config.ts";
import { ensureFirstAdmin, forgetFirstAdmin } from "./first-admin.ts";
import type { Instance } from "./instance.ts";
import type { Backends } from "./one-port/one-port.ts";
import { buildOperationsApp, type ObservedService } from "./operations/operations.app.ts";
import type { Say } from "./progress.ts";
import { loadSamplesOnce } from "./samples/load-samples.ts";
import {
  commandApiConfig,
  mailerConfig,
  projectorConfig,
  queryApiConfig,
} from "./service-configs.ts";

/** How long a start waits for all services to be ready before continuing anyway. */
const readyLimitMs = 20_000;

export type Services = {
  backends: Backends;
  /** Starts the background work and waits until every service is ready; a rebuild has no time limit. */
  start(say: Say, signal?: AbortSignal): Promise<void>;
  /** Lines for the operator. Call after `start`. */
  notes(): string[];
  /** Stops the workers, drains the projector, then closes the APIs and stores. */
  stop(): Promise<void>;
};

/** Composes all services. If one fails, those already composed are stopped again. */
export async function composeServices(
  instance: Instance,
  options: {
    liveReload: boolean;
    restart?: (() => void) | undefined;
    built?: Promise<unknown> | undefined;
  },
): Promise<Services> {
  await using composed = new AsyncDisposableStack();
  const { config, log } = instance;
  const { PRODUCT_NAME: productName, SUPPORT_EMAIL: supportEmail } = config.variables;

  // The command side comes first because it starts the log.
  const again = { endToRestart: options.restart };
  const originToken = makeOriginToken();
  const adminFile = instance.paths.firstAdmin;
  const commandApi = await composeCommandApi(
    {
      ...commandApiConfig(instance),
      originToken,
      ...again,
      backups: { make: backupProcess(log("backup")), time: config.variables.BACKUP_TIME },
      onSignIn: (email) => forgetFirstAdmin(adminFile, email),
    },
    log("command-api"),
  );
  composed.defer(() => commandApi.stop());
  const projector = await composeProjector(
    { ...projectorConfig(instance), ...again },
    { log: log("projector") },
  );
  composed.defer(() => projector.stop());
  const queryApi = await composeQueryApi(
    { ...queryApiConfig(instance), ...again },
    log("query-api"),
  );
  composed.defer(() => queryApi.stop());
  const mailer = await composeMailer({ ...mailerConfig(instance), ...again }, log("mailer"));
  composed.defer(() => mailer.stop());

  // The site's server forwards its visitors' addresses, which only this listener trusts.
  const forSite = await queryApi.buildApp(1);
  const queryUrl = await forSite.listen({ host: "127.0.0.1", port: 0 });
  await options.built;
  const { site, console } = await buildWebApps({
    ...builtApps,
    queryUrl,
    publicUrl: instance.publicUrl,
    productName,
    supportEmail,
    commandFetch: inProcessFetch(commandApi.app),
    trustProxyHops: config.trustProxyHops,
    limits: config.variables.RATE_LIMIT,
    log: log("site"),
  });
  await Promise.all([commandApi.app.ready(), queryApi.app.ready()]);

  const observed: ObservedService[] = [
    observedApp("query-api", queryApi.app),
    observedApp("command-api", commandApi.app),
    {
      name: "projector",
      readiness: () => projector.readiness(),
      registry: projector.registry,
    },
    {
      name: "mailer",
      readiness: () => runChecks("mailer", mailer.checks, false),
      mayWait: ["mails", "inbox_mails", "templates"],
      registry: mailer.metrics,
    },
  ];
  const operations = await buildOperationsApp({
    version: instance.version,
    log: log("launcher"),
    services: observed,
    limits: config.variables.RATE_LIMIT,
    trustProxyHops: config.trustProxyHops,
    publicUrl: config.publicUrl,
    liveReload: options.liveReload,
    outbox: showsOutbox(config) ? { folder: instance.paths.mail, productName } : undefined,
  });
  for (const app of [site, console, operations]) composed.defer(() => app.close());

  const parts = composed.move();
  let notes: string[] = [];
  return {
    backends: { commandApi: commandApi.app, queryApi: queryApi.app, operations, console, site },
    notes: () => notes,
    async start(say, signal) {
      await commandApi.start();
      await projector.start();
      await queryApi.start();
      await mailer.start();
      const admin = await ensureFirstAdmin(commandApi.accounts, {
        file: adminFile,
        email: config.variables.ADMIN_EMAIL,
        password: config.variables.ADMIN_PASSWORD,
      });
      if (mayHoldSamples(instance)) await loadSamplesOnce(commandApi, originToken);
      await untilRebuilt(projector, say, signal);
      const missing = await untilReady(observed);
      if (missing.length === 0) await untilProjected(projector, await commandApi.store.head());
      const about = startNotes({
        url: instance.url,
        publicUrl: instance.publicUrl,
        samples: (await commandApi.log.state())?.samples === "loaded",
      });
      notes = [
        ...about,
        ...admin,
        ...missing.map((name) => `Not ready: ${name} (see /readyz and the log)`),
      ];
    },
    stop: () => parts.disposeAsync(),
  };
}

/** Samples are for a trial on one machine, never for shared stores. */
function mayHoldSamples({ config, storesAreEmbedded }: Instance): boolean {
  return config.sampleData && storesAreEmbedded;
}

function observedApp(name: string, app: ServiceInstance): ObservedService {
  return {
    name,
    readiness: () => app.checkReadiness(),
    registry: app.metrics.registry,
    openApi: app.swagger() as NonNullable<ObservedService["openApi"]>,
  };
}

/** Resolves once no tables of an earlier version are being rebuilt, however long it takes. */
async function untilRebuilt(projector: Projector, say: Say, signal?: AbortSignal): Promise<void> {
  let told = "";
  while (!signal?.aborted) {
    const health = projector.health();
    const rebuilding = health.filter(({ state }) => state === "rebuilding");
    const names = rebuilding.map(({ processor }) => processor).join(", ");
    if (names !== told && names) say(`rebuilding tables of an earlier version: ${names}`);
    told = names;
    if (!names && health.every(({ state }) => state !== "starting")) return;
    await delay(50);
  }
}

/** Resolves with the names of services that are not ready when the time is up. */
async function untilReady(services: readonly ObservedService[]): Promise<string[]> {
  const deadline = Date.now() + readyLimitMs;
  for (;;) {
    const found: Readiness[] = await Promise.all(services.map((service) => service.readiness()));
    const missing = found.filter(({ status }) => status !== "ready");
    if (missing.length === 0 || Date.now() > deadline) return missing.map(({ service }) => service);
    await delay(100);
  }
}

/** Resolves once every processor of this process has applied the log, or the time is up. */
async function untilProjected(projector: Projector, head: string): Promise<void> {
  const deadline = Date.now() + readyLimitMs;
  while (isLagging(projector.health(), head) && Date.now() < deadline) await delay(50);
}

/** Returns a `fetch` that calls an app of this process, which takes the caller's address from `X-Forwarded-For`. */
export function inProcessFetch(app: FastifyInstance): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const { "x-forwarded-for": caller, ...headers } = Object.fromEntries(request.headers);
    const reply = await app.inject({
      method: request.method as "POST",
      url: pathname + search,
      headers,
      payload: await request.text(),
      signal: request.signal,
      ...(caller ? { remoteAddress: caller } : {}),
    });
    const sent = new Headers();
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value].flat()) if (one !== undefined) sent.append(name, String(one));
    return new Response(reply.body, { status: reply.statusCode, headers: sent });
  };
}

/** Whether a processor of this process has not applied the log up to `head`. A standby has no position. */
export function isLagging(
  health: readonly Pick<ProcessorHealth, "state" | "position">[],
  head: string,
): boolean {
  return health.some(({ state, position }) => state !== "standby" && (position ?? "") < head);
}

/**
 * Lines about a start that may surprise an operator.
 * @param about.url it listens on.
 * @param about.publicUrl in emails.
 */
export function startNotes(about: { url: string; publicUrl: string; samples: boolean }): string[] {
  const { url, publicUrl, samples } = about;
  return [
    ...(publicUrl === url ? [] : [`Public:   ${publicUrl} (in emails and canonical links)`]),
    ...(samples
      ? [
          "Samples:  some of the reports are made up",
          "          npm run sample:clear removes them; with SAMPLE_DATA=none at the first start there are none",
        ]
      : []),
  ];
}
