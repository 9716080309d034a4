import { expect, it, vi } from "vitest";
import { cachedFor } from "./stats.queries.ts";

it("loads once for all callers until the result expires, and again after a failure", async () => {
  let time = 0;
  let fails = false;
  const load = vi.fn(async () => {
    if (fails) throw new Error("not now");
    return load.mock.calls.length;
  });
  const read = cachedFor(60, load, () => time);
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  time = 59;
  expect(await read()).toBe(1);
  time = 60;
  expect(await read()).toBe(2);
  time = 120;
  fails = true;
  await expect(Promise.all([read(), read()])).rejects.toThrow("not now");
  expect(load).toHaveBeenCalledTimes(3);
  fails = false;
  expect(await read()).toBe(4);
});

it("loads again once cleared, and returns whether it held a result", async () => {
  let time = 0;
  const load = vi.fn(async () => load.mock.calls.length);
  const read = cachedFor(60, load, () => time);
  expect(read.clear()).toBe(0);
  await read();
  expect(read.clear()).toBe(1);
  expect(await read()).toBe(2);
  time = 60;
  expect(read.clear()).toBe(0);
});
