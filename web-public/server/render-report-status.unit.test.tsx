import { describe, expect, it } from "vitest";
import type { ReportProgress } from "#contracts/http/unsubscribe.ts";
import { ok, refusal } from "../testing/fake-registry.ts";
import { get } from "../testing/get-page.ts";

const STATUS = "POST /prod/api/report-status";
const progress = (change: Partial<ReportProgress> = {}): ReportProgress => ({
  number: "R-0F961-9FF8B",
  status: "pending",
  verified: false,
  asked: false,
  steps: [{ step: "submitted", at: "2026-11-22T09:05:00.000Z" }],
  ...change,
});
const page = (change: Partial<ReportProgress> = {}) =>
  get("/report-status/tok", { [STATUS]: ok(progress(change)) });

describe("the report status page", () => {
  it("is server-rendered with number, steps and times, and puts the token in no URL it calls", async () => {
    const { html, status, calls } = await page();
    expect(status).toBe(200);
    expect(html).toContain("R-0F961-9FF8B");
    expect(html).toContain("Awaiting your confirmation");
    expect(html).toContain("November 22, 2026, 9:05 AM UTC");
    expect(calls.map(({ body }) => body)).toContainEqual({ token: "tok" });
    expect(calls.map(({ path }) => path).join()).not.toContain("tok");
  });

  it("is not indexed", async () => {
    expect((await page()).html).toContain('<meta name="robots" content="noindex"/>');
  });

  it.each([
    [{ verified: true }, "Awaiting review"],
    [{ status: "under_review", verified: true }, "In review"],
    [{ status: "approved", verified: true }, "The report is public"],
    [{ status: "rejected", verified: true, reason: "No evidence" }, "No evidence"],
    [{ status: "rejected" }, "To see the reason, confirm your email"],
  ] as const)("shows the report's status: %j", async (change, words) => {
    expect((await page(change)).html).toContain(words);
  });

  it.each([
    ["link_invalid", 400],
    ["invalid_request", 400],
  ])("shows the same for every invalid link (%s)", async (code, status) => {
    const answer = await get("/report-status/tok", { [STATUS]: refusal(status, code, "No.") });
    expect(answer.status).toBe(404);
    expect(answer.html).toContain("This link is no longer valid");
  });

  it("distinguishes an invalid link from an unavailable registry", async () => {
    const answer = await get("/report-status/tok", { [STATUS]: undefined });
    expect(answer.status).toBe(503);
    expect(answer.html).not.toContain("no longer valid");
  });
});
