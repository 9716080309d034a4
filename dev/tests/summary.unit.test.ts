import { describe, expect, it } from "vitest";
import {
  closingLine,
  crashed,
  forbiddenSkips,
  parseAllowedSkips,
  skipLines,
  sum,
  sumFiles,
  withSecondTry,
  worthSecondTry,
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

describe("a second try", () => {
  const file = (name: string, failed: number) => ({ file: name, passed: 2, failed, skipped: [] });

  it("is for a few failed files, when nothing else went wrong", () => {
    const files = [file("a", 0), file("b", 1), file("c", 2)];
    expect(worthSecondTry({ files, unhandled: 0 })).toEqual(["b", "c"]);
    expect(worthSecondTry({ files, unhandled: 1 })).toEqual([]);
    const many = ["a", "b", "c", "d"].map((name) => file(name, 1));
    expect(worthSecondTry({ files: many, unhandled: 0 })).toEqual([]);
  });

  it("counts in place of the first, for its files alone", () => {
    const first = { files: [file("a", 0), file("b", 1)], unhandled: 0 };
    const passed = { files: [{ ...file("b", 0), passed: 3 }], unhandled: 0 };
    expect(sumFiles(withSecondTry(first, passed))).toMatchObject({ passed: 5, failed: 0 });
    const again = { files: [file("b", 1)], unhandled: 1 };
    expect(sumFiles(withSecondTry(first, again))).toMatchObject({ passed: 4, failed: 2 });
  });
});
