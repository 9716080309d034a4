import { describe, expect, it } from "vitest";
import { ruleProblems } from "#contracts/report/submission-rules.ts";
import { movedBefore, sampleTimes } from "./load-samples.ts";
import { sampleReports } from "./sample-reports.ts";

const NOW = Date.UTC(2027, 4, 2, 13, 37);
const DAY_MS = 86_400_000;
const times = sampleTimes(sampleReports.length, NOW);

describe("the times of samples", () => {
  it("spread over the previous year, in the order of the samples, none in the future", () => {
    const months = new Set(
      times.map(({ submittedMs }) => new Date(submittedMs).toISOString().slice(0, 7)),
    );
    expect(months.size).toBeGreaterThanOrEqual(10);
    expect(
      times.filter(({ submittedMs }) => submittedMs > NOW - 30 * DAY_MS).length,
    ).toBeGreaterThan(8);
    for (const [i, { submittedMs, verifiedMs, decidedMs }] of times.entries()) {
      expect(submittedMs).toBeGreaterThan(NOW - 366 * DAY_MS);
      expect(submittedMs).toBeGreaterThan(times[i - 1]?.submittedMs ?? 0);
      expect(verifiedMs).toBeGreaterThan(submittedMs);
      expect(decidedMs).toBeGreaterThan(verifiedMs);
      expect(decidedMs).toBeLessThanOrEqual(NOW);
    }
  });

  it("do not depend on when they are computed", () => {
    expect(sampleTimes(sampleReports.length, NOW)).toEqual(times);
  });
});

describe("a sample's dates", () => {
  it.each(sampleReports.map((sample, i) => [sample.name, sample, i] as const))(
    "precede its submission, with the intervals between them unchanged: %s",
    (_name, { report }, i) => {
      const { submittedMs = 0 } = times[i] ?? {};
      const moved = movedBefore(report, submittedMs, i);
      const day = new Date(submittedMs).toISOString().slice(0, 10);
      expect(ruleProblems(moved, day)).toEqual({});
      const apart = (it: typeof report) =>
        Date.parse(it.chargeback_date ?? "") - Date.parse(it.transaction_date ?? "");
      expect(apart(moved)).toEqual(apart(report));
      const { transaction_date, chargeback_date, check_date, chargebacks, ...rest } = moved;
      expect(report).toMatchObject(rest);
      expect(
        [transaction_date, chargeback_date, check_date].some((date) => date && date < day),
      ).toBe(true);
      expect(chargebacks?.length).toBe(report.chargebacks?.length);
    },
  );
});
