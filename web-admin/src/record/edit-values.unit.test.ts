import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { EditReport } from "#contracts/http/moderation.ts";
import { reportFields } from "#contracts/report/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";
import {
  type EditValues,
  editGroups,
  editOf,
  emptyItem,
  totalDueOf,
  valuesOf,
} from "./edit-values.ts";
import type { ShownReport } from "./record-fields.ts";

const report: ShownReport = {
  report_type: "chargeback",
  status: "pending",
  verified: false,
  first_name: "Quinn",
  last_name: "Ames",
  email: "q***@***",
  city: "Denver",
  amount: 412.5,
  other_fees: 10,
  currency: "USD",
  chargebacks: [
    { amount: 20, reason: "fraudulent", total_due: 20, notes: "kept", order_id: "A-1" },
  ],
};
const before = valuesOf(report, "chargeback");
const edit = (change: Partial<EditValues>) =>
  editOf(before, { ...before, ...change }, "chargeback");

describe("the total below the form", () => {
  it("includes additional chargebacks, and updates as the user types", () => {
    expect(totalDueOf(before, "chargeback")).toBe(442.5);
    const typed = {
      ...before,
      other_fees: "12.50",
      chargebacks: [{ ...emptyItem(), amount: "1," }],
    };
    expect(totalDueOf(typed, "chargeback")).toBe(425);
  });
});

describe("what an edit sends", () => {
  it("is empty if nothing was changed", () => {
    expect(edit({})).toEqual({});
    expect(edit({ first_name: "  Quinn ", amount: "412.5" })).toEqual({});
  });

  it("has only the changed fields, in wire format", () => {
    const change = edit({
      first_name: "Quin",
      amount: "1,480.00",
      verified: "true",
      street_address: " 12 Larimer St ",
    });
    expect(change).toEqual({
      first_name: "Quin",
      amount: 1480,
      verified: true,
      street_address: "12 Larimer St",
    });
    expect(Check(EditReport, change)).toBe(true);
  });

  it("has null for an optional field that was cleared, even if it was masked", () => {
    expect(edit({ other_fees: "", email: "" })).toEqual({ other_fees: null, email: null });
    expect(Check(EditReport, edit({ other_fees: "", email: "" }))).toBe(true);
  });

  it("never includes an unchanged mask", () => {
    expect(edit({ city: "Boulder" })).toEqual({ city: "Boulder" });
  });

  it("has a reason only for a rejection", () => {
    expect(edit({ status: "rejected", reason: " No proof " })).toEqual({
      status: "rejected",
      reason: "No proof",
    });
    expect(edit({ status: "approved", reason: "left over" })).toEqual({ status: "approved" });
  });

  it("replaces all additional chargebacks, with their hidden parts, if one of them differs", () => {
    const [first] = before.chargebacks;
    if (!first) throw new Error("The sample has a chargeback");
    const change = edit({
      chargebacks: [
        { ...first, amount: "25" },
        { ...emptyItem(), amount: "5", last_4: "4242" },
      ],
    });
    expect(change).toEqual({
      chargebacks: [
        { amount: 25, reason: "fraudulent", order_id: "A-1", notes: "kept" },
        { amount: 5, last_4: "4242" },
      ],
    });
    expect(Check(EditReport, change)).toBe(true);
    expect(edit({ chargebacks: [] })).toEqual({ chargebacks: [] });
    expect(edit({ chargebacks: [{ ...first, amount: "20" }] })).toEqual({});
  });
});

describe("the edit form", () => {
  it("has every field that the API accepts for either type, except computed ones", () => {
    const names = (["chargeback", "bad_check"] as const).flatMap((type) =>
      editGroups(type).flatMap((group) => group.fields.map((name) => name as string)),
    );
    const elsewhere = ["report_type", "total_due", "chargebacks"];
    for (const name of Object.keys(reportFields)) {
      if (!elsewhere.includes(name)) expect(names, name).toContain(name);
    }
    for (const name of names) expect(Object.keys(EditReport.properties), name).toContain(name);
  });

  it.each([
    ["1,234.50", 1234.5],
    ["1234.5", 1234.5],
  ])("accepts a formatted amount: %s", (amount, sent) => {
    expect(edit({ amount })).toEqual({ amount: sent });
  });
});

const groupsOf = (type: ReportType) =>
  editGroups(type).map(({ title, fields }) => [title, fields.join(" ")]);

const PERSON =
  "first_name middle_initial last_name email phone street_address city state zip country ip_address";
const REPORTER =
  "reporter_first_name reporter_last_name reporter_email reporter_phone reporter_company_name public_username";

/** Expected fields are spelled out, so that the test fails if a change to the catalog moves one. */
describe("the console's edit form", () => {
  it("puts each field of a chargeback in its group", () => {
    expect(groupsOf("chargeback")).toEqual([
      ["Status", "status verified resolution_status chargeback_reason"],
      ["Reported person", PERSON],
      [
        "What happened",
        "title description item_purchased tracking_number shipping_status transaction_date chargeback_date notes",
      ],
      ["Amounts", "currency amount chargeback_fee other_fees"],
      ["Card", "first_6 last_4"],
      ["Reporter", REPORTER],
    ]);
  });

  it("puts each field of a bad check in its group", () => {
    expect(groupsOf("bad_check")).toEqual([
      ["Status", "status verified resolution_status check_reason"],
      ["Reported person", PERSON],
      [
        "What happened",
        "title description item_purchased tracking_number shipping_status transaction_date notes",
      ],
      ["Amounts", "currency check_amount other_fees"],
      ["Check", "check_number check_date bank_name bank_routing bank_account"],
      ["Reporter", REPORTER],
    ]);
  });
});
