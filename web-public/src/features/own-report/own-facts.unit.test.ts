import { describe, expect, it } from "vitest";
import type { FullReport } from "#contracts/http/report-view.ts";
import { belongsTo } from "#contracts/report/derive/amounts.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  REPORT_FIELDS,
  REPORT_ROWS,
} from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { formOfReport } from "../submit-report/use-draft.ts";
import { ownFacts } from "./OwnReportPage.tsx";

/** A report whose texts are its fields' names. */
function full(type: ReportType): FullReport {
  const valued = (fields: readonly string[], rows: Readonly<Record<string, { kind: string }>>) =>
    Object.fromEntries(
      fields.map((field) => [field, rows[field]?.kind === "money" ? 12.5 : `<${field}>`]),
    );
  return {
    ...valued(REPORT_FIELDS, REPORT_ROWS),
    report_type: type,
    currency: "EUR",
    country: "UK",
    transaction_date: "2026-05-02",
    chargebacks: [valued(CHARGEBACK_FIELDS, CHARGEBACK_ROWS)],
  } as unknown as FullReport;
}

describe("what an owner sees of a report", () => {
  it.each(["chargeback", "bad_check"] as const)("is everything that a %s may contain", (type) => {
    const shown = JSON.stringify(ownFacts(full(type)));
    for (const field of REPORT_FIELDS) {
      const { kind } = REPORT_ROWS[field];
      const isText =
        !["money", "list", "date"].includes(kind) &&
        !["report_type", "currency", "country"].includes(field);
      if (!isText || !belongsTo(REPORT_ROWS[field], type)) continue;
      expect([field, visibility[field].owner, shown.includes(`<${field}>`)]).toEqual([
        field,
        "clear",
        true,
      ]);
    }
    expect(shown).toContain("<order_id>");
  });

  it("uses readable labels, and amounts in the report's currency", () => {
    const facts = ownFacts(full("chargeback")).flatMap((group) => group.facts);
    const said = (label: string) => facts.find((fact) => fact.label === label)?.value;
    expect(said("Country")).toBe("United Kingdom");
    expect(said("Original amount")).toBe("€12.50");
    expect(said("Transaction date")).toBe("May 2, 2026");
    const { middle_initial: _, ...without } = full("chargeback");
    const initial = ownFacts(without as FullReport).flatMap((group) => group.facts);
    expect(initial.find(({ label }) => label === "Middle initial")?.value).toBe("Not given");
  });
});

describe("an owner's view of a place", () => {
  it("uses the terms of its country", () => {
    const abroad = { country: "CA", state: "NS", zip: "B3H 1A1" } as const;
    const facts = ownFacts({ ...full("chargeback"), ...abroad }).flatMap((group) => group.facts);
    expect(facts).toContainEqual({ label: "Province or territory", value: "Nova Scotia" });
    expect(facts).toContainEqual({ label: "Postal code", value: "B3H 1A1" });
  });
});

describe("a report that is submitted again", () => {
  it("fills in the form with everything that was typed", () => {
    const { fields, items } = formOfReport(full("bad_check"));
    expect(fields).toMatchObject({
      report_type: "bad_check",
      bank_account: "<bank_account>",
      check_amount: "12.50",
      reporter_email: "<reporter_email>",
    });
    expect(fields).not.toHaveProperty("total_due");
    expect(items).toMatchObject([{ key: 1, values: { amount: "12.50", notes: "<notes>" } }]);
    const { phone: _, ...without } = full("chargeback");
    expect(formOfReport(without as FullReport).fields.phone).toBe("");
  });
});
