import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisEnd, clippedText } from "./stats-labels.ts";

describe("the upper end of an axis", () => {
  it("is automatic if no value is an outlier", () => {
    expect(axisEnd([])).toBeUndefined();
    expect(axisEnd([0, null, 5, 9_999_999])).toBeUndefined();
    expect(axisEnd([100, 120, 800, 0, null, 300])).toBeUndefined();
  });

  it("is just above the other values if some are outliers", () => {
    expect(axisEnd([100, 120, 800, 9_999_999, 300])).toBe(960);
    expect(axisEnd([100, 120, 800, 9_999_999, 5_000_000, 300])).toBe(960);
  });

  it("shows most values in full, at a visible height", () => {
    const amounts = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 3 });
    fc.assert(
      fc.property(amounts, (values) => {
        const end = axisEnd(values);
        if (end === undefined) return;
        const whole = values.filter((value) => value <= end);
        expect(whole.length).toBeGreaterThanOrEqual(values.length / 2);
        const middle = values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
        expect(middle / end).toBeGreaterThan(0.08);
      }),
    );
  });
});

it("lists values that are cut off, with their full amount", () => {
  const format = (value: number) => `$${value}`;
  const points = ["Nov 3", "Nov 4"];
  expect(clippedText(undefined, points, [[1, 2]], format)).toBeUndefined();
  expect(
    clippedText(
      10,
      points,
      [
        [5, 900],
        [null, 7],
      ],
      format,
    ),
  ).toBe("Too tall to show in full: Nov 4, $900.");
  expect(
    clippedText(
      1,
      points,
      [
        [5, 6],
        [7, 8],
      ],
      format,
    ),
  ).toMatch(/; Nov 3, \$7 and 1 more\.$/);
});
