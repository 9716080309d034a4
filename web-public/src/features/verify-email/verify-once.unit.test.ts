import { describe, expect, it } from "vitest";
import { type Answer, fakeRegistry, refusal } from "../../../testing/fake-registry.ts";
import { createApiClient } from "../../api/client.ts";
import { verifyOnce } from "./verify-once.ts";

function registry(token: string, answer: Answer) {
  const { fetch, calls } = fakeRegistry({ [`POST /prod/api/verify-email/${token}`]: answer });
  const position = { read: () => undefined, write: () => undefined };
  return { api: createApiClient({ baseUrl: "http://registry.test", position, fetch }), calls };
}

const done = { body: { success: true, message: "Email verified successfully!" } };

describe("using a verification link", () => {
  it("posts once, however often it is called", async () => {
    const { api, calls } = registry("once", done);
    const outcomes = await Promise.all([verifyOnce(api, "once"), verifyOnce(api, "once")]);
    expect(await verifyOnce(api, "once")).toEqual(outcomes[0]);
    expect(outcomes[0]).toEqual({ state: "verified", message: "Email verified successfully!" });
    expect(calls).toHaveLength(1);
  });

  it("shows the server's message about an invalid link, and does not retry", async () => {
    const { api, calls } = registry("used", refusal(409, "link_used", "This link was used."));
    expect(await verifyOnce(api, "used")).toEqual({
      state: "refused",
      message: "This link was used.",
    });
    await verifyOnce(api, "used");
    expect(calls).toHaveLength(1);
  });

  it("treats an already confirmed address as a success", async () => {
    const sentence = "This email address is verified already";
    const { api } = registry("twice", refusal(409, "already_verified", sentence));
    expect(await verifyOnce(api, "twice")).toEqual({ state: "already", message: sentence });
  });

  it("says that nothing is accepted from the address, which is no fault of the link", async () => {
    const sentence = "We accept no reports from you at the moment.";
    const { api } = registry("held", refusal(403, "submission_refused", sentence));
    expect(await verifyOnce(api, "held")).toEqual({ state: "suspended", message: sentence });
  });

  it("asks nothing about an address without a token", async () => {
    const { api, calls } = registry("", done);
    const outcome = { state: "refused", message: "Invalid verification link" };
    expect(await verifyOnce(api, "")).toEqual(outcome);
    expect(calls).toEqual([]);
  });

  it("has its own sentence when the server has none", async () => {
    const { api } = registry("bare", { status: 400, body: { success: false } });
    expect((await verifyOnce(api, "bare")).message).toBe(
      "Verification failed. The link may be invalid or expired.",
    );
  });

  it.each([
    ["down", undefined],
    ["busy", refusal(503, "unavailable", "The registry is busy.")],
    ["limited", refusal(429, "too_many_requests", "Too many requests.")],
  ])("retries after a network failure (%s)", async (token, failure) => {
    let tries = 0;
    const { api, calls } = registry(token, () => (tries++ === 0 ? failure : done));
    expect(await verifyOnce(api, token)).toEqual({
      state: "failed",
      message: "An error occurred during verification. Please try again later.",
    });
    expect((await verifyOnce(api, token)).state).toBe("verified");
    expect(calls).toHaveLength(2);
  });
});
