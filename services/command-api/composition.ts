import type { Logger } from "pino";
import { installCommandTables } from "#command-tables/install.ts";
import type { EventStore } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { countersCheck, openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { sealedPositions } from "#http/position-headers.ts";
import { createPostgresAccountGate } from "#http/postgres-account-gate.ts";
import type { ServiceInstance } from "#http/service.ts";
import { storeChecks } from "#http/store-checks.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { Caches } from "#operations/caches.ts";
import { observer } from "#operations/observed-table.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import { counterParts, filesPart, storeParts } from "#operations/store-parts.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { divideConnections } from "#runtime/db/connection-budget.ts";
import { openPool } from "#runtime/db/pool.ts";
import { preparePasswords } from "#services/command-api/account/passwords.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { listExportSeals } from "#vault/links/list-export.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { ListExports } from "./access/list-exports.service.ts";
import { type OpenedAccounts, openAccounts } from "./account/open-accounts.ts";
import { AddressStore } from "./address/address-store.ts";
import { buildCommandApp } from "./app.ts";
import { openCheckouts } from "./checkout/open-checkouts.ts";
import type { CommandApiConfig } from "./config.ts";
import { openContent } from "./content/open-content.ts";
import { openEvidence } from "./evidence/open-evidence.ts";
import { openExports } from "./export/open-exports.ts";
import { openSweeps } from "./housekeeping/open-sweeps.ts";
import { InquiryService } from "./inquiry/inquiry.service.ts";
import { InquiryStore } from "./inquiry/inquiry.store.ts";
import { InquiryDesk } from "./inquiry/inquiry-desk.service.ts";
import { NoticeDesk } from "./inquiry/notice-desk.service.ts";
import type { Jobs } from "./jobs/jobs.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import { BackgroundWork } from "./kernel/background-work.ts";
import { CommandIds } from "./kernel/command-ids.store.ts";
import { CommandHandler } from "./kernel/handler.ts";
import { LogService } from "./log/log.service.ts";
import { refuseForeignLog } from "./log/own-log.ts";
import { logCheckKind } from "./log-check/log-check.job.ts";
import { ResendService } from "./mails/resend.service.ts";
import { QueueService } from "./queue/queue.service.ts";
import { QueueLeases } from "./queue/queue-leases.store.ts";
import { bulkKind } from "./report/bulk.job.ts";
import { DeletionQuota } from "./report/deletion-quota.ts";
import { HidingRecord } from "./report/hiding-record.ts";
import { openOwnReports } from "./report/open-own-reports.ts";
import { OwnAccount } from "./report/own-account.ts";
import { ReportService } from "./report/report.service.ts";
import { openMailedLinks } from "./reporter-links/open-mailed-links.ts";
import { SavedFilterStore } from "./saved-filters/saved-filter.store.ts";
import { ObservedCalls } from "./security/observed-calls.ts";
import { openSettings } from "./settings/open-settings.ts";
import { SettingsService } from "./settings/settings.service.ts";
import { RepeatInfringers } from "./strikes/repeat-infringers.ts";
import { StrikeStore } from "./strikes/strike.store.ts";
import { Suspensions } from "./strikes/suspensions.ts";
import { openBackups } from "./system/open-backups.ts";
import { systemKinds } from "./system/system-kinds.ts";
import { TemplateService } from "./templates/template.service.ts";
import { ViewCounter } from "./views/view-counter.ts";

const SERVICE = "command-api";

export interface CommandApi extends OpenedAccounts {
  readonly app: ServiceInstance;
  readonly reports: ReportService;
  readonly background: BackgroundWork;
  readonly jobs: Jobs;
  readonly inquiries: InquiryService;
  readonly noticeDesk: NoticeDesk;
  readonly strikes: StrikeStore;
  readonly suspensions: Suspensions;
  readonly log: LogService;
  readonly keys: KeyStore;
  readonly store: EventStore;
  readonly observed: ObservedCalls;
  /** Starts the regular sweeps. */
  start(): Promise<void>;
  /** Stops the HTTP side first, then writes what waits, then closes the stores. */
  stop(): Promise<void>;
}

/** Opens the stores that the configuration names and builds the service over them. */
export async function composeCommandApi(
  config: CommandApiConfig,
  log: Logger,
): Promise<CommandApi> {
  const connections = divideConnections(config.connections ?? CONNECTIONS["command-api"].most, {
    database: { url: config.databaseUrl, weight: 4 },
    keys: { url: config.keysUrl, weight: 2 },
    log: { url: config.eventStoreUrl, weight: 4 },
  });
  const pool = openPool({
    url: config.databaseUrl,
    name: SERVICE,
    max: connections.database,
    prepares: true,
    onLost: (err) => log.warn({ err }, "a database connection was lost"),
  });
  // Closed again when the rest fails: a process that waits for its stores composes more than once.
  await using opening = new AsyncDisposableStack();
  opening.defer(() => pool.end());
  await installCommandTables(pool);
  await installOperations(pool);
  const { keys, store, ledger } = await openKeysAndLog(config, SERVICE, connections, { log });
  opening.defer(() => keys.close());
  opening.defer(() => store.close());
  await refuseForeignLog(store, keys, registryCodec);
  const slugKey = await keys.serviceKey("slugs");
  const blindKey = await keys.serviceKey("blind-index");
  const signer = await keys.liveKey("tokens");

  const handler = new CommandHandler({ store, keys, codec: registryCodec });
  const logService = new LogService(handler);
  await logService.execute({ type: "StartLog" }, new Date().toISOString());
  const epoch = await readEpoch(store);
  if (!epoch) throw new Error("the log has no epoch");

  const sharedCounters = await openSharedCounters(config.rateLimitUrl, keys, log);
  opening.defer(() => sharedCounters?.close());
  // The first sign-in with an unknown address must not take longer than later ones.
  await preparePasswords(config.passwordCost);
  const blind = createBlindIndexer(blindKey);
  const own = new OwnAccount({ handler, blind });
  const addresses = new AddressStore(pool, slugKey);
  const commandIds = new CommandIds(pool, store);
  const linkKey = await keys.liveKey("links");
  const links = createOneTimeLinks(linkKey);
  const opened = await openSettings(config, { store, keys, log });
  const { follower, settings, kept, support, staffFactor } = opened;
  const evidence = openEvidence({
    settings,
    handler,
    own,
    pool,
    keys,
    store,
    filesUrl: config.filesUrl,
    clamavUrl: config.clamavUrl,
    onLate: (err) => log.warn({ err }, "erased files are removed later"),
  });
  const views = new ViewCounter(pool, (err) => log.warn({ err }, "views were not counted"));
  const { content, terms, renderer } = await openContent({
    handler,
    keys,
    views,
    slugKey,
    operator: () => {
      const { eraseHours } = settings();
      return { ...config, supportEmail: support(), keptDays: kept(), eraseHours };
    },
  });
  const strikes = new StrikeStore({ pool, store, keys, blind, epoch });
  const suspensions = new Suspensions({ handler, blind, strikes, log });
  const hidings = new HidingRecord(ledger);
  const quota = new DeletionQuota(pool);
  const reports = new ReportService({
    terms,
    settings,
    handler,
    keys,
    store,
    addresses,
    commandIds,
    links,
    blind,
    own,
    views,
    claims: evidence.claims,
    removal: evidence.removal,
    suspensions,
    hidings,
    quota,
    admins: () => accounts.accountStore.activeAdmins(),
    onLate: evidence.onLate,
  });
  const leases = new QueueLeases(pool);
  const knownInquiries = new InquiryStore(pool);
  const inquiries = new InquiryService({
    handler,
    commandIds,
    inquiries: knownInquiries,
    evidence,
    keptDays: kept,
  });
  const templateRenderer = new TemplateRenderer();
  opening.defer(() => templateRenderer.close());
  const background = new BackgroundWork((err) =>
    log.warn({ err }, "a command failed after it was answered"),
  );
  const accounts = openAccounts({
    handler,
    pool,
    keys,
    blind,
    links,
    reports,
    hidings,
    quota,
    terms,
    background,
    limits: config.limits,
    issuer: config.productName,
    supportEmail: support,
    keptDays: kept,
    staffIdleMinutes: () => settings().sessionTimeout,
    onSignIn: config.onSignIn,
  });
  const positionKey = await keys.liveKey("positions");
  const savedFilters = new SavedFilterStore({ pool, keys });
  const exportSeals = listExportSeals(positionKey);
  const { exports, accountStreams } = openExports({
    savedFilters,
    pool,
    store,
    keys,
    handler,
    accounts: accounts.accountStore,
    evidence,
    inquiries,
    linkKey,
    epoch,
  });
  const commandKey = await keys.liveKey("commands");
  const { backups, schedule } = openBackups(config.backups, { handler, pool, settings, log });
  const checkouts = await openCheckouts({
    handler,
    store,
    keys,
    reports,
    accounts: accounts.accountStore,
    commandIds,
    commandKey,
    settings: config.cards,
    log,
  });
  const { takesCards } = checkouts;
  const jobs = openJobs({
    pool,
    keys,
    log,
    kinds: [
      bulkKind({ reports, commandKey, log }),
      ...systemKinds({ config, pool, handler, log, backups, staffFactor, app: () => app }),
      logCheckKind({ store, handler }),
    ],
  });
  const { standings } = accounts;
  const infringers = new RepeatInfringers({
    handler,
    store,
    keys,
    blind,
    strikes,
    reports,
    standings,
  });
  const noticeDesk = new NoticeDesk({
    handler,
    known: knownInquiries,
    reports,
    own,
    infringers,
    quota,
    erasures: inquiries,
  });
  const app: ServiceInstance = await buildCommandApp({
    version: config.version,
    log,
    store,
    handler,
    reports,
    queue: new QueueService({ handler, own, leases }),
    ...openOwnReports({
      handler,
      store,
      keys,
      accounts: accounts.accountStore,
      reports,
      takesCards,
      checkouts: checkouts.checkouts,
    }),
    ...checkouts,
    evidence,
    blind,
    ...accounts,
    exports,
    inquiries,
    inquiryDesk: new InquiryDesk({ handler, known: knownInquiries, inquiries, reports }),
    noticeDesk,
    resends: new ResendService({ handler, pool, epoch }),
    ...(await openMailedLinks({ handler, reports, store, keys, blind })),
    content,
    renderer,
    settings: new SettingsService({
      handler,
      follower,
      admins: () => accounts.accountStore.activeAdmins(),
    }),
    present: settings,
    mailTemplates: new TemplateService({
      handler,
      renderer: templateRenderer,
      admins: () => accounts.accountStore.activeAdmins(),
      letterhead: opened.letterhead,
    }),
    views,
    gate: createPostgresAccountGate(pool, {
      staffSecondFactor: staffFactor,
      staffIdleMinutes: () => settings().sessionTimeout,
      notesUse: true,
    }),
    commandKey,
    tokens: { verifier: await keys.tokenVerifier(), signer },
    epoch,
    positions: sealedPositions(positionKey),
    exportSeals,
    savedFilters,
    listExports: new ListExports({ handler, seals: exportSeals }),
    background,
    jobs,
    now: () => new Date(),
    observe: observer(pool),
    limits: config.limits,
    sharedCounters,
    trustProxyHops: config.trustProxyHops,
    corsOrigins: config.corsOrigins,
    originToken: config.originToken,
    processMetrics: config.processMetrics,
    tls: config.tls,
    checks: {
      ...storeChecks(SERVICE, { database: pool, keys, event_log: store }),
      ...countersCheck(sharedCounters),
      ...evidence.checks,
    },
  });

  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches: new Caches(),
    pool,
    service: SERVICE,
    parts: [
      ...storeParts(config, { pool, store, keys }),
      filesPart(config, evidence.stored),
      ...counterParts(sharedCounters),
    ],
    log,
  });
  const observed = new ObservedCalls({
    pool,
    handler,
    admins: () => accounts.accountStore.activeAdmins(),
  });
  const sweeps = openSweeps(
    {
      observed,
      pool,
      store,
      keys,
      epoch,
      handler,
      commandIds,
      ...accounts,
      reports,
      inquiries,
      views,
      accountStreams,
      strikes,
      leases,
      removal: evidence.removal,
      jobs,
      settings: opened.latest,
      hidings,
      keptDays: kept,
    },
    log,
  );
  const stores = opening.move();
  return {
    app,
    observed,
    reports,
    background,
    jobs,
    ...accounts,
    inquiries,
    noticeDesk,
    strikes,
    suspensions,
    log: logService,
    keys,
    store,
    async start() {
      reporter.start();
      follower.start();
      for (const sweep of sweeps) sweep.start();
      jobs.start();
      schedule?.start();
    },
    async stop() {
      const swept = sweeps.map((sweep) => sweep.stop());
      await app.close();
      await Promise.all([jobs.end(), schedule?.stop()]);
      await reporter.stop();
      await background.finish();
      await Promise.all(swept);
      await follower.stop();
      await views.stop();
      await evidence.close();
      await stores.disposeAsync();
    },
  };
}
