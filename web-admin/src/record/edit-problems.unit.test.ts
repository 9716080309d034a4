import { describe, expect, it } from "vitest";
import type { EditReport } from "#contracts/http/moderation.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { editProblems } from "./edit-values.ts";

const NOW = Date.UTC(2026, 4, 2, 12);
const problems = (edit: unknown, type: ReportType = "chargeback") =>
  editProblems(edit as EditReport, {
    report: { report_type: type, country: "US", state: "CO", amount: 10, check_amount: 10 },
    type,
    now: NOW,
  });

describe("validating an edit", () => {
  it("accepts a valid edit", () => {
    expect(
      problems({
        city: "Boulder",
        amount: 12.34,
        notes: null,
        email: "q***@***",
        ip_address: "10.0.0.1",
        description: "Signed for it.\r\n\tThen disputed it.",
        last_name: "אזולאי",
      }),
    ).toEqual({});
  });

  it.each([
    [{ title: null }, { title: "Title is required" }],
    [{ last_4: null }, { last_4: "Card, last 4 digits is required" }],
    [{ last_4: "12" }, { last_4: "Enter the last 4 digits of the card" }],
    [{ email: "nobody" }, { email: "Please enter a valid email" }],
    [{ email: "a" }, { email: "Please enter a valid email" }],
    [{ transaction_date: "12026-01-01" }, { transaction_date: "Enter a valid date (YYYY-MM-DD)" }],
    [
      { amount: "twelve" },
      { amount: "Enter an amount of 0 or more with at most two decimal places" },
    ],
    [{ city: "x".repeat(101) }, { city: "City must have at most 100 characters" }],
    [{ city: "Den\nver" }, { city: "City must be one line, without control characters" }],
    [
      { transaction_date: "2026-05-04" },
      { transaction_date: "Transaction date cannot be in the future" },
    ],
    [{ state: "COL" }, { state: "Enter the state as two capital letters" }],
    [{ country: "CA" }, { state: "There is no province or territory CO in Canada" }],
    [{ country: "UK", state: "Kent" }, {}],
    [{ status: "rejected", reason: "" }, { reason: "A rejection needs a reason" }],
    [{ chargebacks: [{ reason: "fraudulent" }] }, { "chargebacks.0.amount": "Amount is required" }],
    [
      { chargebacks: [{ amount: 1 }, { amount: 2, last_4: "1" }] },
      { "chargebacks.1.last_4": "Enter the last 4 digits of the card" },
    ],
    [
      { chargebacks: [{ amount: 1, date: "2027-01-01" }] },
      { "chargebacks.0.date": "The date cannot be in the future" },
    ],
  ])("reports the problem in %j at its field", (edit, expected) => {
    expect(problems(edit)).toEqual(expected);
  });

  it("accepts a date that is today in any time zone", () => {
    expect(problems({ transaction_date: "2026-05-03" })).toEqual({});
  });

  it("requires a bad check's own fields", () => {
    expect(problems({ check_number: null, bank_routing: "12" }, "bad_check")).toEqual({
      check_number: "Check number is required",
      bank_routing: "Enter the 9 digits of the routing number",
    });
    expect(problems({ check_amount: 99 }, "bad_check")).toEqual({});
  });

  it("ignores fields that the edit does not change", () => {
    const old = { report_type: "chargeback", country: "US", state: "QLD" };
    const context = { report: old, type: "chargeback", now: NOW } as const;
    expect(editProblems({ city: "Boulder" }, context)).toEqual({});
  });
});
