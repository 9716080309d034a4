import { describe, expect, it } from "vitest";
import { BackOff } from "./back-off.ts";

describe("BackOff", () => {
  const limits = { minMs: 100, maxMs: 5_000 };
  const pauses = (random: number) => {
    const backOff = new BackOff(limits, () => random);
    return Array.from({ length: 8 }, () => backOff.next());
  };

  it("doubles up to its limit", () => {
    expect(pauses(1)).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it("adds jitter between half and the full delay", () => {
    expect(pauses(0)).toEqual([50, 100, 200, 400, 800, 1_600, 2_500, 2_500]);
  });

  it("restarts after a success, and counts the attempts", () => {
    const backOff = new BackOff(limits, () => 1);
    backOff.next();
    backOff.next();
    expect(backOff.attempts).toBe(2);
    backOff.reset();
    expect(backOff.attempts).toBe(0);
    expect(backOff.next()).toBe(100);
  });

  it("stays at its limit however long it takes", () => {
    const backOff = new BackOff(limits, () => 1);
    for (let n = 0; n < 5_000; n += 1) backOff.next();
    expect(backOff.next()).toBe(5_000);
  });
});
