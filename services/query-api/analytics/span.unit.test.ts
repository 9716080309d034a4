import { describe, expect, it } from "vitest";
import { PERIODS } from "#contracts/report/periods.ts";
import { spansOf, stepsOf } from "./period-stats.queries.ts";

const NOON = Date.UTC(2026, 10, 23, 12);

describe("the days of a period", () => {
  it("end today in UTC, preceded by equally many", () => {
    expect(spansOf(PERIODS["7days"], NOON)).toEqual({
      span: { from: "2026-11-17", to: "2026-11-23" },
      previous: { from: "2026-11-10", to: "2026-11-16" },
    });
    expect(spansOf(PERIODS["30days"], Date.UTC(2026, 10, 23, 23, 59)).span).toEqual({
      from: "2026-10-25",
      to: "2026-11-23",
    });
    expect(spansOf(PERIODS["1year"], NOON)).toEqual({
      span: { from: "2025-11-24", to: "2026-11-23" },
      previous: { from: "2024-11-24", to: "2025-11-23" },
    });
  });

  it("use the last day of a shorter month", () => {
    const { span } = spansOf(PERIODS["3months"], Date.UTC(2026, 4, 31));
    expect(span).toEqual({ from: "2026-03-01", to: "2026-05-31" });
    expect(spansOf(PERIODS["6months"], Date.UTC(2026, 7, 31)).span.from).toBe("2026-03-01");
  });
});

describe("the steps of a period", () => {
  it("cover it without gaps, with weeks from Monday, cut at both ends", () => {
    const { span } = spansOf(PERIODS["3months"], NOON);
    const steps = stepsOf(span, "week");
    // 24 August and 23 November 2026 are Mondays.
    expect(steps[0]).toEqual({ from: "2026-08-24", to: "2026-08-30" });
    expect(steps.at(-1)).toEqual({ from: "2026-11-23", to: "2026-11-23" });
    expect(steps).toHaveLength(14);
  });

  it("are months for a year, and days for a week", () => {
    const { span } = spansOf(PERIODS["1year"], NOON);
    const months = stepsOf(span, "month");
    expect(months[0]).toEqual({ from: "2025-11-24", to: "2025-11-30" });
    expect(months[3]).toEqual({ from: "2026-02-01", to: "2026-02-28" });
    expect(months.at(-1)).toEqual({ from: "2026-11-01", to: "2026-11-23" });
    expect(stepsOf(spansOf(PERIODS["7days"], NOON).span, "day")).toHaveLength(7);
  });
});
