import { describe, expect, it } from "vitest";
import type { FieldRow } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { keptBackWords } from "./kept-back-words.ts";

const of = (report_type: string) => ({ report_type });

describe("what the console says is kept back", () => {
  it("is every field that a report of the type hides or masks", () => {
    expect(keptBackWords(of("chargeback"))).toBe(
      "Middle initial, company name or item purchased, IP addresses, street address, ZIP, notes, " +
        "the reporter's first name, last name, phone, and company are kept back; " +
        "email, phone, and the reporter's email are masked",
    );
    expect(keptBackWords(of("bad_check"))).toBe(
      "Middle initial, company name or item purchased, IP addresses, street address, ZIP, notes, " +
        "check number, bank routing number, " +
        "the reporter's first name, last name, phone, and company are kept back; " +
        "email, phone, bank account number, and the reporter's email are masked",
    );
  });

  it("names a new field that is kept back, masked or staff's", () => {
    const passport: FieldRow = { label: "Passport number", kind: "line", shown: "kept" };
    const handle: FieldRow = { label: "Chat name", kind: "line", shown: "masked" };
    const tax: FieldRow = { label: "Your VAT ID", kind: "line", shown: "staff", part: "reporter" };
    const open: FieldRow = { label: "Shop", kind: "line", shown: "open" };
    const rows = { passport, handle, tax, open };
    expect(keptBackWords(of("chargeback"), rows)).toBe(
      "Passport number is kept back; chat name and the reporter's VAT ID are masked",
    );
    const words = keptBackWords(of("chargeback"), { ...REPORT_ROWS, passport });
    expect(words).toContain(", notes, passport number, the reporter's first name");
    const ofChecks = { ...REPORT_ROWS, passport: { ...passport, only: "bad_check" } } as const;
    expect(keptBackWords(of("chargeback"), ofChecks)).not.toContain("passport");
    expect(keptBackWords(of("bad_check"), ofChecks)).toContain("passport number");
  });

  it("counts the fields of additional chargebacks where there are any", () => {
    const items = { ...of("chargeback"), chargebacks: [{ amount: 1 }] };
    expect(keptBackWords(items)).toContain(", notes, order ID, the reporter's");
    const seal: FieldRow = { label: "Parcel seal", kind: "line", shown: "kept" };
    const itemRows = { ...CHARGEBACK_ROWS, seal };
    expect(keptBackWords(items, REPORT_ROWS, itemRows)).toContain("parcel seal");
    expect(keptBackWords(of("chargeback"), REPORT_ROWS, itemRows)).not.toContain("parcel seal");
  });
});
