import { describe, expect, it } from "vitest";
import {
  formatCappedCount,
  formatCount,
  formatDate,
  formatMoment,
  formatOwnMoment,
  formatPlace,
  formatShares,
  formatTotals,
} from "./format.ts";

describe("formatting", () => {
  it("spells out a date, in any time zone of the reader", () => {
    expect(formatDate("2026-05-02")).toBe("May 2, 2026");
    expect(formatDate("2026-09-30T23:59:59.999Z")).toBe("September 30, 2026");
  });

  it("shows a time with its zone, identically in every version of the locale data", () => {
    expect(formatMoment("2026-05-02T14:05:00.000Z")).toBe("May 2, 2026, 2:05 PM UTC");
    expect(formatOwnMoment("2026-05-02T00:05:00.000Z", "America/Denver")).toBe(
      "May 1, 2026, 6:05 PM MDT",
    );
    expect(formatOwnMoment("nothing")).toBe("Unknown");
  });

  it("says when there is no date", () => {
    expect(formatDate("")).toBe("Not given");
  });

  it("counts with the right plural", () => {
    expect(formatCount(1, "report")).toBe("1 report");
    expect(formatCount(0, "rebuttal")).toBe("0 rebuttals");
    expect(formatCount(2000, "view")).toBe("2,000 views");
    expect(formatCappedCount(10_000, true, "report")).toBe("10,000+ reports");
    expect(formatCappedCount(1, false, "report")).toBe("1 report");
  });

  it("names a place, with region and country outside the United States", () => {
    expect(formatPlace({ city: "Denver", state: "CO", country: "US" })).toBe("Denver, CO");
    expect(formatPlace({ city: "Perth", state: "WA", country: "AU" })).toBe(
      "Perth, Western Australia, Australia",
    );
    expect(formatPlace({ city: "Dover", state: "Kent", country: "UK" })).toBe(
      "Dover, Kent, United Kingdom",
    );
  });

  it("keeps currencies separate in a sum", () => {
    expect(
      formatTotals([
        { currency: "USD", amount: 1200 },
        { currency: "EUR", amount: 90.5 },
      ]),
    ).toBe("$1,200.00 and €90.50");
  });

  it("lists what reports have in common", () => {
    expect(formatShares(["email", "card", "street and ZIP"])).toBe(
      "email, card, and street address",
    );
  });
});
