import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeepPace, Pace } from "./port.ts";

/** A pace as seen by two processes; in memory both are the same. */
export interface PaceUnderTest {
  readonly first: KeepPace;
  readonly second: KeepPace;
  dispose(): Promise<void>;
}

const HOUR = 3_600_000;
const waits = { timeout: 20_000, interval: 5 };

/** What limits require of a pace. Keys are random. @param skipped why the suite can't run here. */
export function paceContract(
  name: string,
  open: () => Promise<PaceUnderTest>,
  skipped?: string,
): void {
  describe(`pace contract: ${name}`, () => {
    let paces: PaceUnderTest;
    let first: KeepPace;
    let second: KeepPace;
    beforeAll(async () => {
      if (skipped) return;
      paces = await open();
      ({ first, second } = paces);
    });
    afterAll(() => paces?.dispose());

    const test = (title: string, run: () => Promise<void>) =>
      it(title, async (context) => {
        if (skipped) context.skip(skipped);
        await run();
      });

    test("allows the first calls and then returns how long to wait", async () => {
      const key = randomUUID();
      const pace: Pace = { after: 3, everyMs: HOUR, resetMs: 2 * HOUR };
      const free = [first(pace, key), second(pace, key), first(pace, key)];
      expect(await Promise.all(free)).toEqual([0, 0, 0]);
      const wait = await second(pace, key);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(HOUR);
      expect(await first(pace, randomUUID())).toBe(0);
    });

    test("allows one of several simultaneous calls", async () => {
      const key = randomUUID();
      const pace: Pace = { after: 1, everyMs: HOUR, resetMs: 2 * HOUR };
      const asked = Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second)(pace, key));
      expect((await Promise.all(asked)).filter((wait) => wait === 0)).toHaveLength(1);
    });

    test("allows one call after the wait, and does not count refused calls", async () => {
      const key = randomUUID();
      const pace: Pace = { after: 1, everyMs: 50, resetMs: HOUR };
      await first(pace, key);
      await expect.poll(() => second(pace, key), waits).toBe(0);
      const slow = { ...pace, everyMs: HOUR };
      // Two calls were allowed, so one of three free calls is left, however many were refused.
      expect(await first({ ...slow, after: 3 }, key)).toBe(0);
      expect(await first({ ...slow, after: 3 }, key)).toBeGreaterThan(0);
    });

    test("forgets a pace after some time without a call", async () => {
      const key = randomUUID();
      const pace: Pace = { after: 1, everyMs: HOUR, resetMs: 50 };
      await first(pace, key);
      await expect.poll(() => second(pace, key), waits).toBe(0);
    });
  });
}
