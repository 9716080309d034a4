import { expect, it } from "vitest";
import { shareResult } from "./back-off.ts";

it("shares one call among concurrent callers, and its result for a while", async () => {
  let now = 0;
  const calls: PromiseWithResolvers<number>[] = [];
  const ask = shareResult(
    () => {
      const call = Promise.withResolvers<number>();
      calls.push(call);
      return call.promise;
    },
    1000,
    () => now,
  );
  const first = ask();
  now = 5000;
  const second = ask();
  calls[0]?.resolve(1);
  expect([await first, await second]).toEqual([1, 1]);
  const third = ask();
  now = 5999;
  const fourth = ask();
  calls[1]?.resolve(2);
  expect([await third, await fourth]).toEqual([2, 2]);
  const fifth = ask();
  now = 6000;
  expect(calls).toHaveLength(2);
  expect(await fifth).toBe(2);
  void ask();
  expect(calls).toHaveLength(3);
});

it("does not cache failures", async () => {
  let calls = 0;
  const ask = shareResult(
    async () => {
      calls += 1;
      if (calls === 1) throw new Error("away");
      return calls;
    },
    1000,
    () => 0,
  );
  const both = await Promise.allSettled([ask(), ask()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask()).toBe(2);
});

it("loads again once cleared, and returns whether it held a result", async () => {
  let now = 0;
  let calls = 0;
  const ask = shareResult(
    async () => ++calls,
    60,
    () => now,
  );
  expect(ask.clear()).toBe(0);
  await ask();
  expect(ask.clear()).toBe(1);
  expect(await ask()).toBe(2);
  now = 60;
  expect(ask.clear()).toBe(0);
});
