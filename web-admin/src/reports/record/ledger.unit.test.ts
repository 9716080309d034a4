import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromCents, toCents } from "#contracts/report/money.ts";
import { feesOf, ledgerOf } from "./ledger.ts";

describe("the ledger of a report", () => {
  it("leaves out absent fees", () => {
    expect(ledgerOf({ report_type: "chargeback", amount: 412.5 })).toEqual({
      groups: [
        {
          title: "Chargeback",
          lines: [{ label: "Original amount", amount: 412.5 }],
          total: 412.5,
        },
      ],
      total: 412.5,
    });
  });

  it("starts a bad check with its check amount", () => {
    const { groups, total } = ledgerOf({
      report_type: "bad_check",
      amount: 90,
      check_amount: 90,
      other_fees: 12.5,
    });
    expect(groups[0]?.lines).toEqual([
      { label: "Check amount", amount: 90 },
      { label: "Other fees", amount: 12.5 },
    ]);
    expect(total).toBe(102.5);
  });

  it("groups each additional chargeback with its date and reason", () => {
    const { groups } = ledgerOf({
      amount: 1,
      chargebacks: [{ amount: 2, date: "2026-03-04", reason: "fraudulent" }, { amount: 3 }],
    });
    expect(groups.map(({ title }) => title)).toEqual([
      "Chargeback",
      "Additional chargeback 1, Mar 4, 2026, Fraudulent",
      "Additional chargeback 2",
    ]);
  });

  it("adds up to the cent, for any amounts", () => {
    const cents = fc.integer({ min: 0, max: 999_999_999_999 });
    const fees = { chargeback_fee: cents, other_fees: cents };
    const item = fc.record({ amount: cents, ...fees });
    fc.assert(
      fc.property(item, fc.array(item, { maxLength: 8 }), (report, items) => {
        const decimal = ({ amount, chargeback_fee, other_fees }: typeof report) => ({
          amount: fromCents(amount),
          chargeback_fee: fromCents(chargeback_fee),
          other_fees: fromCents(other_fees),
        });
        const { groups, total } = ledgerOf({
          ...decimal(report),
          chargebacks: items.map(decimal),
        });
        const sums = [report, ...items].map((i) => i.amount + i.chargeback_fee + i.other_fees);
        expect(toCents(total)).toBe(sums.reduce((a, b) => a + b, 0));
        expect(groups.map((g) => toCents(g.total))).toEqual(sums);
        for (const g of groups) {
          const lines = g.lines.reduce((sum, line) => sum + toCents(line.amount), 0);
          expect(lines).toBe(toCents(g.total));
        }
      }),
    );
  });

  it("sums fees in cents", () => {
    expect(feesOf({ chargeback_fee: 0.1, other_fees: 0.2 })).toBe(0.3);
    expect(feesOf({})).toBe(0);
  });
});
