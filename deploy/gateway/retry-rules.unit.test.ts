import { describe, expect, it } from "vitest";
import { API_ROUTES } from "#contracts/http/routes.ts";
import { pickBackend } from "#launcher/one-port/backends.ts";
import { mayBeSentTwice, shareOfTime } from "./retry-rules.ts";

describe("a command with an Idempotency-Key", () => {
  it("may be retried, except for those that the command log does not recognise", () => {
    const refused = Object.entries(API_ROUTES).flatMap(([pattern, methods]) => {
      const url = pattern.replace(/:\w+/g, "x");
      return Object.keys(methods)
        .filter((method) => method !== "GET")
        .map((method) => ({ method, url, backend: pickBackend(method, url) }))
        .filter((request) => !mayBeSentTwice({ ...request, idempotencyKey: "0123456789abcdef" }))
        .map(({ method }) => `${method} ${pattern}`);
    });
    expect(refused).toEqual([
      "POST /prod/api/admin/users/:id/reveal",
      "POST /prod/api/admin/reports/:id/evidence/:fileId",
      "POST /prod/api/admin/reports/:id/reveal",
      "POST /prod/api/account/reports/:id/open",
      "POST /prod/api/admin/inquiries/:id/disclose",
      "POST /prod/api/admin/inquiries/:id/document",
      "POST /prod/api/admin/inquiries/:id/reveal",
      "POST /prod/api/admin/notices/:id/reveal",
      "POST /prod/api/admin/queue/leave",
      "POST /prod/api/admin/queue/take",
      "POST /prod/api/admin/saved-filters",
      "PUT /prod/api/admin/saved-filters/:id",
      "DELETE /prod/api/admin/saved-filters/:id",
      "DELETE /prod/api/auth/account",
      "POST /prod/api/auth/activity",
      "POST /prod/api/auth/change-email",
      "DELETE /prod/api/auth/change-email",
      "POST /prod/api/auth/change-password",
      "POST /prod/api/auth/confirm-email-change",
      "POST /prod/api/auth/export",
      "POST /prod/api/auth/export/file",
      "POST /prod/api/auth/forgot-password",
      "POST /prod/api/auth/login",
      "POST /prod/api/auth/login/two-factor",
      "POST /prod/api/auth/logout",
      "POST /prod/api/auth/prove",
      "POST /prod/api/auth/refresh",
      "POST /prod/api/auth/register",
      "POST /prod/api/auth/resend-verification",
      "POST /prod/api/auth/reset-password",
      "DELETE /prod/api/auth/sessions",
      "DELETE /prod/api/auth/sessions/:id",
      "POST /prod/api/auth/sign-in-link/:token",
      "DELETE /prod/api/auth/two-factor",
      "POST /prod/api/auth/two-factor/confirm",
      "POST /prod/api/auth/two-factor/recovery-codes",
      "POST /prod/api/auth/two-factor/setup",
      "POST /prod/api/auth/undo-email-change",
      "POST /prod/api/content/:id/view",
      "POST /prod/api/reports/:id/view",
      "POST /prod/api/uploads",
      "DELETE /prod/api/uploads/:id",
    ]);
  });

  it("is recognised by the whole path, without the query, however long a parameter is", () => {
    const may = (url: string, idempotencyKey?: string, method = "POST") =>
      mayBeSentTwice({ method, url, backend: pickBackend(method, url), idempotencyKey });
    const emergency = "/prod/api/reports/all?emergency_approve=true&report_id=x";
    expect(may(emergency, "key", "GET")).toBe(true);
    expect(may(emergency, undefined, "GET")).toBe(false);
    expect(may("/prod/api/reports/all?limit=5", undefined, "GET")).toBe(true);
    expect(may(`/prod/api/verify-email/${"t".repeat(500)}`, "key")).toBe(true);
    expect(may("/prod/api/reports/submit?x=1", "key")).toBe(true);
    expect(may("/prod/api/reports/submit/", "key")).toBe(false);
    expect(may("/prod/api/report-status")).toBe(true);
    expect(may("/prod/api/admin/reports/x/unknown", "key")).toBe(false);
  });
});

describe("the share of a request's time that one process gets", () => {
  const limitMs = 20_000;

  it("is half of the remaining time while other processes are left, with a minimum", () => {
    const shares: (number | undefined)[] = [];
    for (let leftMs = limitMs; shares.at(-1) !== undefined || shares.length === 0; ) {
      const share = shareOfTime({ leftMs, limitMs, mayGoOn: true });
      shares.push(share);
      leftMs -= share ?? 0;
    }
    expect(shares).toEqual([10_000, 5000, 2500, undefined]);
  });

  it("is all of the remaining time when no other process is left", () => {
    expect(shareOfTime({ leftMs: limitMs, limitMs, mayGoOn: false })).toBeUndefined();
  });
});
