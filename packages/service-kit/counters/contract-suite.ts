import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CounterStore, Memory, Named, Pace, Window } from "./port.ts";

/** Counters as two users have them; of an adapter in memory both are the same. */
export interface CountersUnderTest {
  readonly first: CounterStore;
  readonly second: CounterStore;
  dispose(): Promise<void>;
}

const HOUR = 3_600_000;
const named = <T>(rule: T): Named<T> => ({ ...rule, name: "test:rule", whenAway: "memory" });
const waits = { timeout: 20_000, interval: 5 };

/**
 * What limits rely on in their counters. Keys are random, so a server that others use will do.
 * @param skipped why it cannot run here.
 */
export function countersContract(
  name: string,
  open: () => Promise<CountersUnderTest>,
  skipped?: string,
): void {
  describe(`counters contract: ${name}`, () => {
    let counters: CountersUnderTest;
    let first: CounterStore;
    let second: CounterStore;
    beforeAll(async () => {
      if (skipped) return;
      counters = await open();
      ({ first, second } = counters);
    });
    afterAll(() => counters?.dispose());

    const test = (title: string, run: () => Promise<void>) =>
      it(title, async (context) => {
        if (skipped) context.skip(skipped);
        await run();
      });

    test("counts every call of a window once, whoever makes it", async () => {
      const key = randomUUID();
      const window = named<Window>({ max: 5, windowMs: HOUR });
      const calls = Array.from({ length: 40 }, (_, n) => (n % 2 ? first : second).hit(window, key));
      const found = await Promise.all(calls);
      const counts = found.map(({ count }) => count).sort((a, b) => a - b);
      expect(counts).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
      for (const { leftMs } of found) {
        expect(leftMs).toBeGreaterThan(0);
        expect(leftMs).toBeLessThanOrEqual(HOUR);
      }
    });

    test("counts keys and rules apart", async () => {
      const key = randomUUID();
      const window = named<Window>({ max: 5, windowMs: HOUR });
      await first.hit(window, key);
      expect((await first.hit(window, randomUUID())).count).toBe(1);
      expect((await first.hit({ ...window, name: "test:other" }, key)).count).toBe(1);
      expect((await second.hit(window, key)).count).toBe(2);
    });

    test("starts anew when a window has ended", async () => {
      const key = randomUUID();
      const window = named<Window>({ max: 5, windowMs: 50 });
      await first.hit(window, key);
      const next = async () => (await second.hit(window, key)).count;
      await expect.poll(next, waits).toBeGreaterThan(1);
      await expect.poll(next, waits).toBe(1);
    });

    test("lets the first calls go on and then says how long to wait", async () => {
      const key = randomUUID();
      const pace = named<Pace>({ after: 3, everyMs: HOUR, resetMs: 2 * HOUR });
      const free = [first.pace(pace, key), second.pace(pace, key), first.pace(pace, key)];
      expect(await Promise.all(free)).toEqual([0, 0, 0]);
      const wait = await second.pace(pace, key);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(HOUR);
      expect(await first.pace(pace, randomUUID())).toBe(0);
    });

    test("lets one go on of those who ask at once", async () => {
      const key = randomUUID();
      const pace = named<Pace>({ after: 1, everyMs: HOUR, resetMs: 2 * HOUR });
      const asked = Array.from({ length: 20 }, (_, n) => (n % 2 ? first : second).pace(pace, key));
      expect((await Promise.all(asked)).filter((wait) => wait === 0)).toHaveLength(1);
    });

    test("lets one go on after the wait, and does not count who was refused", async () => {
      const key = randomUUID();
      const pace = named<Pace>({ after: 1, everyMs: 50, resetMs: HOUR });
      await first.pace(pace, key);
      await expect.poll(() => second.pace(pace, key), waits).toBe(0);
      const slow = { ...pace, everyMs: HOUR };
      // Two were let through: with three free calls one is left, however many were refused.
      expect(await first.pace({ ...slow, after: 3 }, key)).toBe(0);
      expect(await first.pace({ ...slow, after: 3 }, key)).toBeGreaterThan(0);
    });

    test("forgets a pace after a while without a call", async () => {
      const key = randomUUID();
      const pace = named<Pace>({ after: 1, everyMs: HOUR, resetMs: 50 });
      await first.pace(pace, key);
      await expect.poll(() => second.pace(pace, key), waits).toBe(0);
    });

    test("remembers the last items of a key, and each once", async () => {
      const key = randomUUID();
      const memory = named<Memory>({ keep: 2, forMs: HOUR });
      await first.remember(memory, key, "a");
      await first.remember(memory, key, "a");
      await first.remember(memory, key, "b");
      expect(await second.remembers(memory, key, "a")).toBe(true);
      expect(await second.remembers(memory, key, "b")).toBe(true);
      expect(await second.remembers(memory, key, "c")).toBe(false);
      expect(await second.remembers(memory, randomUUID(), "a")).toBe(false);
      // Times are in milliseconds: the third must not come in the second's.
      const isGone = async () => {
        await second.remember(memory, key, "b");
        await second.remember(memory, key, "c");
        return first.remembers(memory, key, "a");
      };
      await expect.poll(isGone, waits).toBe(false);
      expect(await first.remembers(memory, key, "b")).toBe(true);
    });

    test("forgets what it remembered after a while", async () => {
      const key = randomUUID();
      const memory = named<Memory>({ keep: 2, forMs: 50 });
      await first.remember(memory, key, "a");
      await expect.poll(() => second.remembers(memory, key, "a"), waits).toBe(false);
    });

    test("says that it can be reached", async () => {
      expect(first.state().reachable).toBe(true);
    });
  });
}
