import { describe, expect, it } from "vitest";
import {
  durationText,
  formatBoth,
  formatClock,
  formatDate,
  formatDay,
  formatInstant,
} from "./formats.ts";

const AT = "2026-05-02T22:05:09.123Z";

describe("an instant", () => {
  it.each([
    ["Europe/Berlin", "May 3, 2026, 12:05:09 AM GMT+2", "12:05 AM GMT+2", "May 3, 2026"],
    ["Asia/Kolkata", "May 3, 2026, 3:35:09 AM GMT+5:30", "3:35 AM GMT+5:30", "May 3, 2026"],
    ["UTC", "May 2, 2026, 10:05:09 PM UTC", "10:05 PM UTC", "May 2, 2026"],
  ])("in %s is formatted as %s", (zone, instant, clock, day) => {
    expect(formatInstant(AT, zone)).toBe(instant);
    expect(formatClock(AT, zone)).toBe(clock);
    expect(formatDay(AT, zone)).toBe(day);
  });

  it("is also given in UTC on request, but only once for a reader in UTC", () => {
    const utc = "May 2, 2026, 10:05:09 PM UTC";
    expect(formatBoth(AT, "Europe/Berlin")).toBe(`May 3, 2026, 12:05:09 AM GMT+2 (${utc})`);
    expect(formatBoth(AT, "UTC")).toBe(utc);
  });
});

it("a calendar date has no time zone", () => {
  expect(formatDate("2026-05-02")).toBe("May 2, 2026");
});

it.each([
  [-30_000, 24, "less than an hour"],
  [3_599_000, 24, "less than an hour"],
  [3_600_000, 24, "1 hour"],
  [86_399_000, 24, "23 hours"],
  [86_400_000, 24, "1 day"],
  [86_400_000, 72, "24 hours"],
  [70 * 86_400_000, 24, "70 days"],
])("formats %d ms, with days from %d hours on, as %s", (ms, daysFrom, words) => {
  expect(durationText(ms, daysFrom)).toBe(words);
});
