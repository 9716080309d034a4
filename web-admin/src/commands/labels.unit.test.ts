import { describe, expect, it } from "vitest";
import { ApiError, fetchFailureText } from "../data/api-error.ts";
import { formatClock } from "../shared/formats.ts";
import { erasedIn, failureText, heldByText, hiddenFirst, takenByText } from "./labels.ts";
import { EDIT, PAGE_COMMANDS, ROW_COMMANDS } from "./report-commands.ts";

describe("error messages", () => {
  it("show the server's message, or a generic one if there is none", () => {
    const refused = new ApiError(409, "The report is approved already");
    expect(failureText(ROW_COMMANDS.approve, refused)).toBe(
      "Emergency approval error: The report is approved already",
    );
    expect(failureText(ROW_COMMANDS.delete, new ApiError(500, ""))).toBe(
      "Emergency deletion failed",
    );
    expect(failureText(ROW_COMMANDS.verify, "?")).toBe("Manual verification failed");
    expect(failureText(EDIT, refused)).toBe("Edit error: The report is approved already");
    expect(failureText(PAGE_COMMANDS.reject, new ApiError(500, ""))).toBe(
      "Failed to reject report",
    );
  });

  it("use the specified wording where the console fetches statistics and lists", () => {
    const texts = [
      new ApiError(429, "Too many"),
      new ApiError(502, ""),
      new ApiError(0, ""),
      "?",
    ].map((error) => fetchFailureText("audit logs", error));
    expect(texts).toEqual([
      "Failed to fetch audit logs: Too many",
      "Failed to fetch audit logs: 502",
      "Failed to fetch audit logs: Unknown error occurred",
      "Failed to fetch audit logs: Unknown error occurred",
    ]);
  });
});

const [early, late] = ["2026-11-20T09:05:00.000Z", "2026-11-20T09:12:00.000Z"];
const held = (until: string, by?: string) => ({ report_id: until, until, ...(by ? { by } : {}) });

describe("messages about reports that others have", () => {
  it("name the moderator and the end of the claim", () => {
    expect(takenByText(held(early, "Ben Lee"))).toBe(
      `Ben Lee has this report until ${formatClock(early)}.`,
    );
    expect(takenByText(held(early))).toMatch(/^Another moderator has this report/);
  });

  it("name each moderator once, and the latest end of a claim", () => {
    expect(heldByText([held(early, "Ben Lee")])).toBe(
      `Ben Lee has 1 of these reports, until ${formatClock(early)}.`,
    );
    expect(
      heldByText([held(late, "Ben Lee"), held(early, "Ben Lee"), held(early, "Ida Roe")]),
    ).toBe(
      `Ben Lee and Ida Roe have 3 of these reports, until ${formatClock(late)} at the latest.`,
    );
    expect(heldByText([held(early), held(late)])).toMatch(/^Another moderator has 2 of these/);
  });
});

const NOW = Date.parse("2026-11-28T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("messages about a deletion", () => {
  it.each([
    [0, "within the hour"],
    [-HOUR, "within the hour"],
    [MINUTE, "in 1 minute"],
    [119 * MINUTE, "in 119 minutes"],
    [24 * HOUR, "in 24 hours"],
    [24 * HOUR - 1, "in 23 hours"],
    [50 * HOUR, "in 2 days"],
  ])("show when the report will be erased, %i ms from now", (left, words) => {
    expect(erasedIn(new Date(NOW + left).toISOString(), NOW)).toBe(words);
  });

  it("announce the time of erasure before the deletion, based on the setting", () => {
    expect(hiddenFirst(36, NOW)).toMatch(
      /It will be erased in 36 hours, on Nov 30, 2026, \d+:00 [AP]M/,
    );
    expect(hiddenFirst(1, NOW)).toContain("in 1 hour, on Nov 28, 2026");
    expect(hiddenFirst(undefined, NOW)).toContain("erased later");
  });
});
