import { describe, expect, it } from "vitest";
import { percentile, rateOf } from "./load/rate.ts";
import { rowOf, tableOf } from "./row.ts";

const measured = { name: "submits", profile: "embedded", value: 30, unit: "submits/s" };

describe("a row of the benchmark", () => {
  it("compares the value with its baseline", () => {
    expect(rowOf({ ...measured, baseline: 120 }).ratio).toBe(0.25);
  });

  it("says whether the target is met, including at the bound", () => {
    const target = { of: "ratio", atLeast: 0.25 } as const;
    expect(rowOf({ ...measured, baseline: 120, target }).met).toBe(true);
    expect(rowOf({ ...measured, baseline: 121, target }).met).toBe(false);
    const limit = { of: "p99", atMost: 150 } as const;
    expect(rowOf({ ...measured, p99: 150, target: limit }).met).toBe(true);
    expect(rowOf({ ...measured, p99: 150.1, target: limit }).met).toBe(false);
  });

  it("has no target without a value to compare", () => {
    const target = { of: "ratio", atLeast: 0.25 } as const;
    expect(() => rowOf({ ...measured, target })).toThrow("submits has no ratio");
  });

  it("renders as a Markdown table row", () => {
    const target = { of: "ratio", atLeast: 0.25 } as const;
    const row = rowOf({ ...measured, baseline: 60, baselineName: "bare appends", p50: 2, target });
    const [head, rule, line] = tableOf([row]).split("\n");
    expect(head).toMatch(/^\| profile +\| row +\| value +\| baseline +\| ratio \|/);
    expect(rule).toMatch(/^\|[-|]+\|$/);
    expect(line).toContain("30 submits/s");
    expect(line).toContain("60 (bare appends)");
    expect(line).toContain("ratio >= 0.25: met");
  });
});

describe("a rate", () => {
  it("divides completed calls by elapsed time, and counts refusals separately", () => {
    expect(rateOf([4, 1, 3, 2], 2000, 7)).toEqual({
      perSecond: 2,
      p50: 2,
      p99: 4,
      count: 4,
      refused: 7,
    });
  });

  it("computes percentiles by nearest rank", () => {
    const times = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect(percentile(times, 0.5)).toBe(100);
    expect(percentile(times, 0.99)).toBe(198);
    expect(percentile([], 0.99)).toBe(0);
  });
});
