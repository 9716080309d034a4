import { describe, expect, it } from "vitest";
import { formatBoth, formatClock, formatDate, formatDay, formatInstant } from "./formats.ts";

const AT = "2026-05-02T22:05:09.123Z";

describe("an instant", () => {
  it.each([
    ["Europe/Berlin", "3 May 2026, 00:05:09 CEST", "00:05 CEST", "3 May 2026"],
    ["Asia/Kolkata", "3 May 2026, 03:35:09 GMT+5:30", "03:35 GMT+5:30", "3 May 2026"],
    ["UTC", "2 May 2026, 22:05:09 UTC", "22:05 UTC", "2 May 2026"],
  ])("in %s is %s", (zone, instant, clock, day) => {
    expect(formatInstant(AT, zone)).toBe(instant);
    expect(formatClock(AT, zone)).toBe(clock);
    expect(formatDay(AT, zone)).toBe(day);
  });

  it("is told in UTC as well where both are asked for, but once to a reader in UTC", () => {
    const utc = "2 May 2026, 22:05:09 UTC";
    expect(formatBoth(AT, "Europe/Berlin")).toBe(`3 May 2026, 00:05:09 CEST (${utc})`);
    expect(formatBoth(AT, "UTC")).toBe(utc);
  });
});

it("a calendar date is of no time zone", () => {
  expect(formatDate("2026-05-02")).toBe("2 May 2026");
});
