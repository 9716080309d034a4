import type { Logger } from "pino";
import { installCommandTables } from "#command-tables/install.ts";
import { contentIdOf } from "#content/content-id.ts";
import { textRenderer } from "#content/text-values.ts";
import { TERMS_SLUG } from "#contracts/content/content-rules.ts";
import { streams } from "#contracts/events/index.ts";
import { type KeptDays, keptDays } from "#contracts/settings/catalogue.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { sealedPositions } from "#http/position-headers.ts";
import type { ServiceInstance } from "#http/service.ts";
import { installOperations, observer } from "#operations/process-table.ts";
import { Pictures } from "#pictures/pictures.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { divideConnections, openPool } from "#runtime/db/pool.ts";
import { logDebug } from "#runtime/log.ts";
import { preparePasswords } from "#services/command-api/account/passwords.ts";
import { inboxAddresses, SettingsFollower, staffFactorIn } from "#settings/settings-follower.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createBlindIndexer, slugHash } from "#vault/sealing/hashes.ts";
import { AccountEraser } from "./account/account.eraser.ts";
import { AccountService } from "./account/account.service.ts";
import { AccountStore } from "./account/account.store.ts";
import { AccountModerationService } from "./account/account-moderation.service.ts";
import { BanAtSignIn, ClosingService } from "./account/ban-at-sign-in.ts";
import { CredentialStore } from "./account/credential.store.ts";
import { Credentials } from "./account/credentials.ts";
import { DeviceStore } from "./account/device.store.ts";
import { EmailChangeService } from "./account/email-change.service.ts";
import { EmailConfirmation } from "./account/email-confirmation.ts";
import { FactorCodes } from "./account/factor-codes.ts";
import { FactorResetService } from "./account/factor-reset.service.ts";
import { PasswordService } from "./account/password.service.ts";
import { PasswordGuesses, PasswordProof, SessionProofs } from "./account/password-proof.ts";
import { PasswordStrength } from "./account/password-strength.ts";
import { ProfileService } from "./account/profile.service.ts";
import { AddressClaims, RegistrationService } from "./account/registration.service.ts";
import { SecondFactorStore } from "./account/second-factor.store.ts";
import { SecondStep, SignInLinks } from "./account/second-step.ts";
import { SessionService } from "./account/session.service.ts";
import { SessionStore, type StaffIdleMinutes } from "./account/session.store.ts";
import { SessionEnds, SessionStart } from "./account/session-start.ts";
import { SignInChallengeStore } from "./account/sign-in-challenge.store.ts";
import { TwoFactorService } from "./account/two-factor.service.ts";
import { AddressStore } from "./address/address-store.ts";
import { openCards } from "./checkout/card-processor.ts";
import { CheckoutService } from "./checkout/checkout.service.ts";
import type { CommandApiConfig } from "./config.ts";
import { TermsInForce } from "./content/terms-in-force.ts";
import type { Dependencies } from "./dependencies.ts";
import { clamavAt } from "./evidence/file-bodies.ts";
import { UploadClaims, UploadStore } from "./evidence/upload.store.ts";
import { UploadRemoval } from "./evidence/upload-removal.ts";
import { AccountStreams } from "./export/account-streams.ts";
import { InquiryService, InquiryStore } from "./inquiry/inquiry.service.ts";
import { NoticeModerationService } from "./inquiry/notice-moderation.service.ts";
import { JobStore } from "./jobs/job.store.ts";
import { Jobs } from "./jobs/jobs.ts";
import { BackgroundWork } from "./kernel/background-work.ts";
import { CommandIds } from "./kernel/command-ids.store.ts";
import { CommandHandler } from "./kernel/handler.ts";
import { LogService } from "./log/log.service.ts";
import { assertOwnLog } from "./log/own-log.ts";
import { logCheckKind } from "./log-check/log-check.job.ts";
import { QueueLeases } from "./queue/queue.service.ts";
import { bulkKind } from "./report/bulk.job.ts";
import { DeletionQuota } from "./report/deletion-quota.ts";
import { HidingRecord } from "./report/hiding-record.ts";
import { ConflictOfInterest } from "./report/own-account.ts";
import { ReportService } from "./report/report.service.ts";
import { SavedFilterStore } from "./saved-filters/saved-filter.store.ts";
import { RepeatInfringers } from "./strikes/repeat-infringers.ts";
import { StrikeStore } from "./strikes/strike.store.ts";
import { Suspensions } from "./strikes/suspensions.ts";
import { openBackups } from "./system/backup-schedule.ts";
import { systemKinds } from "./system/system-kinds.ts";
import { ViewCounter } from "./views/view-counter.ts";

const SERVICE = "command-api";

/** Dependencies shared by the features. What only one feature needs, it creates itself. */
export type WriteSide = Awaited<ReturnType<typeof openWriteSide>>;

/**
 * Opens the stores and the services built on them.
 * @param opening disposes the stores.
 * @param app returns the service, once built.
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
    onLost: (err) => log.warn({ err }, "lost a database connection"),
  });
  opening.defer(() => pool.end());
  await installCommandTables(pool);
  await installOperations(pool);
  const { keys, store, ledger } = await openKeysAndLog(config, SERVICE, connections, { log });
  opening.defer(() => keys.close());
  opening.defer(() => store.close());
  await assertOwnLog(store, keys, registryCodec);
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
  const own = new ConflictOfInterest({ handler, blind });
  const addresses = new AddressStore(pool, slugKey);
  const commandIds = new CommandIds(pool, store);
  // Requested here, because startup waits for a key store that is down.
  await keys.liveKey("unsubscribe");
  const links = createOneTimeLinks(await keys.liveKey("links"));
  const follower = new SettingsFollower({
    store,
    keys,
    log,
    onChange: ({ debugMode }) => logDebug(log, debugMode),
  });
  await follower.read();
  const { settings } = follower;
  const kept = () => keptDays(settings());
  const support = () => inboxAddresses(settings(), config).support;
  const staffFactor = () => staffFactorIn(settings(), config.staffSecondFactor);
  const background = new BackgroundWork((err) => log.warn({ err }, "a background command failed"));
  const stores = { handler, pool, keys, store, codec, commandIds, links, blind, epoch, own };
  const stored = await openFileStore(config.filesUrl);
  opening.defer(() => stored.close());
  const pictures = new Pictures();
  opening.defer(() => pictures.close());
  const files = new SealedFiles({ files: stored, keys });
  const uploads = new UploadStore(pool);
  const removal = new UploadRemoval({ uploads, files, store });
  const claims = new UploadClaims(uploads);
  const onLate = (err: unknown) => log.warn({ err }, "could not delete erased files; will retry");
  const views = new ViewCounter(pool, (err) => log.warn({ err }, "could not count views"));
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
    files,
    claims,
    removal,
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
  const { accountModeration } = accounts;
  const infringers = new RepeatInfringers({ ...common, strikes, accountModeration });
  return {
    ...accounts,
    ...common,
    accountStreams: new AccountStreams(stores),
    admins,
    backups,
    cards,
    checkouts: new CheckoutService({ ...common, cards }),
    commandKey,
    files,
    follower,
    head: () => store.head(),
    inquiries,
    jobs,
    kept,
    known,
    leases,
    letterhead: {
      productName: config.productName,
      get supportEmail() {
        return support();
      },
    },
    log: logService,
    /** This process's logger; the event log is `store`. */
    logger: log,
    noticeModeration: new NoticeModerationService({
      ...common,
      known,
      infringers,
      erasures: inquiries,
    }),
    observe: observer(pool),
    onLate,
    pictures,
    positionKey,
    positions: sealedPositions(positionKey),
    /** Sender of emails, whatever reply address the admins have set. */
    operatorEmail: config.supportEmail,
    publicUrl: config.publicUrl,
    renderer,
    removal,
    savedFilters: new SavedFilterStore(stores),
    /** Scans for viruses; absent if files are not scanned. */
    scan: config.clamavUrl === undefined ? undefined : clamavAt(config.clamavUrl),
    schedule,
    settings,
    sharedCounters,
    hash,
    staffFactor,
    stored,
    strikes,
    suspensions,
    takesCards,
    uploads,
    views,
  };
}

type AccountDeps = Pick<
  Dependencies,
  | "handler"
  | "pool"
  | "keys"
  | "blind"
  | "links"
  | "reports"
  | "quota"
  | "hidings"
  | "terms"
  | "background"
  | "issuer"
  | "supportEmail"
  | "onSignIn"
> & {
  readonly limits: "on" | "off";
  readonly keptDays: () => KeptDays;
  readonly staffIdleMinutes: StaffIdleMinutes;
};

/** Opens the account services over the stores of the write side. */
export function openAccounts(deps: AccountDeps) {
  const { pool, keys, blind, links, limits } = deps;
  const accountStore = new AccountStore(pool, keys, blind);
  const stores = {
    ...deps,
    accounts: accountStore,
    devices: new DeviceStore(pool),
    sessions: new SessionStore(pool, deps.staffIdleMinutes),
    guesses: new PasswordGuesses(pool, limits),
    factors: new SecondFactorStore(pool, keys),
    challenges: new SignInChallengeStore(pool),
    strength: new PasswordStrength(deps.issuer),
  };
  const credentials = new Credentials({ ...stores, store: new CredentialStore(pool) });
  const eraser = new AccountEraser(stores);
  const claims = new AddressClaims({ ...stores, eraser });
  const codes = new FactorCodes(stores);
  const proof = new PasswordProof(stores);
  const shared = { ...stores, credentials, eraser, claims, codes, proof };
  const closing = new ClosingService(shared);
  const accountModeration = new AccountModerationService(shared);
  const start = new SessionStart({ ...shared, closing });
  const sessionEnds = new SessionEnds(shared);
  const signInLinks = new SignInLinks({ ...stores, links });
  const secondStep = new SecondStep({ ...shared, signInLinks, start });
  return {
    accountStore,
    accountEraser: eraser,
    accounts: new AccountService(shared),
    credentials,
    challenges: stores.challenges,
    closing,
    codes,
    confirmations: new EmailConfirmation(shared),
    emailChanges: new EmailChangeService(shared),
    factorResets: new FactorResetService(shared),
    factors: stores.factors,
    passwords: new PasswordService(shared),
    profiles: new ProfileService(shared),
    registration: new RegistrationService({ ...shared, start }),
    secondStep,
    sessionEnds,
    sessionProofs: new SessionProofs({ ...stores, passwords: proof }),
    sessions: new SessionService({
      ...shared,
      signInLinks,
      secondStep,
      sessionEnds,
      start,
      closing,
      bans: new BanAtSignIn({ ...deps, accountModeration }),
    }),
    signInLinks,
    accountModeration,
    twoFactor: new TwoFactorService(shared),
  };
}
