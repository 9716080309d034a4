import { Errors } from "typebox/value";
import { describe, expect, it } from "vitest";
import { SubmitReport } from "#contracts/http/reports.ts";
import { cutAt } from "#contracts/report/derive/amounts.ts";
import { isRequired, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { reportFields } from "#contracts/report/fields.ts";
import { missingFields, ruleProblems } from "#contracts/report/submission-rules.ts";
import { TERMS_OUTDATED, TERMS_VERSION } from "#contracts/report/words.ts";
import {
  FIELD_ORDER,
  FORM_FIELDS,
  type FormField,
  PUBLICATION,
  sectionFields,
} from "./form-fields.ts";
import { type FormState, formReducer, INITIAL_FORM, isDirty, openForm } from "./form-state.ts";
import { previewOf } from "./Preview.tsx";
import { itemTotal, reportTotal, toPayload } from "./payload.ts";
import { inOrder, problemsOf } from "./problems.ts";

const LATEST = "2026-11-21";

function fill(values: Partial<Record<FormField, string>>, from: FormState = INITIAL_FORM) {
  return { ...from, fields: { ...from.fields, ...values } };
}

const person = {
  title: "Disputed a delivered order",
  description: "Signed for the parcel and disputed the payment.",
  first_name: "Quinn",
  last_name: "Harper",
  city: "Denver",
  state: "CO",
  zip: "80202",
  reporter_first_name: "Dana",
  reporter_last_name: "Ruiz",
  reporter_email: "dana@shop.example",
};
const chargeback: FormState = {
  ...fill({ ...person, last_4: "1234", amount: "412.50", transaction_date: "2026-03-02" }),
  termsAccepted: true,
};
const badCheck: FormState = {
  ...fill({
    ...person,
    report_type: "bad_check",
    check_number: "1042",
    bank_name: "First Prairie Bank",
    check_amount: "80",
    check_date: "2026-02-20",
  }),
  termsAccepted: true,
};

/** Returns the fields that the server would reject, by its own rules and schema. */
function serverProblems(payload: Record<string, unknown>): string[] {
  return [
    ...Object.keys(missingFields(payload)),
    ...Object.keys(ruleProblems(payload, LATEST)),
    ...Errors(SubmitReport, payload).map((error) => `${error.instancePath}: ${error.message}`),
  ];
}

describe("a new form", () => {
  it("asks for the country before the region, which depends on it", () => {
    expect(sectionFields("address", "chargeback")).toEqual([
      ...["country", "street_address", "city", "state", "zip"],
    ]);
  });

  it("has the defaults of the specification", () => {
    expect(INITIAL_FORM.fields).toMatchObject({
      report_type: "chargeback",
      country: "US",
      currency: "USD",
      shipping_status: "not_shipped",
      chargeback_reason: "services_received",
      check_reason: "nsf",
    });
    expect(INITIAL_FORM.termsAccepted).toBe(false);
    expect(isDirty(INITIAL_FORM)).toBe(false);
  });

  it("requires exactly the mandatory fields", () => {
    expect(Object.keys(problemsOf(INITIAL_FORM, LATEST)).sort()).toEqual(
      [
        ...["title", "description", "first_name", "last_name", "city", "state", "zip"],
        ...["reporter_first_name", "reporter_last_name", "reporter_email", "terms_accepted"],
        ...["last_4", "amount", "transaction_date"],
      ].sort(),
    );
  });

  it("requires the check fields for a bad check", () => {
    const problems = problemsOf(fill({ report_type: "bad_check" }), LATEST);
    expect(problems).toMatchObject({
      check_number: "Check number is required",
      bank_name: "Bank name is required",
      check_amount: "Check amount is required",
      check_date: "Check date is required",
    });
    expect(problems).not.toHaveProperty("last_4");
  });

  it("includes every field once in the summary's order", () => {
    expect([...FIELD_ORDER].sort()).toEqual(
      [...Object.keys(reportFields), "terms_accepted"].sort(),
    );
  });
});

describe("the form's payload", () => {
  it("names the terms shown, and asks again if they are outdated", () => {
    const opened = { ...chargeback, termsVersion: TERMS_VERSION };
    expect(toPayload(opened)).toMatchObject({ terms_version: TERMS_VERSION });
    const asked = formReducer(opened, { type: "terms-changed" });
    expect(toPayload(asked)).not.toHaveProperty("terms_version");
    expect(problemsOf(asked, LATEST)).toEqual({ terms_accepted: TERMS_OUTDATED });
    const again = formReducer(asked, { type: "accept-terms", accepted: true });
    expect(toPayload(again)).toMatchObject({ terms_accepted: true });
    expect(toPayload(again)).not.toHaveProperty("terms_version");
  });

  it("names the terms that its page showed, even after a draft was restored or discarded", () => {
    const opened = openForm("?type=bad_check", TERMS_VERSION);
    expect(opened).toMatchObject({
      termsVersion: TERMS_VERSION,
      fields: { report_type: "bad_check" },
    });
    const { fields, items } = chargeback;
    const restored = formReducer(opened, { type: "restore", form: { fields, items } });
    expect(restored.termsVersion).toBe(TERMS_VERSION);
    expect(formReducer(restored, { type: "reset" }).termsVersion).toBe(TERMS_VERSION);
  });

  it("names, when asked again, the terms in force if the page knows newer ones than it showed", () => {
    const sent = { ...chargeback, termsVersion: "2026-01-01" };
    expect(openForm("", TERMS_VERSION, sent)).toBe(sent);
    const asked = { ...sent, termsChanged: true };
    expect(openForm("", TERMS_VERSION, asked).termsVersion).toBe(TERMS_VERSION);
    expect(openForm("", "2026-01-01", asked).termsVersion).toBe("");
  });

  it.each([
    ["a chargeback", chargeback],
    ["a bad check", badCheck],
    [
      "a chargeback with all that is optional",
      fill(
        {
          middle_initial: "J",
          email: "quinn@example.net",
          phone: "+1 303 555 0142",
          item_purchased: "Watch",
          tracking_number: "1Z999",
          ip_address: "192.168.1.1, 10.0.0.1",
          street_address: "12 Elm Street",
          chargeback_date: "2026-04-01",
          chargeback_fee: "25",
          other_fees: "1,000.10",
          notes: "Called twice.",
          first_6: "411111",
          reporter_phone: "+1 303 555 0100",
          reporter_company_name: "Alpine Watches LLC",
          public_username: "Alpine Watches",
        },
        chargeback,
      ),
    ],
  ])("passes the server's own schema and rules: %s", (_what, state) => {
    const payload = toPayload(state);
    expect(serverProblems(payload)).toEqual([]);
    expect(problemsOf(state, LATEST)).toEqual({});
  });

  it("contains the code for a region typed by name, and any county of the United Kingdom", () => {
    expect(toPayload(fill({ state: "colorado" }, chargeback))).toMatchObject({ state: "CO" });
    const typed = (values: Partial<Record<FormField, string>>) => fill(values, badCheck);
    const ontario = typed({ country: "CA", state: "on", bank_routing: "00011002" });
    const kent = typed({ country: "UK", state: "Kent", bank_routing: "200000" });
    for (const state of [ontario, kent]) {
      expect(serverProblems(toPayload(state))).toEqual([]);
      expect(problemsOf(state, LATEST)).toEqual({});
    }
    expect(problemsOf(typed({ state: "Kent", bank_routing: "200000" }), LATEST)).toEqual({
      state: "Enter the state as two capital letters",
      bank_routing: "Enter the 9 digits of the routing number",
    });
    expect(problemsOf(typed({ country: "UK", bank_routing: "20-00-00" }), LATEST)).toEqual({
      bank_routing: "Enter the routing number as digits only, at most 9",
    });
  });

  it("rejects a card number in a text, unless it is the order's own", () => {
    const card = "4111 1111 1111 1111";
    const described = { description: `Paid with ${card}` };
    expect(problemsOf(fill(described, chargeback), LATEST)).toEqual({
      description: 'Description contains what looks like a card number: "4111 … 1111". Remove it.',
    });
    const ordered = fill({ ...described, tracking_number: card }, chargeback);
    expect(problemsOf(ordered, LATEST)).toEqual({});
    expect(serverProblems(toPayload(ordered))).toEqual([]);
  });

  it("keeps one-line fields on one line, and allows line breaks elsewhere", () => {
    const broken = { title: "Paid\ttwice", last_name: "Ames\u202e", bank_name: "First\u2028Bank" };
    expect(problemsOf(fill(broken, badCheck), LATEST)).toEqual({
      title: "Title must be one line, without control characters",
      last_name: "Last name must be one line, without control characters",
      bank_name: "Bank name must be one line, without control characters",
    });
    const good = { title: "שילם פעמיים", description: "Paid,\r\n\tthen disputed.", notes: "1\n2" };
    expect(problemsOf(fill(good, chargeback), LATEST)).toEqual({});
  });

  it("contains nothing empty, and nothing of the other report type", () => {
    const payload = toPayload(fill({ last_4: "1234", amount: "9" }, badCheck));
    expect(Object.values(payload)).not.toContain("");
    for (const field of ["last_4", "first_6", "amount", "transaction_date", "chargeback_reason"]) {
      expect(payload).not.toHaveProperty(field);
    }
  });

  it("contains the computed totals, exact to the cent", () => {
    const withFees = fill({ amount: "0.1", chargeback_fee: "0.2", other_fees: "0.07" }, chargeback);
    let state = formReducer(withFees, { type: "add-item" });
    state = formReducer(state, { type: "set-item", key: 1, field: "amount", value: "1,200.50" });
    state = formReducer(state, { type: "set-item", key: 1, field: "other_fees", value: "0.15" });
    const payload = toPayload(state);
    expect(payload.total_due).toBe(0.37);
    expect(payload.chargebacks).toMatchObject([{ amount: 1200.5, total_due: 1200.65 }]);
    expect(serverProblems(payload)).toEqual([]);
  });

  it("omits consent that wasn't given", () => {
    expect(toPayload({ ...chargeback, termsAccepted: false })).not.toHaveProperty("terms_accepted");
  });
});

describe("typed amounts", () => {
  it.each([
    ["1,234.50", 1234.5],
    ["1234.5", 1234.5],
  ])("are sent as numbers: %s", (amount, sent) => {
    expect(toPayload(fill({ amount }, chargeback))).toMatchObject({ amount: sent });
  });

  it("count as zero if empty", () => {
    expect(reportTotal(fill({ amount: "12", chargeback_fee: "x" }))).toBe(1200);
    expect(reportTotal(fill({ report_type: "bad_check", check_amount: "5", amount: "9" }))).toBe(
      500,
    );
    const [item] = formReducer(INITIAL_FORM, { type: "add-item" }).items;
    expect(item && itemTotal(item)).toBe(0);
  });
});

describe("form validation", () => {
  it.each<[Partial<Record<FormField, string>>, string, string]>([
    [{ last_4: "12" }, "last_4", "Enter the last 4 digits of the card"],
    [{ first_6: "4111" }, "first_6", "Enter the first 6 digits of the card"],
    [
      { amount: "12.345" },
      "amount",
      "Enter an amount of 0 or more with at most two decimal places",
    ],
    [{ amount: "12,50" }, "amount", "Write the cents after a period, for example 12.50"],
    [{ amount: "-5" }, "amount", "Enter an amount of 0 or more with at most two decimal places"],
    [{ email: "nobody" }, "email", "Please enter a valid email"],
    [{ state: "c" }, "state", "Enter the state as two capital letters"],
    [{ state: "NSW" }, "state", "Enter the state as two capital letters"],
    [{ transaction_date: "2026-02-30" }, "transaction_date", "Enter a valid date (YYYY-MM-DD)"],
    [
      { transaction_date: "2026-11-22" },
      "transaction_date",
      "Transaction date cannot be in the future",
    ],
    [{ title: "x".repeat(201) }, "title", "Title must have at most 200 characters"],
    [
      { ip_address: "300.1.1.1" },
      "ip_address",
      "Please enter valid IP addresses. Use format: 192.168.1.1, 10.0.0.1",
    ],
    [{ zip: "   " }, "zip", "ZIP is required"],
  ])("reports a problem as a sentence: %o", (values, field, sentence) => {
    expect(problemsOf(fill(values, chargeback), LATEST)).toEqual({ [field]: sentence });
  });

  it("accepts three letters for an Australian state", () => {
    expect(problemsOf(fill({ state: "NSW", country: "AU" }, chargeback), LATEST)).toEqual({});
  });

  it("names the additional chargeback without an amount", () => {
    let state = formReducer(chargeback, { type: "add-item" });
    state = formReducer(state, { type: "add-item" });
    state = formReducer(state, { type: "set-item", key: 1, field: "amount", value: "5" });
    state = formReducer(state, { type: "set-item", key: 2, field: "last_4", value: "1" });
    expect(problemsOf(state, LATEST)).toEqual({
      "chargebacks.1.amount": "Amount is required",
      "chargebacks.1.last_4": "Enter the last 4 digits of the card",
    });
  });

  it("lists problems in the form's order", () => {
    const problems = {
      zip: "z",
      "chargebacks.10.date": "b",
      "chargebacks.2.date": "a",
      title: "t",
    };
    expect(inOrder(problems, FIELD_ORDER).map(([path]) => path)).toEqual([
      "title",
      "zip",
      "chargebacks.2.date",
      "chargebacks.10.date",
    ]);
  });
});

describe("the list of additional chargebacks", () => {
  it("is limited to fifty", () => {
    let state = INITIAL_FORM;
    for (let i = 0; i < 60; i++) state = formReducer(state, { type: "add-item" });
    expect(state.items).toHaveLength(50);
    expect(new Set(state.items.map((item) => item.key)).size).toBe(50);
  });

  it("loses only the removed item", () => {
    let state = formReducer(formReducer(INITIAL_FORM, { type: "add-item" }), { type: "add-item" });
    state = formReducer(state, { type: "remove-item", key: 1 });
    state = formReducer(state, { type: "add-item" });
    expect(state.items.map((item) => item.key)).toEqual([2, 3]);
  });

  it("is cleared by a reset", () => {
    expect(formReducer(formReducer(chargeback, { type: "add-item" }), { type: "reset" })).toEqual(
      INITIAL_FORM,
    );
  });
});

describe("a field's description", () => {
  const publication = (field: FormField) => PUBLICATION[visibility[field].public];
  const maxLength = (field: FormField) => cutAt(REPORT_ROWS[field]);
  it("says whether it is published, masked or private", () => {
    expect(publication("title")).toBe("public");
    expect(publication("email")).toBe("masked");
    expect(publication("zip")).toBe("private");
    const reporter = FORM_FIELDS.filter((field) => field.startsWith("reporter_"));
    expect(new Set(reporter.map(publication))).toEqual(new Set(["private"]));
  });

  it("takes its maximum length from the schema", () => {
    expect(maxLength("middle_initial")).toBe(1);
    expect(maxLength("last_4")).toBe(4);
    expect(maxLength("bank_routing")).toBe(9);
    expect(maxLength("bank_account")).toBe(20);
    expect(maxLength("title")).toBeUndefined();
  });

  it("is required for one type and not for the other", () => {
    expect(isRequired("last_4", "chargeback")).toBe(true);
    expect(isRequired("check_number", "bad_check")).toBe(true);
    expect(isRequired("check_number", "chargeback")).toBe(false);
  });
});

describe("the preview", () => {
  const secrets = {
    email: "quinn@example.net",
    phone: "+1 303 555 0142",
    bank_account: "000123456789",
    zip: "80202-7788",
    street_address: "12 Hidden Street",
    notes: "Only for moderators",
    check_number: "CHECK-9917",
    bank_routing: "021000021",
    item_purchased: "A secret item",
    ip_address: "203.0.113.77",
    middle_initial: "Ж",
    reporter_first_name: "Reporterfirst",
    reporter_last_name: "Reporterlast",
    reporter_email: "me@shop.example",
    reporter_phone: "+1 720 555 0177",
    reporter_company_name: "Hidden Holdings",
  };

  it.each([
    ["a chargeback", chargeback],
    ["a bad check", badCheck],
  ])("of %s contains nothing unpublished, and masks what is masked", (_what, state) => {
    const text = JSON.stringify(previewOf(fill(secrets, state), "2026-11-21T00:00:00.000Z"));
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    expect(text).toContain("q***@***");
    expect(text).toContain("(***) ***-****");
  });

  it("shows the totals that are sent", () => {
    const state = fill({ chargeback_fee: "25" }, chargeback);
    const preview = previewOf(state, "2026-11-21T00:00:00.000Z");
    expect(preview.total_due).toBe(toPayload(state).total_due);
    expect(preview).toMatchObject({ amount: 412.5, chargeback_fee: 25, last_4: "1234" });
  });
});
