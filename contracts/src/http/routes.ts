export type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Paths of the contract with all of their methods, whichever service serves each. The read side and
 * the command side share them behind one address, so each can tell a path that takes other methods
 * (405) from an unknown one (404).
 */
export const API_METHODS: Readonly<Record<string, readonly ApiMethod[]>> = {
  "/prod/admin/audit-logs": ["GET"],
  "/prod/admin/audit-logs/:id": ["GET"],
  "/prod/admin/reports": ["GET"],
  "/prod/admin/reports/:id": ["GET"],
  "/prod/api/admin/audit-logs": ["GET"],
  "/prod/api/admin/reports": ["GET"],
  "/prod/api/admin/reports/:id": ["GET", "PUT", "DELETE"],
  "/prod/api/admin/reports/:id/approve": ["POST"],
  "/prod/api/admin/reports/:id/history": ["GET"],
  "/prod/api/admin/reports/:id/reject": ["POST"],
  "/prod/api/admin/reports/:id/reveal": ["POST"],
  "/prod/api/admin/reports/:id/status": ["POST"],
  "/prod/api/admin/reports/:id/verify": ["POST"],
  "/prod/api/auth/login": ["POST"],
  "/prod/api/auth/logout": ["POST"],
  "/prod/api/auth/profile": ["GET"],
  "/prod/api/auth/refresh": ["POST"],
  "/prod/api/auth/sessions": ["GET", "DELETE"],
  "/prod/api/auth/sessions/:id": ["DELETE"],
  "/prod/api/auth/sign-in-link/:token": ["POST"],
  "/prod/api/habitual-offenders": ["GET"],
  "/prod/api/reports/:seoTitle": ["GET"],
  "/prod/api/reports/:id/resend-verification": ["POST"],
  "/prod/api/reports/:id/view": ["POST"],
  "/prod/api/reports/all": ["GET"],
  "/prod/api/reports/recent": ["GET"],
  "/prod/api/reports/search": ["GET"],
  "/prod/api/reports/submit": ["POST"],
  "/prod/api/samples": ["GET"],
  "/prod/api/verify-email/:token": ["POST"],
};
