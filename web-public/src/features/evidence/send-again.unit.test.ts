import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FileNotSent, RETRY_DELAYS_MS, sendAgain } from "./send-file.ts";

const line = new EventTarget();
const browser = { onLine: true };
beforeEach(() => {
  vi.useFakeTimers();
  browser.onLine = true;
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal("addEventListener", line.addEventListener.bind(line));
  vi.stubGlobal("removeEventListener", line.removeEventListener.bind(line));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const broken = new FileNotSent("The line broke.", "passing");

/** Runs attempts that end as given, in order. */
function run(...ends: readonly (Error | string)[]) {
  const controller = new AbortController();
  const attempt = vi.fn(async () => {
    const end = ends[attempt.mock.calls.length - 1];
    if (typeof end === "string") return end;
    throw end ?? new Error("an attempt too many");
  });
  const onBroken = vi.fn();
  let outcome: unknown = "waiting";
  const result = sendAgain(attempt, { signal: controller.signal, onBroken });
  void result.then(
    (value) => {
      outcome = value;
    },
    (error) => {
      outcome = error;
    },
  );
  return { attempt, onBroken, controller, outcome: () => outcome };
}

describe("an upload whose connection is lost", () => {
  it("is retried with increasing delays", async () => {
    const { attempt, onBroken, outcome } = run(broken, broken, broken, "stored");
    await vi.advanceTimersByTimeAsync(0);
    for (const [index, wait] of RETRY_DELAYS_MS.entries()) {
      expect(onBroken).toHaveBeenCalledTimes(index + 1);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(attempt).toHaveBeenCalledTimes(index + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(attempt).toHaveBeenCalledTimes(index + 2);
    }
    expect(outcome()).toBe("stored");
  });

  it("fails after the last attempt with that attempt's error", async () => {
    const last = new FileNotSent("Still broken.", "passing");
    const { outcome } = run(broken, broken, broken, last);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(outcome()).toBe(last);
  });

  it.each([
    new FileNotSent("Too large.", "never"),
    new FileNotSent("Too many, come back in an hour.", "later"),
    new TypeError("a mistake of ours"),
  ])("isn't retried if that wouldn't help: %s", async (error) => {
    const { attempt, onBroken, outcome } = run(error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(onBroken).not.toHaveBeenCalled();
    expect(outcome()).toBe(error);
  });

  it("waits for the connection while the browser is offline", async () => {
    const { attempt, outcome } = run(broken, "stored");
    browser.onLine = false;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(attempt).toHaveBeenCalledTimes(1);
    browser.onLine = true;
    line.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome()).toBe("stored");
  });

  it.each([true, false])(
    "is dropped if the file is removed in the meantime (online: %s)",
    async (isOn) => {
      const { attempt, controller, outcome } = run(broken, "stored");
      browser.onLine = isOn;
      await vi.advanceTimersByTimeAsync(isOn ? 500 : 5000);
      const reason = new DOMException("removed", "AbortError");
      controller.abort(reason);
      await vi.advanceTimersByTimeAsync(60_000);
      line.dispatchEvent(new Event("online"));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(attempt).toHaveBeenCalledTimes(1);
      expect(outcome()).toBe(reason);
    },
  );
});
