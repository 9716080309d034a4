import { describe, expect, it } from "vitest";
import { type Answer, fakeRegistry, refusal } from "../../../testing/fake-registry.ts";
import { createApiClient } from "../../api/client.ts";
import { openLink } from "./open-link.ts";

function registry(token: string, answer: Answer) {
  const { fetch, calls } = fakeRegistry({ [`POST /prod/api/verify-email/${token}`]: answer });
  const position = { read: () => undefined, write: () => undefined };
  return { api: createApiClient({ baseUrl: "http://registry.test", position, fetch }), calls };
}

const done = { body: { success: true, message: "Email verified successfully!" } };

describe("opening a verification link", () => {
  it("sends the password, and asks for it if it is missing or wrong", async () => {
    const { api, calls } = registry("asked", ({ body }) => {
      const { password } = (body ?? {}) as { password?: string };
      if (password === undefined) return refusal(403, "password_required", "Enter it.");
      return password === "right" ? done : refusal(403, "wrong_password", "Not it.");
    });
    expect(await openLink(api, "asked")).toMatchObject({ state: "password", isWrong: false });
    const wrong = await openLink(api, "asked", api, { password: "wrong" });
    expect(wrong).toEqual({ state: "password", message: "Not it.", isWrong: true });
    const right = await openLink(api, "asked", api, { password: "right" });
    expect(right.state).toBe("verified");
    expect(calls).toHaveLength(3);
  });

  it("shows the server's message for an invalid link, and doesn't retry", async () => {
    const { api, calls } = registry("used", refusal(409, "link_used", "This link was used."));
    expect(await openLink(api, "used")).toEqual({
      state: "refused",
      message: "This link was used.",
    });
    expect(calls).toHaveLength(1);
  });

  it("treats an already confirmed address as success", async () => {
    const sentence = "This email address is already verified";
    const { api } = registry("twice", refusal(409, "already_verified", sentence));
    expect(await openLink(api, "twice")).toEqual({ state: "already", message: sentence });
  });

  it("reports that the address is suspended, rather than blame the link", async () => {
    const sentence = "We don't accept reports from you right now.";
    const { api } = registry("held", refusal(403, "submission_refused", sentence));
    expect(await openLink(api, "held")).toEqual({ state: "suspended", message: sentence });
  });

  it("makes no call without a token", async () => {
    const { api, calls } = registry("", done);
    const outcome = { state: "refused", message: "Invalid verification link" };
    expect(await openLink(api, "")).toEqual(outcome);
    expect(calls).toEqual([]);
  });

  it("has its own message if the server gives none", async () => {
    const { api } = registry("bare", { status: 400, body: { success: false } });
    expect((await openLink(api, "bare")).message).toBe(
      "Verification failed. The link may be invalid or expired.",
    );
  });

  it.each([
    ["down", undefined],
    ["busy", refusal(503, "unavailable", "The registry is busy.")],
    ["limited", refusal(429, "too_many_requests", "Too many requests.")],
  ])("allows a retry after a failure (%s)", async (token, failure) => {
    let tries = 0;
    const { api, calls } = registry(token, () => (tries++ === 0 ? failure : done));
    expect(await openLink(api, token)).toEqual({
      state: "failed",
      message: "An error occurred during verification. Please try again later.",
    });
    expect((await openLink(api, token)).state).toBe("verified");
    expect(calls).toHaveLength(2);
  });
});
