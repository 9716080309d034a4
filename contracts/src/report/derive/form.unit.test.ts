import { describe, expect, it } from "vitest";
import { chargebackTotal, dueCents, feesCents, mainAmount } from "../submission-rules.ts";
import { AMOUNTS, choicesOf, cutAt, initialOf, offeredOf, widthOf } from "./amounts.ts";
import { REPORT_FIELDS, REPORT_ROWS } from "./fields.ts";

const { chargeback_reason, country, currency, shipping_status, title } = REPORT_ROWS;

describe("a row defines for the form", () => {
  it("which codes it offers, their labels, and the initial one", () => {
    expect(choicesOf(currency)[1]).toEqual(["EUR", "EUR"]);
    expect(offeredOf(country)).toEqual(choicesOf(country));
    expect(offeredOf(chargeback_reason)).toHaveLength(7);
    expect(choicesOf(chargeback_reason)).toHaveLength(14);
    expect([country, shipping_status, title].map(initialOf)).toEqual(["US", "not_shipped", ""]);
    for (const field of REPORT_FIELDS) {
      const row = REPORT_ROWS[field];
      const codes = choicesOf(row).map(([code]) => code);
      for (const code of [...(row.offered ?? []), row.initial ?? []].flat())
        expect(codes, field).toContain(code);
    }
  });

  it("the width and the maximum length of its control", () => {
    const { zip, city, reporter_company_name, last_4, amount, notes } = REPORT_ROWS;
    expect([zip, last_4, currency].map(widthOf)).toEqual(["short", "short", "short"]);
    expect([city, country, reporter_company_name].map(widthOf)).toEqual(Array(3).fill("medium"));
    expect([title, amount, notes].map(widthOf)).toEqual(["full", "full", "full"]);
    expect([REPORT_ROWS.middle_initial, last_4, title].map(cutAt)).toEqual([1, 4, undefined]);
  });
});

describe("the amount due", () => {
  const cents = {
    amount_cents: 1,
    check_amount_cents: 10,
    chargeback_fee_cents: 100,
    other_fees_cents: 1000,
  };

  it("is the reported amount plus the fees of its type", () => {
    expect(AMOUNTS).toEqual({
      chargeback: { main: "amount", fees: ["chargeback_fee", "other_fees"] },
      bad_check: { main: "check_amount", fees: ["other_fees"] },
    });
    expect(dueCents("chargeback", cents)).toBe(1101);
    expect(dueCents("bad_check", cents)).toBe(1010);
    expect(feesCents("bad_check", cents)).toBe(1000);
    expect(mainAmount("bad_check")).toBe("check_amount");
    expect(chargebackTotal(cents)).toBe(1101);
  });
});
