import { describe, expect, it } from "vitest";
import type { ReportField } from "#contracts/report/catalogue.ts";
import { fieldsWhere } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { aReport } from "../../../testing/fake-registry.ts";
import { FACTS } from "./facts.folded.ts";
import { ledgerOf } from "./ledger.ts";
import { recordFacts } from "./record-facts.ts";

const sum = (amounts: readonly { amount: number }[]) =>
  amounts.reduce((total, line) => total + Math.round(line.amount * 100), 0) / 100;

describe("a report's ledger", () => {
  it("adds up to the total due", () => {
    const ledger = ledgerOf(
      aReport({ amount: 0.1, chargeback_fee: 0.2, other_fees: 0.3, total_due: 0.6 }),
    );
    expect(ledger.lines.map((line) => line.label)).toEqual([
      "Original amount",
      "Chargeback fee",
      "Other fees",
    ]);
    expect([ledger.own, ledger.due]).toEqual([sum(ledger.lines), sum(ledger.lines)]);
  });

  it("starts a bad check with its check amount, without a chargeback fee", () => {
    const ledger = ledgerOf(
      aReport({
        report_type: "bad_check",
        check_amount: 80,
        amount: 80,
        other_fees: 35,
        total_due: 115,
      }),
    );
    expect(ledger.lines).toEqual([
      { label: "Check amount", amount: 80 },
      { label: "Other fees", amount: 35 },
    ]);
  });

  it("omits zero amounts", () => {
    const ledger = ledgerOf(aReport({ chargeback_fee: 0, other_fees: 0, amount: 5, total_due: 5 }));
    expect(ledger.lines).toEqual([{ label: "Original amount", amount: 5 }]);
  });

  it("adds the additional chargebacks, to the cent", () => {
    const ledger = ledgerOf(
      aReport({
        total_due: 517.7,
        chargebacks: [
          {
            amount: 0.1,
            chargeback_fee: 0.1,
            total_due: 0.2,
            date: "2026-01-12",
            reason: "fraudulent",
          },
          { amount: 80, total_due: 80 },
        ],
      }),
    );
    expect(ledger.additional).toEqual([
      {
        label: "Additional chargeback 1",
        detail: "January 12, 2026, Fraudulent, with fees",
        amount: 0.2,
      },
      { label: "Additional chargeback 2", amount: 80 },
    ]);
    const all = [...ledger.lines, ...ledger.additional];
    expect(ledger.due).toBe(517.7);
    expect(sum(all)).toBe(517.7);
  });
});

describe("a report's facts", () => {
  const facts = (report: Parameters<typeof recordFacts>[0]) =>
    Object.fromEntries(
      recordFacts(report).flatMap((group) => group.facts.map((fact) => [fact.label, fact.value])),
    );

  it("show masks, labels instead of codes, and readable dates", () => {
    expect(facts(aReport())).toMatchObject({
      Name: "Quinn Harper",
      Email: "q***@***",
      Phone: "(***) ***-****",
      Card: "411111******1234",
      "Chargeback reason": "Product not received",
      "Shipping status": "Shipped",
      "Transaction date": "March 2, 2026",
      Resolution: "Unresolved",
      Location: "Denver, CO, United States",
    });
  });

  it('show "Not given" for missing values', () => {
    const { email: _, phone: __, tracking_number: ___, first_6: ____, ...rest } = aReport();
    expect(facts(rest)).toMatchObject({
      Email: "Not given",
      Phone: "Not given",
      "Order ID or tracking number": "Not given",
      Card: "************1234",
    });
  });

  it("show a check's bank and no card", () => {
    const shown = facts(
      aReport({
        report_type: "bad_check",
        bank_name: "First Prairie Bank",
        bank_account: "****6789",
        check_date: "2026-02-20",
        check_reason: "nsf",
      }),
    );
    expect(shown).toMatchObject({
      Bank: "First Prairie Bank",
      "Bank account": "****6789",
      "Check date": "February 20, 2026",
      "Reason for the return": "Insufficient funds (NSF)",
    });
    expect(shown).not.toHaveProperty("Card");
  });

  it("include every public field that isn't elsewhere on the record", () => {
    const elsewhere: readonly ReportField[] = [
      ...(["title", "description", "currency", "chargebacks", "public_username"] as const),
      ...(["last_name", "state", "country", "last_4"] as const),
    ];
    const listed = Object.values(FACTS).flatMap((rows) => rows.map(({ field }) => field));
    const seen = fieldsWhere(({ kind }) => kind !== "money").filter(
      (field) => visibility[field].public !== "hidden" && !elsewhere.includes(field),
    );
    expect([...listed].sort()).toEqual([...seen].sort());
  });
});
