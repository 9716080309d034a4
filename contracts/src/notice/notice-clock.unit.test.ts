import { describe, expect, it } from "vitest";
import { backBetween, noticeDueAt } from "./notice-clock.ts";
import { NOTICE_HOURS } from "./notice-promises.ts";

const HOUR_MS = 3_600_000;

describe("the deadline of a notice", () => {
  // The list of overdue notices only reads those that were received at least this long ago.
  it("never comes before the hours of a takedown notice have passed", () => {
    for (let day = 0; day < 800; day += 1) {
      const received = new Date(Date.UTC(2026, 0, 1, day % 24) + day * 24 * HOUR_MS);
      for (const due of [noticeDueAt(received), backBetween(received).to])
        expect(due.getTime() - received.getTime()).toBeGreaterThanOrEqual(NOTICE_HOURS * HOUR_MS);
    }
  });
});
