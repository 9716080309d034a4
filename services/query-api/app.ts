import type { FastifyError } from "fastify";
import {
  createService,
  type Feature,
  registerFeatures,
  type ServiceInstance,
  type ServiceOptions,
} from "#http/service.ts";
import { adminReportRoutes, deletionRoutes } from "./admin-reports/admin-reports.routes.ts";
import { analyticsRoutes } from "./analytics/analytics.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { changeRoutes } from "./changes/changes.routes.ts";
import { adminContentRoutes } from "./content/admin-content.routes.ts";
import { contentRoutes } from "./content/content.routes.ts";
import { dashboardRoutes } from "./dashboard/dashboard.routes.ts";
import { documentRoutes, paymentRoutes } from "./documents/documents.routes.ts";
import { evidenceRoutes } from "./evidence/evidence.routes.ts";
import { auditedEventRoutes } from "./history/audited-event.routes.ts";
import { historyRoutes } from "./history/history.routes.ts";
import { inquiryRoutes } from "./inquiries/inquiries.routes.ts";
import { jobRoutes } from "./jobs/jobs.routes.ts";
import { listExportRoutes } from "./list-exports/list-exports.routes.ts";
import { mailRoutes } from "./mails/mails.routes.ts";
import { noticeRoutes } from "./notices/notices.routes.ts";
import { notificationRoutes } from "./notifications/notifications.routes.ts";
import { offenderRoutes } from "./offenders/offenders.routes.ts";
import {
  claimableReportRoutes,
  ownReportRoutes,
  sameOrderRoute,
} from "./own-reports/own-reports.routes.ts";
import { profileRoutes } from "./profile/profile.routes.ts";
import { queueRoutes } from "./queue/queue.routes.ts";
import type { ReadSide } from "./read-side.ts";
import { reportRoutes } from "./reports/reports.routes.ts";
import { resolutionRoutes } from "./resolutions/resolutions.routes.ts";
import { samplesRoutes } from "./samples/samples.routes.ts";
import { savedFilterRoutes } from "./saved-filters/saved-filters.routes.ts";
import { searchRoutes } from "./search/search.routes.ts";
import { sessionRoutes } from "./sessions/sessions.routes.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import { sitemapRoutes } from "./sitemap/sitemap.routes.ts";
import { statsRoutes } from "./stats/stats.routes.ts";
import { systemRoutes } from "./system/system.routes.ts";
import { templateRoutes } from "./templates/templates.routes.ts";
import { unsubscribePageRoute } from "./unsubscribing/unsubscribe.routes.ts";
import { userRoutes } from "./users/users.routes.ts";

/** Each adds the routes of one area, in the order of the API description. */
const FEATURES: readonly Feature<ReadSide>[] = [
  reportRoutes,
  evidenceRoutes,
  searchRoutes,
  offenderRoutes,
  adminReportRoutes,
  deletionRoutes,
  queueRoutes,
  auditLogRoutes,
  historyRoutes,
  changeRoutes,
  auditedEventRoutes,
  samplesRoutes,
  contentRoutes,
  adminContentRoutes,
  templateRoutes,
  statsRoutes,
  analyticsRoutes,
  dashboardRoutes,
  resolutionRoutes,
  paymentRoutes,
  documentRoutes,
  inquiryRoutes,
  noticeRoutes,
  mailRoutes,
  notificationRoutes,
  profileRoutes,
  ownReportRoutes,
  claimableReportRoutes,
  sameOrderRoute,
  sessionRoutes,
  jobRoutes,
  listExportRoutes,
  userRoutes,
  savedFilterRoutes,
  settingsRoutes,
  sitemapRoutes,
  systemRoutes,
  unsubscribePageRoute,
];

/** Builds the read side's HTTP service, with the options common to all services. */
export async function buildQueryApp(
  side: ReadSide,
  options: Omit<ServiceOptions, "name" | "accounts">,
): Promise<ServiceInstance> {
  const { accounts, layouts, observe, settings } = side;
  const app = await createService({
    ...options,
    name: "query-api",
    accounts,
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

  await registerFeatures(app, FEATURES, side);
  return app;
}
