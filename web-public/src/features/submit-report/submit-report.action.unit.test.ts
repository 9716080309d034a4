import { RouterContextProvider } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { type StoredSession, sessionStore } from "#session-client/session-store.ts";
import { ADMIN } from "#session-client/testing/sessions.ts";
import { fakeBrowser } from "../../../testing/fake-browser.ts";
import { type Answer, ok, refusal } from "../../../testing/fake-registry.ts";
import { apiContext, createApiClient } from "../../api/client.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { openSiteSession, sessionContext } from "../../session/site-session.ts";
import { submitReportAction } from "./report.action.ts";

const ROUTE = "POST /prod/api/reports/submit";

async function submit(answer: Answer, stored?: StoredSession) {
  const { storage, calls } = fakeBrowser({
    [ROUTE]: answer,
    "GET /prod/api/auth/profile": ok({ user: ADMIN }),
    "POST /prod/api/auth/refresh": refusal(401, "invalid_token", "Over"),
  });
  if (stored) sessionStore(storage).write(stored);
  const position = { read: () => undefined, write: () => undefined };
  const context = new RouterContextProvider();
  context.set(apiContext, createApiClient({ baseUrl: "http://registry.test", position }));
  context.set(sessionContext, openSiteSession(window));
  const request = new Request("http://site.test/report", {
    method: "POST",
    body: JSON.stringify({ payload: { title: "t" }, idempotencyKey: "0123456789abcdef" }),
  });
  const result = await submitReportAction({
    request,
    params: {},
    url: new URL(request.url),
    pattern: "/report",
    context,
  });
  return { result, storage, calls: calls.filter(({ path }) => path.endsWith("/submit")) };
}

describe("submitting a report", () => {
  it("sends the payload with the form's key and returns the server's message", async () => {
    const answer = ok({ id: "r1", status: "pending" });
    const { result, calls } = await submit({
      ...answer,
      body: { ...(answer.body as object), message: "Report submitted successfully!" },
    });
    expect(result).toEqual({
      state: "submitted",
      reportId: "r1",
      message: "Report submitted successfully!",
    });
    expect(calls[0]?.body).toEqual({ title: "t" });
    expect(calls[0]?.headers.get("idempotency-key")).toBe("0123456789abcdef");
  });

  it("sends it as the signed-in account, or as a visitor", async () => {
    const stored = { token: "token-1", refreshToken: "refresh-1", user: ADMIN };
    const answer = ok({ id: "r1", status: "pending" });
    const sent = async (session?: StoredSession) =>
      (await submit(answer, session)).calls[0]?.headers.get("authorization");
    expect(await sent(stored)).toBe("Bearer token-1");
    expect(await sent()).toBeNull();
  });

  it("says that nothing was sent if the session has ended", async () => {
    const stored = { token: "token-1", refreshToken: "refresh-1", user: ADMIN };
    const { result, storage } = await submit(refusal(401, "invalid_token", "Over"), stored);
    expect(result).toMatchObject({ state: "refused" });
    expect(result.message).toMatch(/^Your session has ended, and nothing was sent\./);
    expect(storage.getItem("token")).toBeNull();
  });

  it("returns rejected fields", async () => {
    const { result } = await submit(
      refusal(400, "invalid_request", "Phone is not valid.", { phone: "Phone is not valid" }),
    );
    expect(result).toEqual({
      state: "refused",
      message: "Phone is not valid.",
      fields: { phone: "Phone is not valid" },
    });
  });

  it("explains that an earlier attempt used the key", async () => {
    const { result } = await submit(refusal(422, "key_reused", "The key was used."));
    expect(result.message).toMatch(/^We already received an earlier attempt/);
  });

  it.each([
    ["there is no response", undefined, "Failed to submit report"],
    [
      "the server fails",
      refusal(500, "internal", "Something went wrong."),
      "Something went wrong.",
    ],
    ["the reply has no report", { body: { success: true } }, "Failed to submit report"],
  ])("doesn't know whether it arrived if %s", async (_what, answer, message) => {
    expect((await submit(answer)).result).toEqual({ state: "unknown", message });
  });
});

describe("a form's idempotency key", () => {
  it("is different each time, with a length that the server accepts", () => {
    const keys = new Set(Array.from({ length: 50 }, newIdempotencyKey));
    expect(keys.size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});
