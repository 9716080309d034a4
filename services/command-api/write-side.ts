import type { Logger } from "pino";
import { installCommandTables } from "#command-tables/install.ts";
import { contentIdOf } from "#content/content-id.ts";
import { textRenderer } from "#content/text-values.ts";
import { TERMS_SLUG } from "#contracts/content/content-rules.ts";
import { streams } from "#contracts/events/index.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { sealedPositions } from "#http/position-headers.ts";
import type { ServiceInstance } from "#http/service.ts";
import { installOperations, observer } from "#operations/process-table.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { divideConnections } from "#runtime/db/connection-budget.ts";
import { openPool } from "#runtime/db/pool.ts";
import { preparePasswords } from "#services/command-api/account/passwords.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createBlindIndexer, slugHash } from "#vault/sealing/hashes.ts";
import { openAccounts } from "./account/open-accounts.ts";
import { AddressStore } from "./address/address-store.ts";
import { openCards } from "./checkout/card-processor.ts";
import { CheckoutService } from "./checkout/checkout.service.ts";
import type { CommandApiConfig } from "./config.ts";
import { TermsInForce } from "./content/terms-in-force.ts";
import { openEvidence } from "./evidence/open-evidence.ts";
import { AccountStreams } from "./export/account-streams.ts";
import { InquiryService } from "./inquiry/inquiry.service.ts";
import { InquiryStore } from "./inquiry/inquiry.store.ts";
import { NoticeDesk } from "./inquiry/notice-desk.service.ts";
import { JobStore } from "./jobs/job.store.ts";
import { Jobs } from "./jobs/jobs.ts";
import { BackgroundWork } from "./kernel/background-work.ts";
import { CommandIds } from "./kernel/command-ids.store.ts";
import { CommandHandler } from "./kernel/handler.ts";
import { createRequests } from "./kernel/requests.ts";
import { LogService } from "./log/log.service.ts";
import { refuseForeignLog } from "./log/own-log.ts";
import { logCheckKind } from "./log-check/log-check.job.ts";
import { QueueService } from "./queue/queue.service.ts";
import { QueueLeases } from "./queue/queue-leases.store.ts";
import { bulkKind } from "./report/bulk.job.ts";
import { DeletionQuota } from "./report/deletion-quota.ts";
import { HidingRecord } from "./report/hiding-record.ts";
import { OwnAccount } from "./report/own-account.ts";
import { ReportService } from "./report/report.service.ts";
import { ResolutionService } from "./resolution/resolution.service.ts";
import { SavedFilterStore } from "./saved-filters/saved-filter.store.ts";
import { openSettings } from "./settings/open-settings.ts";
import { RepeatInfringers } from "./strikes/repeat-infringers.ts";
import { StrikeStore } from "./strikes/strike.store.ts";
import { Suspensions } from "./strikes/suspensions.ts";
import { openBackups } from "./system/backup-schedule.ts";
import { systemKinds } from "./system/system-kinds.ts";
import { ViewCounter } from "./views/view-counter.ts";

const SERVICE = "command-api";

/**
 * What the features of the service act with. What only one of them needs, it makes itself: a
 * service of its own, or a link.
 */
export type WriteSide = Awaited<ReturnType<typeof openWriteSide>>;

/**
 * Opens the stores that the configuration names, and what is shared over them.
 * @param opening closes what is open.
 * @param app the service itself, once it is built.
 */
export async function openWriteSide(
  config: CommandApiConfig,
  log: Logger,
  opening: AsyncDisposableStack,
  app: () => Pick<ServiceInstance, "inject">,
) {
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
  opening.defer(() => pool.end());
  await installCommandTables(pool);
  await installOperations(pool);
  const { keys, store, ledger } = await openKeysAndLog(config, SERVICE, connections, { log });
  opening.defer(() => keys.close());
  opening.defer(() => store.close());
  await refuseForeignLog(store, keys, registryCodec);
  const slugKey = await keys.serviceKey("slugs");
  const blindKey = await keys.serviceKey("blind-index");

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
  const codec = registryCodec;
  const own = new OwnAccount({ handler, blind });
  const addresses = new AddressStore(pool, slugKey);
  const commandIds = new CommandIds(pool, store);
  const linkKey = await keys.liveKey("links");
  // Asked for here, where a key store that is away is waited for.
  await keys.liveKey("unsubscribe");
  const links = createOneTimeLinks(linkKey);
  const present = await openSettings(config, { store, keys, log });
  const { settings, kept, support, staffFactor } = present;
  const background = new BackgroundWork((err) =>
    log.warn({ err }, "a command failed after it was answered"),
  );
  const stores = { handler, pool, keys, store, codec, commandIds, links, blind, epoch, own };
  const evidence = openEvidence({
    ...config,
    ...stores,
    settings,
    onLate: (err) => log.warn({ err }, "erased files are removed later"),
  });
  const views = new ViewCounter(pool, (err) => log.warn({ err }, "views were not counted"));
  const hash = (text: string) => slugHash(slugKey, text);
  const terms = new TermsInForce(handler, streams.content(contentIdOf(hash, "legal", TERMS_SLUG)));
  const renderer = textRenderer(() => {
    const { eraseHours } = settings();
    return { ...config, supportEmail: support(), keptDays: kept(), eraseHours };
  });
  const { databaseUrl } = config;
  const strikes = new StrikeStore({ ...stores, databaseUrl });
  const suspensions = new Suspensions({ handler, blind, strikes, log });
  const hidings = new HidingRecord(ledger);
  const quota = new DeletionQuota(pool);
  const admins = () => accounts.accountStore.activeAdmins();
  const { claims, removal, onLate } = evidence;
  const reports = new ReportService({
    ...stores,
    terms,
    settings,
    addresses,
    views,
    claims,
    removal,
    suspensions,
    hidings,
    quota,
    admins,
    onLate,
  });
  const known = new InquiryStore(pool);
  const inquiries = new InquiryService({
    ...stores,
    inquiries: known,
    evidence,
    keptDays: kept,
  });
  const common = { ...stores, reports, hidings, quota, terms, background };
  const accounts = openAccounts({
    ...common,
    limits: config.limits,
    issuer: config.productName,
    supportEmail: support,
    keptDays: kept,
    staffIdleMinutes: () => settings().sessionTimeout,
    onSignIn: config.onSignIn,
  });
  const positionKey = await keys.liveKey("positions");
  const commandKey = await keys.liveKey("commands");
  const leases = new QueueLeases(pool);
  const { backups, schedule } = openBackups(config.backups, {
    handler,
    pool,
    databaseUrl,
    settings,
    log,
  });
  const cards = config.cards && (await openCards(config.cards, log));
  const takesCards = cards !== undefined;
  const jobs = new Jobs({
    store: new JobStore(pool),
    keys,
    log,
    kinds: [
      bulkKind({ reports, commandKey, log }),
      ...systemKinds({ config, pool, handler, log, backups, staffFactor, app }),
      logCheckKind({ store, handler }),
    ],
  });
  const { accountStore, standings } = accounts;
  const infringers = new RepeatInfringers({ ...common, strikes, standings });
  return {
    ...accounts,
    ...common,
    accountStreams: new AccountStreams(stores),
    admins,
    backups,
    cards,
    checkouts: new CheckoutService({ ...common, cards }),
    commandKey,
    evidence,
    /** Position of the log's last event. */
    head: () => store.head(),
    inquiries,
    jobs,
    kept,
    known,
    leases,
    linkKey,
    log: logService,
    /** Of this process; the log of events is `store`. */
    logger: log,
    noticeDesk: new NoticeDesk({ ...common, known, infringers, erasures: inquiries }),
    observe: observer(pool),
    positionKey,
    present,
    queue: new QueueService({ ...stores, leases }),
    renderer,
    requests: createRequests({
      commandKey,
      epoch,
      positions: sealedPositions(positionKey),
      now: () => new Date(),
    }),
    resolutions: new ResolutionService({ ...common, accounts: accountStore }),
    savedFilters: new SavedFilterStore(stores),
    schedule,
    settings,
    sharedCounters,
    /** Keyed hash of a slug. */
    hash,
    strikes,
    suspensions,
    takesCards,
    views,
  };
}
