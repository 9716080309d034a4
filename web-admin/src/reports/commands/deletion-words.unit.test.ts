import { describe, expect, it } from "vitest";
import { erasedIn, hiddenFirst } from "./deletion-words.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("the words of a deletion", () => {
  it.each([
    [0, "within the hour"],
    [-HOUR, "within the hour"],
    [MINUTE, "in 1 minute"],
    [119 * MINUTE, "in 119 minutes"],
    [24 * HOUR, "in 24 hours"],
    [24 * HOUR - 1, "in 23 hours"],
    [50 * HOUR, "in 2 days"],
  ])("say when the report is erased, %i ms from now", (left, words) => {
    expect(erasedIn(new Date(NOW + left).toISOString(), NOW)).toBe(words);
  });

  it("say before the deletion when that is, as the setting has it", () => {
    expect(hiddenFirst(36, NOW)).toMatch(
      /It will be erased in 36 hours, on Nov 30, 2026, \d+:00 [AP]M/,
    );
    expect(hiddenFirst(1, NOW)).toContain("in 1 hour, on Nov 28, 2026");
    expect(hiddenFirst(undefined, NOW)).toContain("erased later");
  });
});
