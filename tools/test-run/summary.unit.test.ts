import { describe, expect, it } from "vitest";
import {
  closingLine,
  crashed,
  failureLines,
  forbiddenSkips,
  parseAllowedSkips,
  skipLines,
  slowestLines,
  sum,
} from "./summary.ts";

describe("the summary of a test run", () => {
  const browser = { test: "e2e > journey > approves", reason: "no Chromium" };
  const late = { test: browser.test, message: "expected 1 to be 2" };
  const memory = { test: "event log (memory) > restarts", reason: "memory has no restart" };

  it("adds up the stages in one closing line", () => {
    const total = sum([
      { passed: 3, failed: [], skipped: [browser] },
      { passed: 4, failed: [late], skipped: [memory] },
      crashed("lint", "see what it printed"),
    ]);
    expect(closingLine(total)).toBe("7 passed, 2 failed, 2 skipped");
    expect(failureLines(total.failed)).toEqual([
      "Failed: e2e > journey > approves: expected 1 to be 2",
      "Failed: lint: see what it printed",
    ]);
  });

  it("names and counts skipped tests by reason, and explains how to run them", () => {
    expect(skipLines([browser, memory, { ...browser, test: "e2e > other" }])).toEqual([
      "Skipped (no Chromium): 2",
      "  e2e > journey > approves",
      "  e2e > other",
      "Skipped (memory has no restart): 1",
      "  event log (memory) > restarts",
      "To run tests that need a browser or a server (Debian): bash .ci/run",
    ]);
    expect(skipLines([])).toEqual([]);
  });

  it("names the ten slowest files, the slowest first", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      ...{ file: `${index}.test.ts`, ms: index * 1000 },
      ...{ passed: 1, failed: [], skipped: [] },
    }));
    const lines = slowestLines(files);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe("  11.0 s  11.test.ts");
  });

  it("finds skips that no rule allows", () => {
    const allowed = parseAllowedSkips('[{ "test": "event log (memory)", "why": "by design" }]');
    expect(forbiddenSkips([browser, memory], allowed)).toEqual([browser]);
  });

  it("rejects a rule without a reason, and one that would allow everything", () => {
    expect(() => parseAllowedSkips('[{ "test": "x" }]')).toThrow(/entries/);
    expect(() => parseAllowedSkips('[{ "test": "", "why": "x" }]')).toThrow(/entries/);
  });
});
