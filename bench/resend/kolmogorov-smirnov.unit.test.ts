import { describe, expect, it } from "vitest";
import { Random } from "../seeding/random.ts";
import { kolmogorovSmirnov } from "./kolmogorov-smirnov.ts";

const range = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

describe("the two-sample Kolmogorov-Smirnov test", () => {
  it("finds no difference between identical samples", () => {
    expect(kolmogorovSmirnov([3, 1, 2, 2], [2, 3, 2, 1])).toEqual({ d: 0, p: 1 });
  });

  it("handles values that occur in both samples", () => {
    expect(kolmogorovSmirnov([1, 1, 1, 2], [1, 2, 2, 2]).d).toBe(0.5);
  });

  it("compares samples of different lengths, and disjoint ones", () => {
    expect(kolmogorovSmirnov([1, 2], [1, 2, 3, 4]).d).toBe(0.5);
    const apart = kolmogorovSmirnov(range(50), range(80, 50));
    expect(apart.d).toBe(1);
    expect(apart.p).toBeLessThan(1e-20);
  });

  // Critical values of the limit distribution (N. Smirnov, Annals of Mathematical Statistics 19, 1948).
  it.each([
    [0.1, 1.2238],
    [0.05, 1.3581],
    [0.01, 1.6276],
    [0.001, 1.9495],
  ])("gives p = %d at its critical value", (p, critical) => {
    const count = 1_000_000;
    const shift = Math.round((critical / Math.sqrt(count / 2)) * count);
    const found = kolmogorovSmirnov(range(count), range(count, shift)).p;
    expect(found).toBeGreaterThan(p * 0.99);
    expect(found).toBeLessThan(p * 1.01);
  });

  it("rejects samples from one source as often as its significance level says", () => {
    const random = new Random(7);
    const sample = () => Array.from({ length: 200 }, () => random.wait(3));
    const rejected = range(2000).filter(() => kolmogorovSmirnov(sample(), sample()).p <= 0.05);
    expect(rejected.length / 2000).toBeGreaterThan(0.035);
    expect(rejected.length / 2000).toBeLessThan(0.065);
  });
});
