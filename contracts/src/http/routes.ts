import { ADMIN_REPORT, MODERATION } from "./moderation.ts";

export type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

/**
 * What happens when a request arrives once more: `reads` changes nothing; what is `recognised` is done
 * once, since the command log knows its `Idempotency-Key`; what `acts` is done a second time.
 */
export type WhenRepeated = "reads" | "recognised" | "acts";

type Methods = { readonly [M in ApiMethod]?: WhenRepeated };
type Routes = Readonly<Record<string, Methods>>;

/** A moderator's report, and its commands. */
function moderationRoutes(): Routes {
  const routes: Record<string, Methods> = { [ADMIN_REPORT]: { GET: "reads" } };
  for (const { path, method } of Object.values(MODERATION)) {
    const url = ADMIN_REPORT + path;
    routes[url] = { ...routes[url], [method]: "recognised" };
  }
  return routes;
}

/**
 * Paths of the contract with all of their methods, whichever service answers each. Behind one
 * address the read side and the command side share them, and so each can tell an address that takes
 * other methods from one that is none. The gateway reads here what it may send again.
 */
export const API_ROUTES: Routes = {
  ...moderationRoutes(),
  [`${ADMIN_REPORT}/history`]: { GET: "reads" },
  [`${ADMIN_REPORT}/reveal`]: { POST: "acts" },
  "/prod/admin/audit-logs": { GET: "reads" },
  "/prod/admin/audit-logs/:id": { GET: "reads" },
  "/prod/admin/reports": { GET: "reads" },
  "/prod/admin/reports/:id": { GET: "reads" },
  "/prod/api/admin/audit-logs": { GET: "reads" },
  "/prod/api/admin/reports": { GET: "reads" },
  "/prod/api/auth/login": { POST: "acts" },
  "/prod/api/auth/logout": { POST: "acts" },
  "/prod/api/auth/profile": { GET: "reads" },
  "/prod/api/auth/refresh": { POST: "acts" },
  "/prod/api/auth/sessions": { GET: "reads", DELETE: "acts" },
  "/prod/api/auth/sessions/:id": { DELETE: "acts" },
  "/prod/api/auth/sign-in-link/:token": { POST: "acts" },
  "/prod/api/habitual-offenders": { GET: "reads" },
  "/prod/api/reports/:seoTitle": { GET: "reads" },
  "/prod/api/reports/:id/resend-verification": { POST: "recognised" },
  "/prod/api/reports/:id/view": { POST: "acts" },
  // The read side lists; what the command side takes are the emergency commands.
  "/prod/api/reports/all": { GET: "recognised" },
  "/prod/api/reports/recent": { GET: "reads" },
  "/prod/api/reports/search": { GET: "reads" },
  "/prod/api/reports/submit": { POST: "recognised" },
  "/prod/api/samples": { GET: "reads" },
  "/prod/api/verify-email/:token": { POST: "recognised" },
};
