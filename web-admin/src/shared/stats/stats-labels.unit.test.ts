import { expect, it } from "vitest";
import {
  axisLabel,
  comparedWith,
  daysOf,
  formatSpan,
  formatTotals,
  formatWait,
  unitOfWaits,
} from "./stats-labels.ts";

it.each([
  [null, "None"],
  [1, "1 min"],
  [59.4, "59 min"],
  [60, "1 h"],
  [330, "5.5 h"],
  [2879, "48 h"],
  [2880, "2 days"],
  [4608, "3.2 days"],
  [43_200, "30 days"],
])("formats a wait of %s minutes as %s", (minutes, text) => {
  expect(formatWait(minutes)).toBe(text);
});

it.each([
  [119, "minutes"],
  [120, "hours"],
  [4320, "days"],
])("for an axis up to %s minutes, uses %s", (most, name) => {
  expect(unitOfWaits(most).name).toBe(name);
});

it("never adds up different currencies", () => {
  const euros = { currency: "EUR", amount: 80 };
  expect(formatTotals([euros, { currency: "USD", amount: 1200 }])).toBe("€80.00\u00a0· $1,200.00");
  expect(formatTotals([])).toBe("None");
});

it("formats spans, points and differences", () => {
  expect(formatSpan({ from: "2026-05-02", to: "2026-05-02" })).toBe("May 2, 2026");
  expect(formatSpan({ from: "2026-04-27", to: "2026-05-03" })).toBe("Apr 27, 2026 to May 3, 2026");
  expect(axisLabel("2026-05-02", "week")).toBe("May 2");
  expect(axisLabel("2026-05-01", "month")).toBe("May 2026");
  expect(daysOf({ from: "2026-04-27", to: "2026-05-03" })).toBe(7);
  expect(comparedWith(12, 9, 30)).toBe("3 more than in the previous 30 days");
  expect(comparedWith(1, 1201, 7)).toBe("1,200 fewer than in the previous 7 days");
  expect(comparedWith(4, 4, 7)).toBe("same as in the previous 7 days");
});
