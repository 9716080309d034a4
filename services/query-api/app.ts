import type { FastifyError } from "fastify";
import type { ShippedTexts } from "#content/shipped-text.ts";
import type { TextRenderer } from "#content/text-values.ts";
import type { SealedFiles } from "#files/sealed-files.ts";
import type { SealedPositions } from "#http/position-headers.ts";
import { createService, type ServiceInstance, type ServiceOptions } from "#http/service.ts";
import type { Caches } from "#operations/caches.ts";
import type { Observe } from "#operations/observed-table.ts";
import type { PartCheck } from "#operations/part-check.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { SearchIndex } from "#search/port.ts";
import { createPageTokens, type PageKeys } from "#search/search-plan.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { ListExportSeals } from "#vault/links/list-export.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { ActorNames } from "./actors/actor-names.ts";
import { adminReportRoutes } from "./admin-reports/admin-reports.routes.ts";
import { deletionRoutes } from "./admin-reports/deletions.routes.ts";
import { analyticsRoutes } from "./analytics/analytics.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { AuditReader } from "./audit-log/audit-reader.ts";
import type { ChangeFeed } from "./changes/change-feed.ts";
import { changeRoutes } from "./changes/changes.routes.ts";
import type { ClaimWatch } from "./changes/claim-watch.ts";
import type { OpenStreams } from "./changes/open-streams.ts";
import { adminContentRoutes } from "./content/admin-content.routes.ts";
import { contentRoutes } from "./content/content.routes.ts";
import { PublishedTexts } from "./content/published-texts.ts";
import { type DashboardDeps, dashboardRoutes } from "./dashboard/dashboard.routes.ts";
import { documentRoutes } from "./documents/documents.routes.ts";
import { evidenceRoutes } from "./evidence/evidence.routes.ts";
import { figuresRoutes } from "./figures/figures.routes.ts";
import type { CheckpointWatcher } from "./freshness/checkpoint-watcher.ts";
import { createReadYourWrites } from "./freshness/read-your-writes.ts";
import { auditedEventRoutes } from "./history/audited-event.routes.ts";
import { AuditedEvents } from "./history/audited-event.ts";
import { inquiryHistory, noticeHistory } from "./history/case-history.ts";
import { ContentHistory } from "./history/content-history.ts";
import { ReportHistories, type ReportHistoryDeps } from "./history/history.reader.ts";
import { historyRoutes } from "./history/history.routes.ts";
import { TemplateHistory } from "./history/template-history.ts";
import { inquiryRoutes } from "./inquiries/inquiries.routes.ts";
import { jobRoutes } from "./jobs/jobs.routes.ts";
import type { LayoutWatch } from "./layout-watch.ts";
import { exportedAnalytics } from "./list-exports/analytics.export.ts";
import { exportedAudit } from "./list-exports/audit.export.ts";
import { listExportRoutes } from "./list-exports/list-exports.routes.ts";
import { exportedReports } from "./list-exports/reports.export.ts";
import { exportedUsers } from "./list-exports/users.export.ts";
import { mailRoutes } from "./mails/mails.routes.ts";
import { noticeRoutes } from "./notices/notices.routes.ts";
import { notificationRoutes } from "./notifications/notifications.routes.ts";
import { offenderRoutes } from "./offenders/offenders.routes.ts";
import { claimableReportRoutes } from "./own-reports/claimable.routes.ts";
import { ownReportRoutes } from "./own-reports/own-reports.routes.ts";
import { sameOrderRoute } from "./own-reports/same-order.routes.ts";
import { paymentRoutes } from "./payments/payments.routes.ts";
import { profileRoutes } from "./profile/profile.routes.ts";
import { queueRoutes } from "./queue/queue.routes.ts";
import { reportRoutes } from "./reports/reports.routes.ts";
import { resolutionRoutes } from "./resolutions/resolutions.routes.ts";
import { samplesRoutes } from "./samples/samples.routes.ts";
import { savedFilterRoutes } from "./saved-filters/saved-filters.routes.ts";
import { searchRoutes } from "./search/search.routes.ts";
import { sessionRoutes } from "./sessions/sessions.routes.ts";
import type { PresentSettings } from "./settings/present-settings.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import { sitemapRoutes } from "./sitemap/sitemap.routes.ts";
import type { AskedProcesses } from "./system/asked-processes.ts";
import { systemRoutes } from "./system/system.routes.ts";
import { templateRoutes } from "./templates/templates.routes.ts";
import { unsubscribePageRoute } from "./unsubscribing/unsubscribe.routes.ts";
import { userRoutes } from "./users/users.routes.ts";

/**
 * The service's own dependencies, and the options that every service has ({@link ServiceOptions}).
 */
export interface QueryAppDeps extends Omit<ServiceOptions, "name" | "explainError"> {
  readonly db: ReadModelDatabase;
  readonly watcher: Pick<CheckpointWatcher, "reach">;
  /** What the console follows, and its streams that are open in this process. */
  readonly feed: ChangeFeed;
  readonly claims: ClaimWatch;
  readonly streams: OpenStreams;
  readonly index: Pick<SearchIndex, "search">;
  /** The event log, used only to replay histories and to see how far it goes. */
  readonly store: ReportHistoryDeps["store"] & DashboardDeps["store"];
  readonly keys: KeyStore;
  readonly files: Pick<SealedFiles, "get">;
  /** The checks of the stores, for the state of the system. */
  readonly parts: readonly PartCheck[];
  /** Takes what the routes keep in memory. */
  readonly caches: Caches;
  /** Processes that do not report by themselves. */
  readonly asked: Pick<AskedProcesses, "ask">;
  /** Uses the service key `blind-index`. */
  readonly blind: BlindIndexer;
  readonly positions: SealedPositions;
  readonly exportSeals: ListExportSeals;
  /** Keyed hash of a slug. Uses the service key `slugs`. */
  readonly slugHash: (slug: string) => string;
  /** Rejects reads while the tables are of another version. */
  readonly layouts: Pick<LayoutWatch, "assertSame" | "explain">;
  /** The texts that ship with this version, and what fills them in. */
  readonly shipped: ShippedTexts;
  readonly renderer: TextRenderer;
  /** Service key `pages`. */
  readonly pageKey: PageKeys;
  /** What applies now. */
  readonly settings: PresentSettings["settings"];
  readonly observe: Observe;
}

/** The read side over HTTP. */
export async function buildQueryApp(deps: QueryAppDeps): Promise<ServiceInstance> {
  const {
    db,
    watcher,
    feed,
    claims,
    streams,
    index,
    store,
    keys,
    files,
    parts,
    caches,
    asked,
    blind,
    positions,
    exportSeals,
    slugHash,
    layouts,
    shipped,
    renderer,
    pageKey,
    settings,
    observe,
    ...base
  } = deps;
  const app = await createService({
    ...base,
    name: "query-api",
    limitsAreLifted: () => !settings().rateLimitEnabled,
    onCallRefused: ({ actor: { id, role }, code, method, route }) =>
      observe({ account: id, role, method, route, code }),
    explainError: async (error) => (await layouts.explain(error)) as FastifyError,
  });
  // Public replies may be cached but must be revalidated. Nothing else may be cached.
  app.addHook("preHandler", async ({ headers, routeOptions }, reply) => {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary ? `${vary}, Authorization` : "Authorization");
    const isPublic = routeOptions.config.roles?.includes("visitor") ?? false;
    if (isPublic && headers.authorization === undefined) reply.header("cache-control", "no-cache");
  });

  app.addHook("preHandler", async ({ routeOptions: { config } }) => {
    if (config.roles && config.limit !== "probe") await layouts.assertSame();
  });

  const freshness = createReadYourWrites(db, watcher, positions);
  const names = new ActorNames(db, keys);
  const audit = new AuditReader({ db, keys, names });
  const histories = new ReportHistories({ store, keys, db, names, audit });
  reportRoutes(app, { db, freshness, slugHash });
  evidenceRoutes(app, { db, files, freshness });
  searchRoutes(app, { db, freshness, index, blind, observe });
  offenderRoutes(app, { db, freshness, pageTokens: createPageTokens(pageKey) });
  adminReportRoutes(app, { db, keys, blind, names, freshness });
  deletionRoutes(app, { db, keys, blind, names, freshness });
  queueRoutes(app, { db, keys, blind, names, freshness });
  auditLogRoutes(app, { audit, freshness });
  historyRoutes(app, { histories, freshness });
  changeRoutes(app, { feed, claims, streams, positions, accounts: base.accounts });
  auditedEventRoutes(app, { events: new AuditedEvents({ db, store, keys, audit }), freshness });
  samplesRoutes(app, { db });
  const texts = caches.add(new PublishedTexts({ db, shipped, renderer, hash: slugHash }));
  contentRoutes(app, { db, texts, settings, caches, freshness });
  const history = new ContentHistory({ store, keys, names });
  adminContentRoutes(app, { db, shipped, renderer, names, history, freshness });
  templateRoutes(app, { db, history: new TemplateHistory({ store, keys, names }) });
  figuresRoutes(app, { db, caches });
  analyticsRoutes(app, { db, freshness });
  dashboardRoutes(app, { db, store, caches, freshness });
  resolutionRoutes(app, { db, freshness });
  paymentRoutes(app, { db, freshness });
  documentRoutes(app, { db, freshness });
  inquiryRoutes(app, { db, history: inquiryHistory({ store, keys, names }), freshness });
  noticeRoutes(app, { db, history: noticeHistory({ store, keys, names }), freshness });
  mailRoutes(app, { db, freshness });
  notificationRoutes(app, { db, freshness });
  profileRoutes(app, { db, keys, freshness });
  ownReportRoutes(app, { db, positions, freshness });
  claimableReportRoutes(app, { db, keys, blind, freshness });
  sameOrderRoute(app, { db, freshness });
  sessionRoutes(app, { db, keys, freshness });
  jobRoutes(app, { db, positions });
  listExportRoutes(app, {
    lists: {
      reports: exportedReports(db),
      users: exportedUsers(db, blind),
      audit: exportedAudit(audit),
      analytics: exportedAnalytics(db),
    },
    seals: exportSeals,
    freshness,
    accounts: base.accounts,
  });
  userRoutes(app, { db, keys, names, blind, freshness });
  savedFilterRoutes(app, { db, keys });
  settingsRoutes(app, { db, names, freshness });
  sitemapRoutes(app, { db, caches, freshness });
  systemRoutes(app, { db, parts, caches, asked });
  unsubscribePageRoute(app);
  return app;
}
