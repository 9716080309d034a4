import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { SubmitReport } from "#contracts/http/reports.ts";
import { missingFields, ruleProblems } from "#contracts/report/submission-rules.ts";
import { loadSamples } from "./load-samples.ts";
import { sampleReports } from "./sample-reports.ts";

describe("the samples", () => {
  it("are about forty, with distinct names", () => {
    expect(sampleReports.length).toBeGreaterThanOrEqual(38);
    expect(new Set(sampleReports.map(({ name }) => name)).size).toBe(sampleReports.length);
  });

  it.each(sampleReports.map((sample) => [sample.name, sample] as const))(
    "%s is a valid submission",
    (_name, { report }) => {
      expect(Value.Errors(SubmitReport, report)).toEqual([]);
      expect(missingFields(report)).toEqual({});
      expect(ruleProblems(report, "2026-11-21")).toEqual({});
    },
  );

  it("cover both types, all statuses and all four currencies", () => {
    const of = <T>(pick: (sample: (typeof sampleReports)[number]) => T) =>
      new Set(sampleReports.map(pick));
    expect(of(({ report }) => report.report_type).size).toBe(2);
    expect(of(({ status }) => status).size).toBe(4);
    expect(of(({ report }) => report.currency ?? "USD")).toEqual(
      new Set(["USD", "EUR", "GBP", "CAD"]),
    );
  });

  it("use addresses and numbers that are reserved for examples", () => {
    for (const { report } of sampleReports) {
      for (const email of [report.email, report.reporter_email]) {
        if (email) expect(email).toMatch(/\.example$/);
      }
      if (report.phone) expect(report.phone).toMatch(/ 555 01\d\d$/);
    }
  });
});

describe("loading them", () => {
  it("sends each command under a fixed key and stops if one is refused", async () => {
    const run = async (fail?: string) => {
      const keys: string[] = [];
      await loadSamples(async ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        return { status: idempotencyKey === fail ? 409 : 200, body: { data: { id: "x" } } };
      }, new Date("2026-11-23T12:00:00Z")).catch(() => undefined);
      return keys;
    };
    const first = await run();
    expect(new Set(first).size).toBe(first.length);
    expect(first.every((key) => /^[\x21-\x7e]{16,128}$/.test(key))).toBe(true);
    expect(await run()).toEqual(first);
    expect(await run(first[4])).toEqual(first.slice(0, 5));
  });
});
