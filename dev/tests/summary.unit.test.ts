import { describe, expect, it } from "vitest";
import {
  closingLine,
  crashed,
  forbiddenSkips,
  parseAllowedSkips,
  skipLines,
  sum,
} from "./summary.ts";

describe("the summary of a test run", () => {
  const browser = { test: "e2e > journey > approves", reason: "no Chromium" };
  const memory = { test: "event log (memory) > restarts", reason: "memory has no restart" };

  it("adds the stages up into one closing line", () => {
    const total = sum([
      { passed: 3, failed: 0, skipped: [browser] },
      { passed: 4, failed: 1, skipped: [memory] },
      crashed,
    ]);
    expect(closingLine(total)).toBe("7 passed, 2 failed, 2 skipped");
  });

  it("names each skipped test under its reason", () => {
    expect(skipLines([browser, memory, { ...browser, test: "e2e > other" }])).toEqual([
      "Skipped (no Chromium):",
      "  e2e > journey > approves",
      "  e2e > other",
      "Skipped (memory has no restart):",
      "  event log (memory) > restarts",
    ]);
  });

  it("finds skips that no rule allows", () => {
    const allowed = parseAllowedSkips('[{ "test": "event log (memory)", "why": "by design" }]');
    expect(forbiddenSkips([browser, memory], allowed)).toEqual([browser]);
  });

  it("refuses a rule without a reason, and one that would allow everything", () => {
    expect(() => parseAllowedSkips('[{ "test": "x" }]')).toThrow(/entries/);
    expect(() => parseAllowedSkips('[{ "test": "", "why": "x" }]')).toThrow(/entries/);
  });
});
