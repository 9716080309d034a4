import { describe, expect, it } from "vitest";
import type { OwnReport } from "#contracts/http/own-reports.ts";
import { barsByCurrency, monthName } from "./AmountsOverTime.tsx";
import { timelineOf } from "./OwnReports.tsx";

describe("amounts over time", () => {
  const now = new Date("2026-03-31T23:30:00Z");
  const month = (name: string, total_due: number, currency: "USD" | "EUR" = "USD") => ({
    month: name,
    currency,
    reports: 1,
    total_due,
  });

  it("have a bar for each month of a year, ending with the current one", () => {
    const [chart] = barsByCurrency([month("2025-04", 5), month("2026-03", 7.5)], now);
    expect(chart?.bars).toHaveLength(12);
    expect(chart?.bars[0]).toEqual({ month: "2025-04", totalDue: 5, reports: 1 });
    expect(chart?.bars[10]).toEqual({ month: "2026-02", totalDue: 0, reports: 0 });
    expect(chart?.bars[11]).toEqual({ month: "2026-03", totalDue: 7.5, reports: 1 });
    expect(monthName("2026-02")).toBe("February 2026");
  });

  it("separate currencies, largest sum first", () => {
    const months = [month("2026-01", 5), month("2026-01", 90, "EUR"), month("2026-02", 6)];
    const charts = barsByCurrency(months, now);
    expect(charts.map(({ currency }) => currency)).toEqual(["EUR", "USD"]);
    expect(charts.map(({ bars }) => bars.filter(({ totalDue }) => totalDue > 0).length)).toEqual([
      1, 2,
    ]);
  });

  it("have no chart if there are no reports", () => {
    expect(barsByCurrency([], now)).toEqual([]);
  });
});

describe("a report's timeline", () => {
  const created_at = "2026-11-20T08:00:00.000Z";
  const decided_at = "2026-11-21T08:00:00.000Z";
  const steps = (report: Partial<OwnReport>) =>
    timelineOf({ status: "pending", verified: true, created_at, ...report } as OwnReport);
  const submitted = { text: "Submitted", at: created_at };
  const confirmed = { text: "Email confirmed" };

  it("asks the reporter to confirm the address until that is done", () => {
    const asked = { text: "Next: confirm your email with the link we sent you" };
    expect(steps({ verified: false })).toEqual([submitted, asked]);
    expect(steps({})).toEqual([submitted, confirmed, { text: "Awaiting review" }]);
  });

  it("shows the last question to the reporter, and what to do next", () => {
    const asked_at = "2026-03-02T10:00:00.000Z";
    const asked = { text: "A moderator asked a question", at: asked_at };
    const next = { text: "Next: answer the question above, or use the link in our email" };
    expect(steps({ question: { state: "open", asked_at } })).toEqual([
      submitted,
      confirmed,
      asked,
      next,
    ]);
    expect(steps({ status: "approved", question: { state: "closed", asked_at } })).toContainEqual(
      asked,
    );
    const ended_at = "2026-03-03T10:00:00.000Z";
    const answered = steps({ question: { state: "answered", asked_at, ended_at } });
    expect(answered).toContainEqual({ text: "You answered", at: ended_at });
    expect(answered).not.toContainEqual(next);
  });

  it("ends with the decision and its time", () => {
    expect(steps({ status: "under_review" }).at(-1)).toEqual({ text: "In review" });
    expect(steps({ status: "under_review", verified: false })).toEqual([
      submitted,
      { text: "In review" },
      { text: "Next: confirm your email with the link we sent you" },
    ]);
    expect(steps({ status: "approved", decided_at })).toEqual([
      submitted,
      confirmed,
      { text: "Approved", at: decided_at },
    ]);
    expect(steps({ status: "rejected", verified: false, decided_at })).toEqual([
      submitted,
      { text: "Rejected", at: decided_at },
    ]);
  });
});
