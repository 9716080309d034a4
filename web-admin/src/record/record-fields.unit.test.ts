import { describe, expect, it } from "vitest";
import type { ConsoleGroup, ReportField } from "#contracts/report/catalogue.ts";
import { reportFields } from "#contracts/report/fields.ts";
import { fieldLabel } from "../shared/labels.ts";
import { markedPlaces } from "../shared/marked-places.ts";
import {
  amountsOf,
  CHARGEBACK_ORDER,
  chargebackAmounts,
  GROUP_TITLES,
  groupFields,
  recordFields,
  type ShownReport,
} from "./record-fields.ts";

const chargeback: ShownReport = {
  report_type: "chargeback",
  first_name: "Quinn",
  last_name: "Ames",
  title: "Disputed a delivery",
  description: "Signed for it",
  email: "q***@***",
  city: "Denver",
  state: "CO",
  country: "US",
  first_6: "411111",
  last_4: "1234",
  chargeback_reason: "product_not_received",
  transaction_date: "2026-05-02",
  resolution_status: "unresolved",
  reporter_email: "r***@***",
};

const fieldsOf = (report: ShownReport, opened: boolean) => {
  const { texts, facts } = recordFields(report, opened);
  return [...texts, ...facts];
};

function shown(report: ShownReport, opened = false): Map<string, unknown> {
  return new Map(fieldsOf(report, opened).map(({ label, value }) => [label, value]));
}

describe("the fields of a record", () => {
  it("are shown in words instead of codes", () => {
    const fields = shown(chargeback);
    expect(fields.get("Name")).toBe("Quinn Ames");
    expect(fields.get("Place")).toBe("Denver, CO, US");
    expect(fields.get("Chargeback reason")).toBe("Product not received");
    expect(fields.get("Transaction date")).toBe("May 2, 2026");
    expect(fields.get("Card number")).toBe("411111******1234");
    expect(fields.get("Report type")).toBe("Chargeback");
  });

  it("show a missing value only where that is informative", () => {
    const fields = shown(chargeback);
    expect(fields.get("Phone")).toBe("Not given");
    expect(fields.has("Street address")).toBe(false);
    expect(fields.has("Chargeback date")).toBe(false);
  });

  it("are flagged as hidden or masked once revealed", () => {
    const fields = fieldsOf({ ...chargeback, zip: "80202" }, true);
    const kept = fields.filter((field) => field.kept).map(({ label }) => label);
    expect(kept).toContain("ZIP");
    expect(kept).toContain("Email");
    expect(kept).not.toContain("Place");
    expect(fields.find(({ label }) => label === "Street address")?.value).toBe("Not given");
  });

  it("show everything of a revealed report that the amounts and the joined cells don't", () => {
    const elsewhere = new Set<string>([
      "currency",
      "amount",
      "check_amount",
      "chargeback_fee",
      "other_fees",
      "total_due",
      "chargebacks",
      "first_6",
      "last_4",
      "first_name",
      "middle_initial",
      "last_name",
      "city",
      "state",
      "country",
    ] satisfies ReportField[]);
    const full = Object.fromEntries(Object.keys(reportFields).map((name) => [name, "x"]));
    const labels = new Set([
      ...shown({ ...full, report_type: "chargeback" }, true).keys(),
      ...shown({ ...full, report_type: "bad_check" }, true).keys(),
    ]);
    for (const name of Object.keys(reportFields)) {
      if (!elsewhere.has(name)) expect(labels, name).toContain(fieldLabel(name));
    }
  });

  it("are split into texts and facts, in order", () => {
    const full = Object.fromEntries(Object.keys(reportFields).map((name) => [name, "x"]));
    const { texts, facts } = recordFields({ ...full, report_type: "bad_check" }, true);
    expect(texts.map(({ label }) => label)).toEqual(["Title", "Description", "Notes"]);
    const labels = facts.map(({ label }) => label);
    expect(labels.slice(0, 2)).toEqual(["Name", "Email"]);
    expect(labels.indexOf("Place")).toBeLessThan(labels.indexOf("Check number"));
    expect(labels.at(-1)).toBe("Public company name");
  });

  it("do not call erased data 'not given'", () => {
    expect([...shown({ report_type: "chargeback", resolution_status: "resolved" }).keys()]).toEqual(
      ["Report type", "Resolution status"],
    );
  });
});

describe("the amounts of a record", () => {
  it("are the main amount and the nonzero fees", () => {
    const check = { amount: 90, check_amount: 90, chargeback_fee: 0, other_fees: 12.5 };
    expect(amountsOf({ report_type: "bad_check", ...check })).toEqual([
      { label: "Check amount", amount: 90 },
      { label: "Other fees", amount: 12.5 },
    ]);
    expect(chargebackAmounts({ amount: 2, chargeback_fee: 25, other_fees: 0 })).toEqual([
      { label: "Amount", amount: 2 },
      { label: "Chargeback fee", amount: 25 },
    ]);
  });
});

describe("private text in a record", () => {
  const placesIn = (report: ShownReport, opened = false) =>
    fieldsOf({ ...chargeback, ...report }, opened).flatMap(({ label, value, own }) =>
      (own ? markedPlaces(String(value), own) : []).map((place) => [
        label,
        place.label,
        String(value).slice(place.start, place.end),
      ]),
    );

  it("is marked in texts that everyone reads, and in revealed notes", () => {
    const description = "Write to jo@example.com. Card 4111 1111 1111 1111.";
    const notes = "Call (212) 555-0142";
    const marked = [
      ["Description", "email address", "jo@example.com"],
      ["Description", "card number", "4111 1111 1111 1111"],
    ];
    expect(placesIn({ description })).toEqual(marked);
    expect(placesIn({ description, notes }, true)).toEqual([
      ...marked,
      ["Notes", "phone number", "(212) 555-0142"],
    ]);
  });

  it("excludes the report's own order number and an address in its own field", () => {
    const own = { description: "Order 4111 1111 1111 1111", tracking_number: "4111111111111111" };
    expect(placesIn({ ...own, street_address: "12 Main Street" }, true)).toEqual([]);
  });
});

const all = () => true;
const inGroup = (group: ConsoleGroup) => groupFields(group, all).join(" ");

/** Expected fields are spelled out, so that the test fails if a change to the catalog moves one. */
describe("the console's groups", () => {
  it("have each field in its place", () => {
    const groups = Object.keys(GROUP_TITLES) as ConsoleGroup[];
    expect(Object.fromEntries(groups.map((group) => [group, inGroup(group)]))).toEqual({
      person:
        "first_name middle_initial last_name email phone street_address city state zip country ip_address",
      matter:
        "report_type title description item_purchased tracking_number shipping_status " +
        "transaction_date chargeback_date chargeback_reason resolution_status notes",
      amounts: "currency amount check_amount chargeback_fee other_fees total_due chargebacks",
      card: "first_6 last_4",
      check: "check_number check_date check_reason bank_name bank_routing bank_account",
      reporter:
        "reporter_first_name reporter_last_name reporter_email reporter_phone reporter_company_name public_username",
    });
  });

  it("have the fields of an additional chargeback in order", () => {
    expect(CHARGEBACK_ORDER.join(" ")).toBe(
      "amount date reason chargeback_fee other_fees resolution_status order_id first_6 last_4 total_due notes",
    );
  });
});
