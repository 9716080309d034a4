import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { badCheck, chargeback, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

const SUBMIT = "/prod/api/reports/submit";
const admin = (id: string, command = "") => `/prod/api/admin/reports/${id}${command}`;
const events = async () =>
  (await fixture.db.query("select count(*)::int as n from event_log.event")).rows[0].n;

const BROKEN = {
  title: ["Paid\ntwice", "Title"],
  first_name: ["Quinn\r\nBcc: x", "First name"],
  last_name: ["Ames\u202emoc", "Last name"],
  city: ["Den\u2066ver", "City"],
  street_address: ["12 Elm\u2028Street", "Street address"],
  item_purchased: ["Watch\u0007", "Item purchased"],
  tracking_number: ["1Z\t9", "Tracking number"],
  public_username: ["Alpine\nWatches", "Public username"],
} as const;

describe("null in an edit", () => {
  const sentence = (label: string) =>
    `${label} can't be cleared. Send a new value, or omit the field to keep the current one`;

  it("clears an optional field, and is refused for a required one, by name", async () => {
    const sent = { ...chargeback, item_purchased: "Watch" };
    const { id } = (await fixture.call("POST", SUBMIT, { body: sent })).json().data;
    const body = { title: null, status: null, currency: null, city: 5, item_purchased: null };
    const before = await events();
    const refused = await fixture.call("PUT", admin(id), { body, as: "admin" });
    expect(refused.statusCode).toBe(400);
    const fields = {
      title: sentence("Title"),
      status: sentence("Status"),
      currency: sentence("Currency"),
      city: "City must be text",
    };
    expect(refused.json().error).toMatchObject({ code: "invalid_request", fields });
    expect(Object.keys(refused.json().error.fields).sort()).toEqual(Object.keys(fields).sort());
    const data = encodeURIComponent(Buffer.from(JSON.stringify(body)).toString("base64"));
    const url = `/prod/api/reports/all?emergency_edit=true&report_id=${id}&edit_data=${data}`;
    expect((await fixture.call("GET", url, { as: "admin" })).json()).toEqual(refused.json());
    const ofType = { last_4: null, transaction_date: null };
    const other = await fixture.call("PUT", admin(id), { body: ofType, as: "admin" });
    expect(other.json().error.fields).toEqual({
      last_4: sentence("Card, last 4 digits"),
      transaction_date: sentence("Transaction date"),
    });
    expect(await events()).toBe(before);
    const cleared = { item_purchased: null };
    expect((await fixture.call("PUT", admin(id), { body: cleared, as: "admin" })).statusCode).toBe(
      200,
    );
    const reveal = await fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    expect(reveal.json().data).not.toHaveProperty("item_purchased");
  });
});

describe("line breaks and control characters in a one-line field", () => {
  const body = Object.fromEntries(Object.entries(BROKEN).map(([field, [value]]) => [field, value]));
  const fields = Object.fromEntries(
    Object.entries(BROKEN).map(([field, [, label]]) => [
      field,
      `${label} must be one line, without control characters`,
    ]),
  );

  it("are refused on submission, by field name, and nothing is stored", async () => {
    const before = await events();
    const answer = await fixture.call("POST", SUBMIT, { body: { ...chargeback, ...body } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({ code: "invalid_request", fields });
    const bank = { ...badCheck, bank_name: "First\nBank" };
    const refused = await fixture.call("POST", SUBMIT, { body: bank });
    expect(refused.json().error.fields).toEqual({
      bank_name: "Bank name must be one line, without control characters",
    });
    expect(await events()).toBe(before);
  });

  it("are also refused in an edit, including the emergency route", async () => {
    const id = (await fixture.call("POST", SUBMIT, { body: chargeback })).json().data.id;
    const before = await events();
    const edit = await fixture.call("PUT", admin(id), { body, as: "admin" });
    expect(edit.statusCode).toBe(400);
    expect(edit.json().error).toMatchObject({ code: "invalid_request", fields });
    const data = encodeURIComponent(Buffer.from(JSON.stringify(body)).toString("base64"));
    const url = `/prod/api/reports/all?emergency_edit=true&report_id=${id}&edit_data=${data}`;
    const emergency = await fixture.call("GET", url, { as: "admin" });
    expect(emergency.json().error).toMatchObject({ code: "invalid_request", fields });
    expect(await events()).toBe(before);
  });

  it("are trimmed at both ends, and kept in multi-line texts", async () => {
    const text = "Signed for it.\r\n\tThen disputed it.";
    const sent = { ...chargeback, title: " Paid twice\n", description: text, notes: text };
    const answer = await fixture.call("POST", SUBMIT, { body: sent });
    expect(answer.statusCode, answer.body).toBe(200);
    const { id } = answer.json().data;
    const revealed = await fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    expect(revealed.json().data).toMatchObject({
      title: "Paid twice",
      description: text,
      notes: text,
    });
  });
});
