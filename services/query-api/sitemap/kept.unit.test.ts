import { expect, it } from "vitest";
import { kept } from "./kept.ts";

it("loads a value once in a time, for all callers together", async () => {
  let time = 0;
  let loads = 0;
  const value = kept(
    async () => ++loads,
    1000,
    () => time,
  );
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  time = 999;
  expect(await value()).toBe(1);
  time = 1000;
  expect(await value()).toBe(2);
});

it("loads again after a failure", async () => {
  let fails = true;
  const value = kept(async () => {
    if (fails) throw new Error("away");
    return "there";
  }, 1000);
  await expect(value()).rejects.toThrow("away");
  fails = false;
  expect(await value()).toBe("there");
});
