import type { TSchema } from "typebox";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { AdditionalChargeback, reportFields } from "./fields.ts";

/** Every field of a report that is free text: neither a code, nor digits, nor a date. */
function freeTexts(properties: Readonly<Record<string, TSchema>>): string[] {
  return Object.keys(properties).filter((name) => Check(properties[name] as TSchema, "é"));
}
const free = (name: string): TSchema => reportFields[name as keyof typeof reportFields];

describe("a free text of a report", () => {
  const oneLine = freeTexts(reportFields).filter((n) => n !== "description" && n !== "notes");
  const controls = ["\n", "\r", "\t", "\u0000", "\u001b", "\u007f", "\u0085", "\u2028", "\u2029"];
  const turning = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e"];
  const isolating = ["\u2066", "\u2067", "\u2068", "\u2069"];

  it("is one line, except for the description and the notes", () => {
    expect(oneLine).toEqual([
      ...["title", "first_name", "last_name", "middle_initial", "phone"],
      ...["item_purchased", "tracking_number", "street_address", "city"],
      ...["state", "zip"],
      ...["check_number", "bank_name", "bank_account"],
      ...["reporter_first_name", "reporter_last_name", "reporter_phone"],
      ...["reporter_company_name", "public_username"],
    ]);
    for (const name of oneLine)
      for (const sign of [...controls, ...turning, ...isolating])
        expect(Check(free(name), sign), `${name} ${JSON.stringify(sign)}`).toBe(false);
    expect(freeTexts(AdditionalChargeback.properties)).toEqual(["order_id", "notes"]);
    expect(Check(AdditionalChargeback.properties.order_id, "1\n2")).toBe(false);
    expect(Check(AdditionalChargeback.properties.notes, "1\n2")).toBe(true);
    expect(Check(reportFields.ip_address, "10.0.0.1,\n10.0.0.2")).toBe(false);
  });

  it("accepts every script, including right-to-left ones with marks and joiners", () => {
    const texts = [
      "שלום ל-Quinn\u200e (US)",
      "می\u200cخواهم",
      "👩\u200d💻 Zoë",
      "支払い",
      "O'Brien\u00a0",
    ];
    for (const text of texts) expect(Check(reportFields.title, text), text).toBe(true);
  });

  it("accepts line breaks in the description and the notes", () => {
    expect(Check(reportFields.description, "Signed.\r\n\tThen disputed.")).toBe(true);
    expect(Check(reportFields.notes, "1\n2")).toBe(true);
  });
});
