import { expect, it } from "vitest";
import { Periodic } from "./periodic.ts";

it("repeats its work without overlap, and marks the first failure of an outage", async () => {
  let runs = 0;
  let atOnce = 0;
  let most = 0;
  const failures: boolean[] = [];
  const work = new Periodic(
    async () => {
      most = Math.max(most, ++atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      if (++runs < 4) throw new Error("away");
    },
    { everyMs: 1, onError: (_, isFirst) => failures.push(isFirst) },
  );
  work.start();
  await Promise.all([work.now(), work.now()]);
  await expect.poll(() => runs).toBeGreaterThan(5);
  await work.stop();
  const ended = runs;
  await work.now();
  work.start();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([most, failures, runs]).toEqual([1, [true, false, false], ended]);
});

it("runs again after the run in progress, and has finished once stopped", async () => {
  const seen: AbortSignal[] = [];
  const turns: (() => void)[] = [];
  const work = new Periodic(
    async (signal) => {
      seen.push(signal);
      await new Promise<void>((resolve) => turns.push(resolve));
    },
    { everyMs: 3_600_000 },
  );
  work.start();
  const again = [work.afresh(), work.afresh()];
  expect(seen.length).toBe(1);
  turns.shift()?.();
  await expect.poll(() => seen.length).toBe(2);
  turns.shift()?.();
  await Promise.all(again);
  expect(seen.length).toBe(2);
  void work.now();
  let isOver = false;
  const stopped = work.stop().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect([seen.at(-1)?.aborted, isOver]).toEqual([true, false]);
  turns.shift()?.();
  await stopped;
});
