import cookie from "@fastify/cookie";
import type { Logger } from "pino";
import type { TextRenderer } from "#content/text-values.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore } from "#event-store/port.ts";
import type { AccountGate, TokenKeys } from "#http/auth.ts";
import type { SharedCounters } from "#http/counters/redis/shared-counters.ts";
import { errorStatuses } from "#http/errors.ts";
import type { ReadinessCheck } from "#http/health.ts";
import type { SealedPositions } from "#http/position-headers.ts";
import { createService, type ServiceInstance } from "#http/service.ts";
import type { Observe } from "#operations/observed-table.ts";
import type { TlsPair } from "#runtime/config/process-settings.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import type { ListExportSeals } from "#vault/links/list-export.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { listExportRoute } from "./access/list-exports.routes.ts";
import type { ListExports } from "./access/list-exports.service.ts";
import { accountRoutes } from "./account/account.routes.ts";
import type { ClosingService } from "./account/closing.service.ts";
import { emailChangeRoutes } from "./account/email-change.routes.ts";
import type { EmailChangeService } from "./account/email-change.service.ts";
import type { EmailConfirmation } from "./account/email-confirmation.ts";
import type { FactorCodes } from "./account/factor-codes.ts";
import { factorResetRoutes } from "./account/factor-reset.routes.ts";
import type { FactorResetService } from "./account/factor-reset.service.ts";
import { passwordRoutes } from "./account/password.routes.ts";
import type { PasswordService } from "./account/password.service.ts";
import { profileRoutes } from "./account/profile.routes.ts";
import type { ProfileService } from "./account/profile.service.ts";
import { registrationRoutes } from "./account/registration.routes.ts";
import type { RegistrationService } from "./account/registration.service.ts";
import type { SecondStep } from "./account/second-step.ts";
import { sessionRoutes } from "./account/session.routes.ts";
import type { SessionService } from "./account/session.service.ts";
import type { SessionEnds } from "./account/session-ends.ts";
import type { SessionProofs } from "./account/session-proofs.ts";
import type { SignToken } from "./account/session-start.ts";
import type { SignInLinks } from "./account/sign-in-links.ts";
import { standingRoutes } from "./account/standing.routes.ts";
import type { StandingService } from "./account/standing.service.ts";
import { twoFactorRoutes } from "./account/two-factor.routes.ts";
import type { TwoFactorService } from "./account/two-factor.service.ts";
import { checkoutRoutes, paymentNoticeRoutes } from "./checkout/checkout.routes.ts";
import type { CheckoutService } from "./checkout/checkout.service.ts";
import type { PaymentNotices } from "./checkout/payment-notices.ts";
import { contentRoutes } from "./content/content.routes.ts";
import type { ContentService } from "./content/content.service.ts";
import { documentDeletionRoutes } from "./evidence/document-deletion.routes.ts";
import { evidenceAdminRoutes } from "./evidence/evidence.admin-routes.ts";
import { evidencePublishingRoutes } from "./evidence/evidence-publishing.routes.ts";
import type { Evidence } from "./evidence/open-evidence.ts";
import { uploadRoutes } from "./evidence/upload.routes.ts";
import { exportFileRoute, exportRoutes } from "./export/export.routes.ts";
import type { ExportService } from "./export/export.service.ts";
import { inquiryRoutes } from "./inquiry/inquiry.routes.ts";
import type { InquiryService } from "./inquiry/inquiry.service.ts";
import { inquiryDeskRoutes } from "./inquiry/inquiry-desk.routes.ts";
import type { InquiryDesk } from "./inquiry/inquiry-desk.service.ts";
import { noticeDeskRoutes } from "./inquiry/notice-desk.routes.ts";
import type { NoticeDesk } from "./inquiry/notice-desk.service.ts";
import { jobRoutes } from "./jobs/job.routes.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { BackgroundWork } from "./kernel/background-work.ts";
import { addCommandRoutes } from "./kernel/command-route.ts";
import type { CommandHandler } from "./kernel/handler.ts";
import { createRequests } from "./kernel/requests.ts";
import { logCheckRoute } from "./log-check/log-check.routes.ts";
import { resendRoute } from "./mails/resend.routes.ts";
import type { ResendService } from "./mails/resend.service.ts";
import { queueRoutes } from "./queue/queue.routes.ts";
import type { QueueService } from "./queue/queue.service.ts";
import { bulkRoute } from "./report/bulk.routes.ts";
import type { ClaimService } from "./report/claim.service.ts";
import { ownReportRoutes } from "./report/own-report.routes.ts";
import type { OwnReportService } from "./report/own-report.service.ts";
import { reportAdminRoutes } from "./report/report.admin-routes.ts";
import { reportEmergencyRoutes } from "./report/report.emergency-routes.ts";
import { reportRoutes } from "./report/report.routes.ts";
import type { ReportService } from "./report/report.service.ts";
import { reporterLinkRoutes } from "./reporter-links/reporter-links.routes.ts";
import type { ReporterLinksService } from "./reporter-links/reporter-links.service.ts";
import { resolutionRoutes } from "./resolution/resolution.routes.ts";
import type { ResolutionService } from "./resolution/resolution.service.ts";
import type { SavedFilterStore } from "./saved-filters/saved-filter.store.ts";
import { savedFilterRoutes } from "./saved-filters/saved-filters.routes.ts";
import { refuseInMaintenance } from "./settings/maintenance.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import type { SettingsService } from "./settings/settings.service.ts";
import { systemActionRoute } from "./system/system.routes.ts";
import { templateRoutes } from "./templates/template.routes.ts";
import type { TemplateService } from "./templates/template.service.ts";
import { unsubscribeRoutes } from "./unsubscribing/unsubscribe.routes.ts";
import type { UnsubscribeService } from "./unsubscribing/unsubscribe.service.ts";
import type { ViewCounter } from "./views/view-counter.ts";

export interface CommandAppDeps {
  readonly version: string;
  readonly log: Logger;
  readonly store: EventStore;
  readonly handler: CommandHandler;
  readonly reports: ReportService;
  readonly queue: QueueService;
  readonly ownReports: OwnReportService;
  readonly reportClaims: ClaimService;
  readonly resolutions: ResolutionService;
  readonly checkouts: CheckoutService;
  readonly notices: PaymentNotices;
  /** Whether the fee of the RESOLVED banner can be paid by card. */
  readonly takesCards: boolean;
  readonly evidence: Pick<Evidence, "uploads" | "views" | "publishing">;
  readonly blind: BlindIndexer;
  readonly sessions: SessionService;
  readonly sessionEnds: SessionEnds;
  readonly sessionProofs: SessionProofs;
  readonly signInLinks: SignInLinks;
  readonly twoFactor: TwoFactorService;
  readonly factorResets: FactorResetService;
  readonly standings: StandingService;
  readonly secondStep: SecondStep;
  readonly codes: FactorCodes;
  readonly registration: RegistrationService;
  readonly confirmations: EmailConfirmation;
  readonly passwords: PasswordService;
  readonly profiles: ProfileService;
  readonly closing: ClosingService;
  readonly exports: ExportService;
  readonly listExports: ListExports;
  readonly savedFilters: SavedFilterStore;
  readonly exportSeals: ListExportSeals;
  readonly emailChanges: EmailChangeService;
  readonly inquiries: InquiryService;
  readonly inquiryDesk: InquiryDesk;
  readonly noticeDesk: NoticeDesk;
  readonly resends: ResendService;
  readonly reporterLinks: ReporterLinksService;
  readonly content: ContentService;
  readonly renderer: TextRenderer;
  readonly mailTemplates: TemplateService;
  readonly unsubscribe: UnsubscribeService;
  readonly settings: SettingsService;
  /** What applies now. */
  readonly present: () => Settings;
  readonly views: ViewCounter;
  readonly gate: AccountGate;
  /** Service key `commands`. */
  readonly commandKey: LiveKey;
  readonly tokens: TokenKeys;
  readonly epoch: string;
  readonly positions: SealedPositions;
  readonly background: BackgroundWork;
  readonly jobs: Jobs;
  readonly now: () => Date;
  readonly limits: "on" | "off";
  readonly observe: Observe;
  /** Server that counts limits; when absent, this service counts in memory. */
  readonly sharedCounters?: SharedCounters | undefined;
  readonly trustProxyHops: number;
  readonly corsOrigins?: readonly string[] | undefined;
  /** Marks the sample loader's requests; see `origin.ts` in packages/http. */
  readonly originToken?: string | undefined;
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  readonly processMetrics?: boolean | undefined;
  readonly tls?: TlsPair | undefined;
}

/** The write side over HTTP: everything except GET, and the emergency forms of GET. */
export async function buildCommandApp(deps: CommandAppDeps): Promise<ServiceInstance> {
  const { reports, sessions, views, epoch, now } = deps;
  const requests = createRequests({
    commandKey: deps.commandKey,
    epoch,
    positions: deps.positions,
    now,
  });
  const app = await createService({
    name: "command-api",
    version: deps.version,
    log: deps.log,
    tokens: deps.tokens,
    accounts: deps.gate,
    limits: deps.limits,
    limitsAreLifted: () => !deps.present().rateLimitEnabled,
    trustProxyHops: deps.trustProxyHops,
    sharedCounters: deps.sharedCounters,
    checks: {
      event_log: async () => {
        await deps.store.head();
        return { ok: true };
      },
      ...deps.checks,
    },
    onCallRefused: ({ actor: { id, role }, code, method, route }) =>
      deps.observe({ account: id, role, method, route, code }),
    corsOrigins: deps.corsOrigins,
    originToken: deps.originToken,
    processMetrics: deps.processMetrics,
    tls: deps.tls,
  });
  // After a conflict, the process that was second can read what the first one did. Visitors learn
  // nothing about the log from a refusal.
  app.addHook("onError", async (request, reply, error) => {
    if (request.actor?.role === "visitor" || !(error instanceof DomainError)) return;
    const isOutdated = [409, 410].includes(errorStatuses[error.code]);
    if (error.position && isOutdated) requests.position(reply, error.position);
  });
  refuseInMaintenance(app, { settings: deps.present, now });
  await app.register(cookie);
  const { background, store } = deps;
  const head = () => store.head();
  const { confirmations, registration, passwords, profiles } = deps;
  reportRoutes(app, { reports, confirmations, requests, views, background, head });
  const { uploads, views: evidence, publishing } = deps.evidence;
  await uploadRoutes(app, { uploads, requests, blind: deps.blind });
  evidenceAdminRoutes(app, { evidence, requests });
  await evidencePublishingRoutes(app, { publishing, requests });
  reportAdminRoutes(app, { reports, queue: deps.queue, requests });
  reportEmergencyRoutes(app, { reports, requests });
  const sign: SignToken = (account) => app.tokens.issue(account).token;
  accountRoutes(app, { sessions, links: deps.signInLinks, requests, sign });
  addCommandRoutes(app, [
    ...ownReportRoutes({ ownReports: deps.ownReports, claims: deps.reportClaims, requests }),
    ...queueRoutes({ queue: deps.queue, requests }),
    ...documentDeletionRoutes({ reports, requests }),
    ...checkoutRoutes({ ...deps, requests }),
    ...resolutionRoutes({
      resolutions: deps.resolutions,
      takesCards: deps.takesCards,
      requests,
      spend: (request) => app.limits.spend(request, "banner"),
    }),
    ...registrationRoutes({
      registration,
      profiles,
      requests,
      sign,
      spend: (request, email) => app.limits.byMailbox(request, "register_mailbox", email),
    }),
    ...passwordRoutes({
      passwords,
      requests,
      sign,
      head,
      spend: (request, email) => app.limits.byMailbox(request, "reset_mailbox", email),
    }),
    ...reporterLinkRoutes({
      reporterLinks: deps.reporterLinks,
      reports,
      requests,
      spend: (request, email) => app.limits.byMailbox(request, "correct_mailbox", email),
    }),
    ...profileRoutes({ profiles, closing: deps.closing, requests }),
    ...emailChangeRoutes({
      emailChanges: deps.emailChanges,
      codes: deps.codes,
      requests,
      sign,
      spend: (request) => app.limits.spend(request, "email_change"),
    }),
    ...exportRoutes({
      exports: deps.exports,
      requests,
      spend: (request) => app.limits.spend(request, "export"),
    }),
    ...inquiryRoutes({ inquiries: deps.inquiries, requests }),
    ...contentRoutes({ content: deps.content, renderer: deps.renderer, requests, views }),
    ...templateRoutes({ mailTemplates: deps.mailTemplates, requests }),
    ...twoFactorRoutes({
      twoFactor: deps.twoFactor,
      secondStep: deps.secondStep,
      codes: deps.codes,
      requests,
      sign,
    }),
    ...factorResetRoutes({ resets: deps.factorResets, requests }),
    ...settingsRoutes({ settings: deps.settings, requests }),
    ...standingRoutes({ standings: deps.standings, requests }),
    ...jobRoutes({ jobs: deps.jobs, requests }),
    listExportRoute({ listExports: deps.listExports, seals: deps.exportSeals, requests, now }),
    ...savedFilterRoutes({ savedFilters: deps.savedFilters, requests }),
    bulkRoute({ jobs: deps.jobs, requests }),
    systemActionRoute({ jobs: deps.jobs, requests }),
    resendRoute({ resends: deps.resends, requests }),
    logCheckRoute({ jobs: deps.jobs, requests }),
  ]);
  inquiryDeskRoutes(app, { desk: deps.inquiryDesk, requests });
  noticeDeskRoutes(app, { desk: deps.noticeDesk, requests });
  exportFileRoute(app, { exports: deps.exports, requests });
  await paymentNoticeRoutes(app, { notices: deps.notices });
  await unsubscribeRoutes(app, { unsubscribe: deps.unsubscribe, requests });
  sessionRoutes(app, {
    ends: deps.sessionEnds,
    proofs: deps.sessionProofs,
    requests,
    staffIdleMinutes: () => deps.present().sessionTimeout,
  });
  return app;
}
