import { NOTIFICATIONS } from "../notification/notification-kinds.ts";
import { SYSTEM_SETTINGS } from "../settings/settings-at.ts";
import { SYSTEM_ACTIONS_PATH } from "../system/actions.ts";
import { ADMIN_INQUIRIES, ADMIN_INQUIRY } from "./admin-inquiries.ts";
import { ADMIN_MAILS, READ_MAIL, RESEND_MAIL } from "./admin-mails.ts";
import { ADMIN_NOTICE, ADMIN_NOTICES } from "./admin-notices.ts";
import { ADMIN_TEMPLATES, TEMPLATE_COMMANDS } from "./admin-templates.ts";
import { AUDITED_EVENT, LOG_CHECK } from "./audit.ts";
import { CHANGES } from "./changes.ts";
import { ADMIN_CONTENT, CONTENT_COMMANDS } from "./content.ts";
import { ADMIN_DOCUMENTS, ADMIN_PAYMENTS, DELETE_DOCUMENT } from "./documents.ts";
import { PUBLISHED_EVIDENCE, REVEALED_FILE } from "./evidence.ts";
import { INQUIRY_ANSWER, INQUIRY_REPLY } from "./inquiries.ts";
import { BULK, JOB, JOBS } from "./jobs.ts";
import {
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  LIST_EXPORTS,
  SAVED_FILTER,
  SAVED_FILTERS,
} from "./list-exports.ts";
import { ADMIN_REPORT, MODERATION } from "./moderation.ts";
import { QUEUE } from "./queue.ts";
import { DELETIONS } from "./report-view.ts";
import {
  OWN_CHECKOUT,
  OWN_RESOLUTION,
  OWN_RESOLUTION_STATE,
  RESOLUTION_COMMAND_NAMES,
  resolutionPath,
  STRIPE_NOTICES,
} from "./resolution.ts";
import { ADMIN_USERS, USER_COMMANDS } from "./users.ts";

type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

/** What a repeated request does: changes nothing, is `recognized` by its `Idempotency-Key`, or `acts` again. */
export type WhenRepeated = "reads" | "recognized" | "acts";

type Methods = { readonly [M in ApiMethod]?: WhenRepeated };
type Routes = Readonly<Record<string, Methods>>;

/**
 * Adds the routes of commands, which the log recognizes when repeated, to others.
 * @param base path that precedes those of the commands.
 */
function withCommands(
  base: string,
  commands: Readonly<Record<string, { readonly path: string; readonly method: ApiMethod }>>,
  others: Routes,
): Routes {
  const routes: Record<string, Methods> = { ...others };
  for (const { path, method } of Object.values(commands))
    routes[base + path] = { ...routes[base + path], [method]: "recognized" };
  return routes;
}

/**
 * Every path of the contract with its methods, whichever service handles it. The read side and the command side
 * share one address, so each needs all of them to tell an unknown path from a known one with another method.
 * `deploy/haproxy/` derives from this which requests may be retried.
 */
export const API_ROUTES: Routes = {
  ...withCommands(ADMIN_REPORT, MODERATION, { [ADMIN_REPORT]: { GET: "reads" } }),
  ...Object.fromEntries(
    RESOLUTION_COMMAND_NAMES.map((name): [string, Methods] => [
      resolutionPath(name),
      { POST: "recognized" },
    ]),
  ),
  // A preview stores nothing.
  ...withCommands(ADMIN_CONTENT, CONTENT_COMMANDS, {
    [`${ADMIN_CONTENT}/:id`]: { GET: "reads" },
    [`${ADMIN_CONTENT}/:id/versions/:revision`]: { GET: "reads" },
    [`${ADMIN_CONTENT}/preview`]: { POST: "reads" },
  }),
  ...withCommands(ADMIN_TEMPLATES, TEMPLATE_COMMANDS, {
    [ADMIN_TEMPLATES]: { GET: "reads" },
    [`${ADMIN_TEMPLATES}/:kind/:id`]: { GET: "reads" },
    [`${ADMIN_TEMPLATES}/:kind/:id/versions/:revision`]: { GET: "reads" },
    [`${ADMIN_TEMPLATES}/:kind/preview`]: { POST: "reads" },
  }),
  ...withCommands(ADMIN_USERS, USER_COMMANDS, {
    [ADMIN_USERS]: { GET: "reads" },
    [`${ADMIN_USERS}/:id`]: { GET: "reads" },
    [`${ADMIN_USERS}/:id/reveal`]: { POST: "acts" },
  }),
  [`${ADMIN_REPORT}/evidence/:fileId`]: { POST: "acts" },
  [DELETE_DOCUMENT]: { POST: "recognized" },
  [`${ADMIN_REPORT}/evidence/:fileId/hide`]: { POST: "recognized" },
  [`${ADMIN_REPORT}/evidence/:fileId/publish`]: { POST: "recognized" },
  [`${ADMIN_REPORT}/history`]: { GET: "reads" },
  [`${ADMIN_REPORT}/reveal`]: { POST: "acts" },
  [REVEALED_FILE]: { POST: "reads" },
  "/prod/admin/audit-logs": { GET: "reads" },
  "/prod/admin/audit-logs/:id": { GET: "reads" },
  "/prod/admin/content": { GET: "reads" },
  "/prod/admin/reports": { GET: "reads" },
  "/prod/admin/reports/:id": { GET: "reads" },
  "/prod/admin/users": { GET: "reads" },
  "/prod/admin/users/:id": { GET: "reads" },
  "/prod/api/account/reports": { GET: "reads" },
  "/prod/api/account/reports/:id/answer": { POST: "recognized" },
  "/prod/api/account/reports/:id/claim": { POST: "recognized" },
  "/prod/api/account/reports/:id/open": { POST: "acts" },
  [OWN_RESOLUTION]: { DELETE: "recognized", POST: "recognized" },
  [OWN_CHECKOUT]: { POST: "recognized" },
  [OWN_RESOLUTION_STATE]: { POST: "reads" },
  "/prod/api/account/reports/claimable": { GET: "reads" },
  "/prod/api/account/reports/same-order": { GET: "reads" },
  "/prod/api/account/reports/summary": { GET: "reads" },
  "/prod/api/admin/analytics": { GET: "reads" },
  "/prod/api/admin/audit-logs": { GET: "reads" },
  [CHANGES]: { GET: "reads" },
  [AUDITED_EVENT]: { GET: "reads" },
  [LOG_CHECK]: { POST: "recognized" },
  "/prod/api/admin/dashboard": { GET: "reads" },
  [ADMIN_DOCUMENTS]: { GET: "reads" },
  // The same key, body and count are the same export.
  [LIST_EXPORTS]: { POST: "recognized" },
  [LIST_EXPORT_COUNT]: { GET: "reads" },
  [LIST_EXPORT_ROWS]: { GET: "reads" },
  [DELETIONS]: { GET: "reads" },
  [ADMIN_INQUIRIES]: { GET: "reads" },
  [ADMIN_INQUIRY]: { GET: "reads" },
  [`${ADMIN_INQUIRY}/answer`]: { POST: "recognized" },
  [`${ADMIN_INQUIRY}/disclose`]: { POST: "acts" },
  [`${ADMIN_INQUIRY}/document`]: { POST: "acts" },
  [`${ADMIN_INQUIRY}/notes`]: { POST: "recognized" },
  [`${ADMIN_INQUIRY}/reveal`]: { POST: "acts" },
  [`${ADMIN_INQUIRY}/status`]: { POST: "recognized" },
  [ADMIN_MAILS]: { GET: "reads" },
  [RESEND_MAIL]: { POST: "recognized" },
  [READ_MAIL]: { POST: "acts" },
  [ADMIN_NOTICES]: { GET: "reads" },
  [ADMIN_NOTICE]: { GET: "reads" },
  [`${ADMIN_NOTICE}/delete`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/lift`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/link`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/notes`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/pass-on`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/refuse`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/restore`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/reveal`]: { POST: "acts" },
  [`${ADMIN_NOTICE}/take-down`]: { POST: "recognized" },
  [`${ADMIN_NOTICE}/unlink`]: { POST: "recognized" },
  [NOTIFICATIONS]: { GET: "reads" },
  [QUEUE]: { GET: "reads" },
  // Taking a report again keeps it, and leaving it again changes nothing.
  [`${QUEUE}/leave`]: { POST: "acts" },
  [`${QUEUE}/take`]: { POST: "acts" },
  [ADMIN_PAYMENTS]: { GET: "reads" },
  "/prod/api/admin/reports": { GET: "reads" },
  [BULK]: { POST: "recognized" },
  "/prod/api/admin/resolutions": { GET: "reads" },
  // A repeated key returns the same filter; there is no event.
  [SAVED_FILTERS]: { GET: "reads", POST: "acts" },
  [SAVED_FILTER]: { DELETE: "acts" },
  "/prod/api/admin/users/:id/two-factor/reset": { POST: "recognized" },
  "/prod/api/auth/account": { DELETE: "acts" },
  "/prod/api/auth/activity": { POST: "acts" },
  "/prod/api/auth/change-email": { POST: "acts", DELETE: "acts" },
  "/prod/api/auth/change-password": { POST: "acts" },
  "/prod/api/auth/confirm-email-change": { POST: "acts" },
  "/prod/api/auth/export": { POST: "acts" },
  "/prod/api/auth/export/file": { POST: "acts" },
  "/prod/api/auth/forgot-password": { POST: "acts" },
  "/prod/api/auth/login": { POST: "acts" },
  "/prod/api/auth/login/two-factor": { POST: "acts" },
  "/prod/api/auth/logout": { POST: "acts" },
  "/prod/api/auth/preferences": { GET: "reads", PUT: "recognized" },
  "/prod/api/auth/profile": { GET: "reads", PUT: "recognized" },
  "/prod/api/auth/prove": { POST: "acts" },
  "/prod/api/auth/refresh": { POST: "acts" },
  "/prod/api/auth/register": { POST: "acts" },
  "/prod/api/auth/resend-verification": { POST: "acts" },
  "/prod/api/auth/reset-password": { POST: "acts" },
  "/prod/api/auth/sessions": { GET: "reads", DELETE: "acts" },
  "/prod/api/auth/sessions/:id": { DELETE: "acts" },
  "/prod/api/auth/sign-in-link/:token": { POST: "acts" },
  "/prod/api/auth/two-factor": { DELETE: "acts" },
  "/prod/api/auth/two-factor/confirm": { POST: "acts" },
  "/prod/api/auth/two-factor/recovery-codes": { POST: "acts" },
  "/prod/api/auth/two-factor/setup": { POST: "acts" },
  "/prod/api/auth/undo-email-change": { POST: "acts" },
  "/prod/api/content/:id/view": { POST: "acts" },
  "/prod/api/content/:slug": { GET: "reads" },
  "/prod/api/dmca/counter-notices": { POST: "recognized" },
  "/prod/api/dmca/notices": { POST: "recognized" },
  "/prod/api/enterprise/contact": { POST: "recognized" },
  "/prod/api/faq": { GET: "reads" },
  "/prod/api/figures": { GET: "reads" },
  "/prod/api/habitual-offenders": { GET: "reads" },
  "/prod/api/habitual-offenders/all": { GET: "reads" },
  [INQUIRY_ANSWER]: { POST: "reads" },
  [INQUIRY_REPLY]: { POST: "recognized" },
  "/prod/api/law-enforcement/requests": { POST: "recognized" },
  "/prod/api/report-question": { POST: "reads" },
  "/prod/api/report-question/answer": { POST: "recognized" },
  "/prod/api/report-status": { POST: "reads" },
  "/prod/api/pages/:slug": { GET: "reads" },
  // Recognized by its own ID, which Stripe repeats.
  [STRIPE_NOTICES]: { POST: "recognized" },
  "/prod/api/posts": { GET: "reads" },
  "/prod/api/posts/:slug": { GET: "reads" },
  "/prod/api/reports/:seoTitle": { GET: "reads" },
  [PUBLISHED_EVIDENCE]: { GET: "reads" },
  "/prod/api/reports/:id/correct-address": { POST: "recognized" },
  "/prod/api/reports/:id/resend-verification": { POST: "recognized" },
  "/prod/api/reports/:id/view": { POST: "acts" },
  // The read side lists; the command side handles the emergency commands.
  "/prod/api/reports/all": { GET: "recognized" },
  "/prod/api/reports/recent": { GET: "reads" },
  "/prod/api/reports/search": { GET: "reads" },
  "/prod/api/reports/submit": { POST: "recognized" },
  "/prod/api/samples": { GET: "reads" },
  "/prod/api/site": { GET: "reads" },
  "/prod/api/sitemap": { GET: "reads" },
  "/prod/api/sitemap/content": { GET: "reads" },
  "/prod/api/sitemap/reports": { GET: "reads" },
  [SYSTEM_ACTIONS_PATH]: { POST: "recognized" },
  [JOBS]: { GET: "reads" },
  [JOB]: { GET: "reads" },
  [`${JOB}/stop`]: { POST: "recognized" },
  "/prod/api/system/backups": { GET: "reads" },
  "/prod/api/system/status": { GET: "reads" },
  [SYSTEM_SETTINGS]: { GET: "reads", PUT: "recognized" },
  // The read side redirects a browser to the page with the button.
  "/prod/api/unsubscribe/:token": { GET: "reads", POST: "recognized" },
  "/prod/api/uploads": { POST: "acts" },
  "/prod/api/uploads/:id": { DELETE: "acts" },
  "/prod/api/verify-email/:token": { POST: "recognized" },
};
