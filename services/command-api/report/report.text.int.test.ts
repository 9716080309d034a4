import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { systemCaller } from "../log/log.service.ts";
import {
  badCheck,
  chargeback,
  type Fixture,
  startCommandApi,
} from "../testing/command-api.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

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

describe("line breaks and control characters in a one-line field", () => {
  const body = Object.fromEntries(Object.entries(BROKEN).map(([field, [value]]) => [field, value]));
  const fields = Object.fromEntries(
    Object.entries(BROKEN).map(([field, [, label]]) => [
      field,
      `${label} must be one line, without control characters`,
    ]),
  );

  it("are refused on submission, by each field's name, and nothing is stored", async () => {
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

  it("are refused in an edit alike, and in the old form of one", async () => {
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

  it("are taken off the ends, and stay in texts of several lines", async () => {
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

  it("of a report that was stored before the rule are shown, and mended by an edit", async () => {
    const stored = { ...chargeback, title: "Paid\ntwice", middle_initial: "\t" } as SubmitReport;
    const command = { name: "SubmitReport", id: randomBytes(32).toString("hex"), body: {} };
    const { id } = await fixture.api.reports.submit(
      stored,
      command,
      systemCaller(new Date().toISOString()),
    );
    const reveal = () => fixture.call("POST", admin(id, "/reveal"), { body: {}, as: "admin" });
    expect((await reveal()).json().data).toMatchObject({ title: stored.title });
    const edit = { title: "Paid twice" };
    expect((await fixture.call("PUT", admin(id), { body: edit, as: "admin" })).statusCode).toBe(
      200,
    );
    expect((await reveal()).json().data).toMatchObject(edit);
  });
});
