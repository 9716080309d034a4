import { afterEach, expect, it, vi } from "vitest";
import { timeLimited } from "./session-fetch.ts";

afterEach(() => vi.restoreAllMocks());

/** Never responds; rejects when its signal aborts. */
const unanswered: typeof fetch = (_input, { signal } = {}) =>
  new Promise((_, reject) =>
    signal?.addEventListener("abort", () => reject(new Error(String(signal.reason)))),
  );

it("times out a request after thirty seconds, as the public site promises", async () => {
  const clock = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
  const reply = timeLimited(unanswered)("http://registry.test/");
  expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000);
  clock.abort("too late");
  await expect(reply).rejects.toThrow("too late");
});

it("aborts it earlier if its caller does", async () => {
  const caller = new AbortController();
  const reply = timeLimited(unanswered)("http://registry.test/", { signal: caller.signal });
  caller.abort("left");
  await expect(reply).rejects.toThrow("left");
});
