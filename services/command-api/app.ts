import cookie from "@fastify/cookie";
import { DomainError } from "#contracts/domain-error.ts";
import { errorStatuses } from "#contracts/error-statuses.ts";
import {
  createService,
  type Feature,
  registerFeatures,
  type ServiceInstance,
  type ServiceOptions,
} from "#http/service.ts";
import { listExportRoute } from "./access/list-exports.routes.ts";
import { accountRoutes } from "./account/account.routes.ts";
import { accountModerationRoutes } from "./account/account-moderation.routes.ts";
import { emailChangeRoutes } from "./account/email-change.routes.ts";
import { factorResetRoutes } from "./account/factor-reset.service.ts";
import { passwordRoutes } from "./account/password.routes.ts";
import { profileRoutes } from "./account/profile.routes.ts";
import { registrationRoutes } from "./account/registration.routes.ts";
import { sessionRoutes } from "./account/session.routes.ts";
import { twoFactorRoutes } from "./account/two-factor.routes.ts";
import { checkoutRoutes, paymentNoticeRoutes } from "./checkout/checkout.routes.ts";
import { contentRoutes } from "./content/content.routes.ts";
import {
  documentDeletionRoutes,
  evidenceAdminRoutes,
  evidencePublishingRoutes,
} from "./evidence/evidence-publishing.routes.ts";
import { uploadRoutes } from "./evidence/upload.routes.ts";
import { exportRoutes } from "./export/export.routes.ts";
import { inquiryRoutes } from "./inquiry/inquiry.routes.ts";
import { inquiryAnswerRoutes } from "./inquiry/inquiry-answer.routes.ts";
import {
  inquiryModerationRoutes,
  noticeModerationRoutes,
} from "./inquiry/inquiry-moderation.routes.ts";
import { jobRoutes } from "./jobs/job.routes.ts";
import { decorateCommands } from "./kernel/command-ids.store.ts";
import { logCheckRoute } from "./log-check/log-check.job.ts";
import { mailRoutes } from "./mails/mails.routes.ts";
import { queueRoutes } from "./queue/queue.routes.ts";
import { bulkRoute } from "./report/bulk.job.ts";
import { ownReportRoutes } from "./report/own-report.routes.ts";
import { reportAdminRoutes } from "./report/report.admin-routes.ts";
import { reportEmergencyRoutes } from "./report/report.emergency-routes.ts";
import { reportRoutes } from "./report/report.routes.ts";
import { reporterLinkRoutes } from "./reporter-links/reporter-links.routes.ts";
import { resolutionRoutes } from "./resolution/resolution.routes.ts";
import { savedFilterRoutes } from "./saved-filters/saved-filters.routes.ts";
import { refuseInMaintenance, settingsRoutes } from "./settings/settings.routes.ts";
import { systemActionRoute } from "./system/system.routes.ts";
import { templateRoutes } from "./templates/template.routes.ts";
import { unsubscribeRoutes } from "./unsubscribing/unsubscribe.routes.ts";
import type { WriteSide } from "./write-side.ts";

const FEATURES: readonly Feature<WriteSide>[] = [
  reportRoutes,
  uploadRoutes,
  evidenceAdminRoutes,
  evidencePublishingRoutes,
  reportAdminRoutes,
  reportEmergencyRoutes,
  accountRoutes,
  ownReportRoutes,
  queueRoutes,
  documentDeletionRoutes,
  checkoutRoutes,
  resolutionRoutes,
  registrationRoutes,
  passwordRoutes,
  reporterLinkRoutes,
  profileRoutes,
  emailChangeRoutes,
  exportRoutes,
  inquiryRoutes,
  contentRoutes,
  templateRoutes,
  twoFactorRoutes,
  factorResetRoutes,
  settingsRoutes,
  accountModerationRoutes,
  jobRoutes,
  listExportRoute,
  savedFilterRoutes,
  bulkRoute,
  systemActionRoute,
  mailRoutes,
  logCheckRoute,
  inquiryModerationRoutes,
  inquiryAnswerRoutes,
  noticeModerationRoutes,
  paymentNoticeRoutes,
  unsubscribeRoutes,
  sessionRoutes,
];

/** Builds the HTTP side of command-api: everything except GET, and the emergency forms of GET. */
export async function buildCommandApp(
  side: WriteSide,
  options: Omit<ServiceOptions, "name">,
): Promise<ServiceInstance> {
  const { observe, settings } = side;
  const app = await createService({
    ...options,
    name: "command-api",
    limitsAreLifted: () => !settings().rateLimitEnabled,
    onCallRefused: ({ actor: { id, role }, code, method, route }) =>
      observe({ account: id, role, method, route, code }),
  });
  decorateCommands(app, side);
  // After a conflict, the process that lost the race needs the position to read what the winner wrote. Visitors
  // learn nothing about the log from a refusal.
  app.addHook("onError", async (request, reply, error) => {
    if (request.actor?.role === "visitor" || !(error instanceof DomainError)) return;
    const isOutdated = [409, 410].includes(errorStatuses[error.code]);
    if (error.position && isOutdated) reply.at(error.position);
  });
  refuseInMaintenance(app, { settings, now: () => new Date() });
  await app.register(cookie);
  await registerFeatures(app, FEATURES, side);
  return app;
}
