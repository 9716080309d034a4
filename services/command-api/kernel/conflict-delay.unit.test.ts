import { describe, expect, it } from "vitest";
import { CONFLICT_RETRIES, conflictDelay } from "./conflict-delay.ts";

const attempts = Array.from({ length: CONFLICT_RETRIES }, (_, attempt) => attempt);

describe("the wait after a conflict", () => {
  it("is random up to a bound that doubles with each of five tries", () => {
    expect(attempts.map((attempt) => conflictDelay(attempt, () => 1))).toEqual([
      100, 200, 400, 800, 1600,
    ]);
    for (const attempt of attempts) {
      expect(conflictDelay(attempt, () => 0)).toBe(0);
      expect(conflictDelay(attempt, () => 0.5)).toBe(conflictDelay(attempt, () => 1) / 2);
    }
  });
});
