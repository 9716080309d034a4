import { describe, expect, it } from "vitest";
import {
  formatCappedCount,
  formatCount,
  formatDate,
  formatPlace,
  formatShares,
  formatTotals,
} from "./format.ts";

describe("words for people", () => {
  it("write out a date, in any time zone of the reader", () => {
    expect(formatDate("2026-05-02")).toBe("2 May 2026");
    expect(formatDate("2026-09-30T23:59:59.999Z")).toBe("30 September 2026");
  });

  it("say when there is no date", () => {
    expect(formatDate("")).toBe("Not given");
  });

  it("count in words", () => {
    expect(formatCount(1, "report")).toBe("1 report");
    expect(formatCount(0, "rebuttal")).toBe("0 rebuttals");
    expect(formatCount(2000, "view")).toBe("2,000 views");
    expect(formatCappedCount(10_000, true, "report")).toBe("10,000+ reports");
    expect(formatCappedCount(1, false, "report")).toBe("1 report");
  });

  it("name a place by what is known of it", () => {
    expect(formatPlace({ city: "Denver", state: "CO", country: "US" })).toBe("Denver, CO");
    expect(formatPlace({ city: "Perth", state: "WA", country: "AU" })).toBe(
      "Perth, Western Australia, Australia",
    );
    expect(formatPlace({ city: "Dover", state: "Kent", country: "UK" })).toBe(
      "Dover, Kent, United Kingdom",
    );
  });

  it("keep currencies separate in a sum", () => {
    expect(
      formatTotals([
        { currency: "USD", amount: 1200 },
        { currency: "EUR", amount: 90.5 },
      ]),
    ).toBe("$1,200.00 and €90.50");
  });

  it("list what reports share", () => {
    expect(formatShares(["e-mail", "card", "street and ZIP"])).toBe(
      "email, card, and street address",
    );
  });
});
