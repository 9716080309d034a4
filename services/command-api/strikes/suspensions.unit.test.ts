import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { Suspensions } from "./suspensions.ts";

const NOW = "2026-11-24T10:00:00.000Z";
const ADDRESS = "rae@shop.example";
const UNKNOWN = { suspended: undefined, isKnown: false };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Suspensions whose table replies with `answer`. */
function over(answer: () => Promise<{ until?: string } | undefined>) {
  const suspension = vi.fn(answer);
  const [warn, error] = [vi.fn(), vi.fn()];
  const suspensions = new Suspensions({
    handler: { load: () => Promise.reject(new Error("no account is asked for")) },
    blind: createBlindIndexer(randomBytes(32)),
    strikes: { suspension },
    log: { warn, error },
  });
  return { suspensions, suspension, warn, error };
}

it("lets a submission continue after a second without an answer, and the next ones immediately", async () => {
  const { suspensions, suspension, warn } = over(() => new Promise(() => undefined));
  const first = suspensions.ofAddress(ADDRESS, NOW);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toEqual(UNKNOWN);
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toEqual(UNKNOWN);
  expect(suspension).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledTimes(1);
});

it("queries the table again once it is available", async () => {
  let isAway = true;
  const { suspensions } = over(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve({}),
  );
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toEqual(UNKNOWN);
  isAway = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await suspensions.ofAddress(ADDRESS, NOW)).toEqual({ suspended: {}, isKnown: true });
});

it("refuses everything else without an answer, with a message", async () => {
  const report = { reporter: null, claimed_by: null };
  for (const answer of [
    () => Promise.reject(new Error("away")),
    () => new Promise<never>(() => undefined),
  ]) {
    const { suspensions, error } = over(answer);
    for (const ask of [
      () => suspensions.ofReport(report, NOW),
      () => suspensions.ofGivenAddress(ADDRESS, report, NOW),
    ]) {
      const refused = expect(ask()).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("Nothing was changed"),
      });
      await vi.advanceTimersByTimeAsync(5_000);
      await refused;
    }
    expect(error).toHaveBeenCalledTimes(2);
  }
});

it("also checks the account of the report when checking a new address", async () => {
  const { suspensions, suspension } = over(() => Promise.resolve({}));
  const report = { claimed_by: "3f0b7f3e-0000-4000-8000-000000000001" };
  expect(await suspensions.ofGivenAddress(ADDRESS, report, NOW)).toEqual({});
  expect(suspension).toHaveBeenCalledWith(
    expect.objectContaining({ accountId: report.claimed_by }),
    NOW,
  );
});
