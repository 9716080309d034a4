import { expect, it } from "vitest";
import { laterCalls } from "./later-calls.ts";

interface Calls {
  double(value: number): Promise<number>;
  fail(): Promise<never>;
}

it("loads the code with the first call, and hands on what it is given and what it throws", async () => {
  let loads = 0;
  const calls = laterCalls<Calls>({ double: true, fail: true }, async () => {
    loads += 1;
    return {
      double: async (value) => value * 2,
      fail: async () => {
        throw new Error("refused");
      },
    };
  });
  expect(loads).toBe(0);
  expect(await calls.double(21)).toBe(42);
  expect(loads).toBe(1);
  await expect(calls.fail()).rejects.toThrow("refused");
});

it("is refused where the code cannot be loaded", async () => {
  const calls = laterCalls<Calls>({ double: true, fail: true }, async () => {
    throw new TypeError("Failed to fetch");
  });
  await expect(calls.double(1)).rejects.toThrow("Failed to fetch");
});
