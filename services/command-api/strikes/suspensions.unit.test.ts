import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBlindIndexer } from "#vault/sealing/blind-index.ts";
import { Suspensions } from "./suspensions.ts";

const NOW = "2026-11-24T10:00:00.000Z";
const ADDRESS = "rae@shop.example";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Suspensions on a table that answers as told. */
function over(answer: () => Promise<{ until?: string } | undefined>) {
  const suspension = vi.fn(answer);
  const warn = vi.fn();
  const suspensions = new Suspensions({
    handler: { load: () => Promise.reject(new Error("no account is asked for")) },
    blind: createBlindIndexer(randomBytes(32)),
    strikes: { suspension },
    log: { warn },
  });
  return { suspensions, suspension, warn };
}

it("lets a submission go on after a second without an answer, and the next ones at once", async () => {
  const { suspensions, suspension, warn } = over(() => new Promise(() => undefined));
  const first = suspensions.ofAddress(ADDRESS, NOW);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toBeUndefined();
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toBeUndefined();
  expect(suspension).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledTimes(1);
});

it("asks again once the table answers again", async () => {
  let isAway = true;
  const { suspensions } = over(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve({}),
  );
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toBeUndefined();
  isAway = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toEqual({});
});

it("accepts nothing else without an answer", async () => {
  const { suspensions } = over(() => Promise.reject(new Error("away")));
  const report = { reporter: null, claimed_by: null };
  await expect(suspensions.ofReport(report, NOW)).rejects.toThrow("away");
});
