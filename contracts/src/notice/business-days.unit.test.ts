import { describe, expect, it } from "vitest";
import { beginOfBusinessDay, endOfBusinessDay, isBusinessDay } from "./notice-clock.ts";

const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe("US business days", () => {
  // As published by the Office of Personnel Management.
  it.each([
    ["2026-01-01"],
    ["2026-01-19"],
    ["2026-02-16"],
    ["2026-05-25"],
    ["2026-06-19"],
    ["2026-07-03"],
    ["2026-09-07"],
    ["2026-10-12"],
    ["2026-11-11"],
    ["2026-11-26"],
    ["2026-12-25"],
    ["2027-06-18"],
    ["2027-07-05"],
    ["2027-12-24"],
    ["2027-12-31"],
    ["2021-12-31"],
    ["2023-01-02"],
  ])("exclude the holiday of %s", (date) => expect(isBusinessDay(day(date))).toBe(false));

  it("exclude weekends and holidays, and nothing else", () => {
    let days = 0;
    for (let at = day("2026-01-01"); at < day("2027-01-01"); at = new Date(at.getTime() + 864e5))
      if (isBusinessDay(at)) days += 1;
    // 261 weekdays, eleven of which are holidays.
    expect(days).toBe(250);
  });

  it("are counted from the next day, across Thanksgiving and a weekend", () => {
    const received = new Date("2026-11-23T15:00:00Z");
    expect(beginOfBusinessDay(received, 1)).toEqual(new Date("2026-11-24T05:00:00Z"));
    expect(beginOfBusinessDay(received, 10)).toEqual(new Date("2026-12-08T05:00:00Z"));
    expect(endOfBusinessDay(received, 14)).toEqual(new Date("2026-12-15T05:00:00Z"));
  });

  it("follow Eastern Time, including daylight saving time", () => {
    // It is still Friday evening in New York.
    const friday = new Date("2026-03-07T03:00:00Z");
    expect(beginOfBusinessDay(friday, 1)).toEqual(new Date("2026-03-09T04:00:00Z"));
    expect(endOfBusinessDay(new Date("2026-03-05T12:00:00Z"), 1)).toEqual(
      new Date("2026-03-07T05:00:00Z"),
    );
  });
});
