import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BucketCount, waitAt, waitBucket } from "./wait-buckets.ts";

function countsOf(waits: readonly number[]): BucketCount[] {
  const counts = new Map<number, number>();
  for (const minutes of waits) {
    const bucket = waitBucket(minutes * 60_000);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return [...counts].map(([bucket, reports]) => ({ bucket, reports }));
}

describe("the histogram of waits", () => {
  it("gives every percentile within 5 % of the exact one, by nearest rank", () => {
    const waits = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 5_000_000 })),
      {
        minLength: 1,
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 100 }), (minutes, percent) => {
        const sorted = minutes.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil((percent / 100) * sorted.length) - 1] as number;
        const found = waitAt(percent / 100, countsOf(minutes)) as number;
        expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.05);
      }),
    );
  });

  it("is exact for the first minutes, and has no percentile without reports", () => {
    expect(waitAt(0.5, countsOf([3, 1, 2]))).toBe(2);
    expect(waitAt(0.95, countsOf([1, 2, 3]))).toBe(3);
    expect(waitAt(0.5, [])).toBeNull();
  });

  it("puts waits below a minute into the first bucket, and waits beyond the last bound into the last", () => {
    expect(waitBucket(0)).toBe(0);
    expect(waitBucket(-5)).toBe(0);
    expect(waitBucket(60_000)).toBe(0);
    expect(waitBucket(60_001)).toBe(1);
    expect(waitBucket(Number.MAX_SAFE_INTEGER)).toBe(waitBucket(21 * 366 * 86_400_000));
  });
});
