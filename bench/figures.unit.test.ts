import { describe, expect, it } from "vitest";
import { processEnvironment } from "./config.ts";
import { percentile, rateOf } from "./load.ts";
import { rowOf } from "./row.ts";

const measured = { name: "submits", profile: "embedded", value: 30, unit: "submits/s" };

describe("a figure of the benchmark", () => {
  it("is compared with its baseline and its target, bounds included", () => {
    const target = { of: "ratio", atLeast: 0.25 } as const;
    expect(rowOf({ ...measured, baseline: 120, target })).toMatchObject({ ratio: 0.25, met: true });
    expect(rowOf({ ...measured, baseline: 121, target }).met).toBe(false);
    const limit = { of: "p99", atMost: 150 } as const;
    expect(rowOf({ ...measured, p99: 150, target: limit }).met).toBe(true);
    expect(rowOf({ ...measured, p99: 150.1, target: limit }).met).toBe(false);
    expect(() => rowOf({ ...measured, target })).toThrow("submits has no ratio");
  });

  it("counts completed calls, and refusals separately", () => {
    const rate = { perSecond: 2, p50: 2, p99: 4, count: 4, refused: 7 };
    expect(rateOf([4, 1, 3, 2], 2000, 7)).toEqual(rate);
  });

  it("has percentiles by nearest rank", () => {
    const times = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect([0.5, 0.99, 1].map((share) => percentile(times, share))).toEqual([100, 198, 200]);
    expect(percentile([], 0.99)).toBe(0);
  });

  it("is measured on a process that gets nothing from the run's own environment", () => {
    const names = Object.keys(processEnvironment({ PORT: "7" }));
    expect(names).toEqual(expect.arrayContaining(["PORT", "PATH"]));
    expect(names.filter((name) => /^(VITEST|npm_|.*_URL$)/.test(name))).toEqual([]);
  });
});
