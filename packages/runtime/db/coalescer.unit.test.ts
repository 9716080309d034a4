import { expect, it } from "vitest";
import { Coalescer, type CoalescerOptions } from "./coalescer.ts";
import { DatabaseBusy } from "./pool.ts";

/** Doubles numbers on request and records the batches they arrived in. */
function doubling(options: CoalescerOptions = {}) {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const coalescer = new Coalescer<number, number>(async (items) => {
    batches.push([...items]);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return items.map((item) => item * 2);
  }, options);
  const begun = async (n: number) => {
    while (gates.length < n) await new Promise(setImmediate);
    return gates[n - 1] as PromiseWithResolvers<void>;
  };
  return { coalescer, batches, begun };
}

it("batches calls that arrive while one is running, each with its own result", async () => {
  const { coalescer, batches, begun } = doubling();
  const first = coalescer.add(1);
  const opened = await begun(1);
  const others = [coalescer.add(2), coalescer.add(3)];
  opened.resolve();
  expect(await first).toBe(2);
  (await begun(2)).resolve();
  expect(await Promise.all(others)).toEqual([4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

it("batches simultaneous calls, up to a limit", async () => {
  const { coalescer, batches, begun } = doubling({ most: 2 });
  const calls = [1, 2, 3].map((n) => coalescer.add(n));
  (await begun(1)).resolve();
  (await begun(2)).resolve();
  expect(await Promise.all(calls)).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2], [3]]);
});

it("waits for more calls if a pause is set", async () => {
  const { coalescer, batches, begun } = doubling({ pauseMs: 1 });
  const first = coalescer.add(1);
  await Promise.resolve();
  const second = coalescer.add(2);
  (await begun(1)).resolve();
  expect(await Promise.all([first, second])).toEqual([2, 4]);
  expect(batches).toEqual([[1, 2]]);
});

it("fails only the calls of a failed batch", async () => {
  const { coalescer, begun } = doubling();
  const failing = coalescer.add(1);
  const opened = await begun(1);
  const next = coalescer.add(2);
  opened.reject(new Error("away"));
  await expect(failing).rejects.toThrow("away");
  (await begun(2)).resolve();
  expect(await next).toBe(4);
});

it("gives up on a batch that never finishes, and continues with the next", async () => {
  const { coalescer, begun } = doubling({ batchMs: 20 });
  const stuck = coalescer.add(1);
  await begun(1);
  const next = coalescer.add(2);
  await expect(stuck).rejects.toThrow(DatabaseBusy);
  (await begun(2)).resolve();
  expect(await next).toBe(4);
});

it("lets a limited number of calls wait and rejects the rest", async () => {
  const { coalescer, begun } = doubling({ mostWaiting: 2 });
  const first = coalescer.add(1);
  const opened = await begun(1);
  const waiting = [coalescer.add(2), coalescer.add(3)];
  await expect(coalescer.add(4)).rejects.toThrow(DatabaseBusy);
  opened.resolve();
  (await begun(2)).resolve();
  expect(await Promise.all([first, ...waiting])).toEqual([2, 4, 6]);
  const later = coalescer.add(5);
  (await begun(3)).resolve();
  expect(await later).toBe(10);
});

it("is drained when nothing is waiting or in flight", async () => {
  const { coalescer, begun } = doubling();
  await coalescer.drain();
  let drained = false;
  const call = coalescer.add(1);
  const draining = coalescer.drain().then(() => {
    drained = true;
  });
  const opened = await begun(1);
  expect(drained).toBe(false);
  opened.resolve();
  await Promise.all([call, draining]);
  expect(drained).toBe(true);
});
