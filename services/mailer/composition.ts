import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { readEpoch } from "#event-store/store-log.ts";
import { type ReadinessCheck, storeChecks } from "#http/health.ts";
import { readActive } from "#mail-templates/active-template.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { MailRenderer, shareKeyReads } from "#mail-templates/writing/mail-renderer.ts";
import { MailWriter } from "#mail-templates/writing/mail-writer.ts";
import { modeOf, storeParts } from "#operations/part-check.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import { Caches } from "#operations/request-table.ts";
import { installOutbox } from "#read-model/install.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { divideConnections, openPool } from "#runtime/db/pool.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { logDebug } from "#runtime/log.ts";
import { inboxAddresses, SettingsFollower } from "#settings/settings-follower.ts";
import {
  createOneTimeLinks,
  createReportLinks,
  createUnsubscribeLinks,
} from "#vault/links/one-time-link.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import type { MailerConfig } from "./config.ts";
import { deliver } from "./delivery.ts";
import { InboxAlarm, inboxMailsCheck } from "./inbox-mails.ts";
import type { MailJobs, MailJobsOptions } from "./jobs/port.ts";
import { openPostgresMailJobs } from "./jobs/postgres-mail-jobs.ts";
import { openRedisMailJobs } from "./jobs/redis-mail-jobs.ts";
import { MailEraser } from "./mail-eraser.ts";
import { createMailerMetrics, TemplateAlarm } from "./metrics.ts";
import { OutboxStore } from "./outbox.store.ts";
import { mailsCheck, StallWatch } from "./readiness.ts";
import { createRelay, RELAY_MS } from "./relay.ts";
import { createFileTransport } from "./transports/file.transport.ts";
import { createSmtpTransport } from "./transports/smtp.transport.ts";
import type { MailTransport } from "./transports/transport.ts";

const SERVICE = "mailer";
const LOG_POLL_MS = 250;
const HOUR_MS = 3_600_000;
/** How long emails in flight may take when the process stops, in milliseconds. */
const SEND_GRACE_MS = 3_000;
/** Milliseconds between checks of the transport, each of which signs in to the mail server. */
const SMTP_EVERY_MS = 30_000;

export interface Mailer {
  readonly metrics: Registry;
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly checks: Readonly<Record<string, ReadinessCheck>> & {
    /** Rejects while the outbox is down; not ok, with cause and remedy, while the queue is down, paused or stalled. */
    readonly mails: ReadinessCheck;
    /** Not ok while emails to the registry's own inboxes fail. */
    readonly inbox_mails: ReadinessCheck;
    /** Not ok while an active template fails and the shipped text is sent instead. */
    readonly templates: ReadinessCheck;
    /** Not ok while stored emails of deleted reports may still exist. */
    readonly deletions: ReadinessCheck;
  };
}

export interface MailerOptions {
  /** Waits for the log and creates a missing outbox, so that services start in any order. Otherwise both must exist. */
  readonly waitForLog?: boolean;
}

/** Opens the stores, queue and transport that the configuration names. */
export async function composeMailer(
  config: MailerConfig,
  log: Logger,
  { waitForLog = false }: MailerOptions = {},
): Promise<Mailer> {
  const connections = divideConnections(config.connections ?? CONNECTIONS.mailer.most, {
    database: { url: config.databaseUrl, weight: 2 },
    keys: { url: config.keysUrl, weight: 1 },
    log: { url: config.eventStoreUrl, weight: 1 },
    following: { url: config.eventStoreUrl, single: 1 },
    // The queue and its worker have a pool each.
    queue: { url: config.jobsUrl, weight: 1 },
    worker: { url: config.jobsUrl, weight: 1 },
    waiting: { url: config.jobsUrl, single: 1 },
  });
  const pool = openPool({
    url: config.databaseUrl,
    name: SERVICE,
    max: connections.database,
    prepares: true,
    onLost: (err) => log.warn({ err }, "lost a database connection"),
  });
  // Closed again if the rest fails: a process that waits for its stores composes more than once.
  await using opening = new AsyncDisposableStack();
  opening.defer(() => pool.end());
  const { keys, store } = await openKeysAndLog(config, SERVICE, connections, {
    log,
    install: waitForLog,
  });
  opening.defer(() => keys.close());
  opening.defer(() => store.close());
  await installOperations(pool);
  if (waitForLog) {
    await installOutbox(pool);
    if (!(await readEpoch(store))) log.info("waiting until the event log is started");
    while (!(await readEpoch(store))) await delay(LOG_POLL_MS);
  }
  const epoch = await readEpoch(store);
  if (!epoch) throw new Error("the event log was not started");
  const outbox = new OutboxStore(pool, epoch);
  const metrics = createMailerMetrics();
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  const yearlong = await keys.liveKey("unsubscribe");
  const stored = { store, keys: shareKeyReads(keys), codec: registryCodec };
  const renderer = new TemplateRenderer();
  opening.defer(() => renderer.close());
  const publicUrl = config.publicUrl.replace(/\/$/, "");
  const templateAlarm = new TemplateAlarm({
    log,
    metrics,
    active: (kind) => readActive(kind, stored),
  });
  const { productName, mailsAtOnce = MAILS_AT_ONCE } = config;
  const follower = new SettingsFollower({
    store,
    keys,
    log,
    onChange: ({ debugMode }) => logDebug(log, debugMode),
  });
  await follower.read();
  const inboxes = () => inboxAddresses(follower.settings(), config);
  const transport = openTransport(
    { ...config, mailsAtOnce },
    () => follower.settings().supportEmail || undefined,
  );
  opening.defer(() => transport.close());
  const words = new MailRenderer({
    ...stored,
    renderer,
    alarm: templateAlarm,
    productName,
    publicUrl,
  });
  const writer = new MailWriter({
    ...stored,
    words,
    links: createOneTimeLinks(await keys.liveKey("links")),
    reportLinks: createReportLinks(yearlong, blind),
    unsubscribing: createUnsubscribeLinks(yearlong, blind),
    blind,
    publicUrl,
    letterhead: {
      productName,
      get supportEmail() {
        return inboxes().support;
      },
    },
    operatorEmail: config.supportEmail,
    salesEmail: () => inboxes().sales,
  });
  const notifies = () => follower.settings().emailNotifications;
  const inboxAlarm = new InboxAlarm(log);
  const onError = throttled((err) => log.warn({ err }, "the email queue failed"));
  const jobs = await openJobs({
    url: config.jobsUrl,
    maxConnections: connections.worker,
    concurrency: mailsAtOnce,
    handle: ({ mailId }) =>
      deliver(mailId, { store, outbox, writer, transport, metrics, log, inboxAlarm, notifies }),
    onError,
  });
  const stall = new StallWatch({
    outbox,
    jobs,
    stallMs: config.stallMs,
    onStall: () =>
      log.error({ code: "queue_stalled" }, "the email queue isn't delivering any email"),
  });
  const eraser = new MailEraser({ store, transport, log });
  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches: new Caches(),
    pool,
    service: SERVICE,
    parts: [
      ...storeParts(config, { pool, store, keys }),
      {
        part: "redis",
        mode: modeOf(config.jobsUrl, config.embeddedPostgres),
        check: () => jobs.check(),
      },
      {
        part: "email",
        mode: modeOf(config.smtpUrl, config.embeddedPostgres),
        check: () => transport.check(),
        everyMs: SMTP_EVERY_MS,
      },
    ],
    log,
  });
  const ending = new AbortController();
  let erasing: Promise<unknown> | undefined;
  const chores = [() => outbox.sweep(), () => transport.sweep()];
  const periodic = [
    new Periodic(createRelay({ outbox, jobs, sweepMs: config.sweepMs }), {
      everyMs: RELAY_MS,
      onError,
    }),
    new Periodic(() => stall.look(), { everyMs: stall.everyMs }),
    ...chores.map(
      (chore) =>
        new Periodic(chore, {
          everyMs: HOUR_MS,
          onError: (err) =>
            log.warn({ err }, "couldn't delete old outbox rows or unfinished email files"),
        }),
    ),
  ];
  const stores = opening.move();
  return {
    metrics: metrics.registry,
    async start() {
      const checked = transport.check();
      if (transport.isRemote)
        checked.catch((err) => log.error({ err }, "emails can't be sent right now"));
      else await checked.catch(refuseFolder);
      follower.start();
      jobs.run();
      reporter.start();
      for (const each of periodic) each.start();
      erasing = eraser.run(ending.signal);
    },
    async stop() {
      ending.abort();
      const ended = periodic.map((each) => each.stop());
      const closing = jobs.close();
      const reporting = reporter.stop();
      // An email in flight may still be sent. One that hangs is aborted and retried after a restart.
      const grace = delay(SEND_GRACE_MS, undefined, { ref: false });
      await Promise.race([closing, grace]);
      await transport.close();
      await closing;
      await Promise.allSettled([reporting, erasing, ...ended]);
      await follower.stop();
      await stores.disposeAsync();
    },
    checks: {
      ...storeChecks(SERVICE, { database: pool, keys, event_log: store }),
      mails: mailsCheck({ outbox, jobs, stall }),
      inbox_mails: inboxMailsCheck(outbox),
      templates: templateAlarm.check,
      deletions: async () => eraser.check(),
    },
  };
}

/** Selects the queue's backend by the URL's scheme. */
function openJobs(options: MailJobsOptions): Promise<MailJobs> {
  return chooseByScheme<Promise<MailJobs>>("JOBS_URL", options.url, {
    postgres: () => openPostgresMailJobs(options),
    redis: () => openRedisMailJobs(options),
    rediss: () => openRedisMailJobs(options),
  });
}

/** Reports at most one error every 30 seconds, because a server that is down causes many. */
function throttled(report: (error: unknown) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - last < 30_000) return;
    last = now;
    report(error);
  };
}

/** Selects the transport by the URL's scheme. Emails come from the operator; replies may go to the admins' address. */
function openTransport(
  config: MailerConfig & { readonly mailsAtOnce: number },
  replyTo: () => string | undefined,
): MailTransport {
  const { smtpUrl, productName, supportEmail, smtpLimits, mailsAtOnce } = config;
  const from = `"${productName.replaceAll(/["\\]/g, "")}" <${supportEmail}>`;
  const overSmtp = (url: string) =>
    createSmtpTransport(url, from, { limits: smtpLimits, connections: mailsAtOnce, replyTo });
  return chooseByScheme<MailTransport>("SMTP_URL", smtpUrl, {
    file: (url) => createFileTransport(fileURLToPath(url), from, replyTo),
    smtp: overSmtp,
    smtps: overSmtp,
  });
}

/** Names the setting whose folder cannot be written to. A full disk is not a wrong setting. */
function refuseFolder(error: NodeJS.ErrnoException): never {
  const { code = "" } = error;
  if (!/^(EACCES|EEXIST|EINVAL|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EROFS)$/.test(code)) throw error;
  throw new ConfigInvalid([
    `SMTP_URL must be a file: URL of a folder that this process may write to (${code})`,
  ]);
}
