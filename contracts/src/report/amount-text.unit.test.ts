import { describe, expect, it } from "vitest";
import { AMOUNT_RULE, amountProblem, readAmount } from "./money.ts";

describe("an amount as typed", () => {
  it.each([
    ["412.50", 412.5],
    ["1234.5", 1234.5],
    ["1,234.50", 1234.5],
    [" 1,234,567.89 ", 1_234_567.89],
    ["$ 99", 99],
    ["$1,480.00", 1480],
    ["0", 0],
    ["5.", 5],
    ["9999999999.99", 9_999_999_999.99],
  ])("is parsed: %s", (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it.each(["", "-1", "1.005", "1.2.3", "1,2,3", "12,50", "1e3", "abc", ".", "99999999999", "∞"])(
    "is rejected: %s",
    (text) => {
      expect(readAmount(text)).toBeUndefined();
    },
  );

  it("with a comma before its cents gets a message that shows where the point goes", () => {
    for (const text of ["12,50", "12,5", "1.234,50 "])
      expect(amountProblem(text)).toBe("Write the cents after a period, for example 12.50");
    for (const text of ["-5", "1,2345", "12,500.5,", -5])
      expect(amountProblem(text)).toBe(AMOUNT_RULE);
  });
});
