import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { ReportSubmitted } from "#contracts/events/report/stored-report.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { forFile } from "#test-kit/for-file.ts";
import { badCheck, chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import {
  admin,
  eventsOf,
  positionOf,
  SUBMIT,
  submit,
  verificationToken,
} from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

describe("a report with events from a newer version", () => {
  it("accepts no command until that version runs here, and asks to retry", async () => {
    const id = await submit(fixture);
    const storedAs = (version: number) =>
      fixture.db.query(
        `begin; alter table event_log.event disable trigger all;
         update event_log.event
         set metadata = jsonb_set(metadata::jsonb, '{schemaVersion}', '${version}')
         where stream = 'report-${id}'; commit`,
      );
    const approve = () => fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    await storedAs(ReportSubmitted.version + 1);
    const answer = await approve();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
    expect(await eventsOf(fixture, id)).toHaveLength(1);
    expect((await fixture.call("POST", SUBMIT, { body: chargeback })).statusCode).toBe(200);
    await storedAs(ReportSubmitted.version);
    expect((await approve()).statusCode).toBe(200);
  });
});

describe("submitting a report", () => {
  it("returns its ID, with the report pending", async () => {
    const answer = await fixture.call("POST", SUBMIT, { body: chargeback });
    expect(answer.json()).toMatchObject({ success: true, data: { status: "pending" } });
    expect(await positionOf(fixture, answer)).toMatch(/^\d{20}$/);
  });

  it("accepts a bad check, and a form that sends every field, even if empty", async () => {
    const id = await submit(fixture, {
      ...badCheck,
      total_due: 92.34,
      first_6: "",
      notes: "  ",
      email: "",
    });
    expect(await eventsOf(fixture, id)).toMatchObject([
      { type: "ReportSubmitted", data: { report: { check_amount_cents: 8000 } } },
    ]);
  });

  it.each([
    ["a missing title", { title: undefined }, "title"],
    ["a blank name", { first_name: "   " }, "first_name"],
    ["no agreement to the terms", { terms_accepted: false }, "terms_accepted"],
    ["an agreement to earlier terms", { terms_version: "2026-01-01" }, "terms_accepted"],
    ["an unknown field", { nickname: "Q" }, "nickname"],
    ["an uploaded image", { check_image_url: "https://example.net/a.png" }, "check_image_url"],
    ["a wrong total", { total_due: 400 }, "total_due"],
    ["a negative amount", { amount: -1 }, "amount"],
    ["three decimal places", { amount: 1.005 }, "amount"],
    ["an amount as text", { amount: "412.50" }, "amount"],
    ["a day that does not exist", { transaction_date: "2026-02-30" }, "transaction_date"],
    ["a day in the future", { transaction_date: "2999-01-01" }, "transaction_date"],
    ["three letters for a state", { state: "COL" }, "state"],
    ["a lower-case state", { state: "co" }, "state"],
    ["a state of another country", { state: "CO", country: "AU" }, "state"],
    ["five card digits", { last_4: "42421" }, "last_4"],
    ["an invalid IP address", { ip_address: "1.2.3.4, 300.1.1.1" }, "ip_address"],
    ["the other type's field", { bank_name: "First" }, "bank_name"],
    ["an invalid email address", { email: "quinn@localhost" }, "email"],
    ["a NUL byte", { title: "a\u0000b" }, "title"],
    ["51 additional chargebacks", { chargebacks: Array(51).fill({ amount: 1 }) }, "chargebacks"],
    [
      "a wrong additional total",
      { chargebacks: [{ amount: 1, total_due: 2 }] },
      "chargebacks.0.total_due",
    ],
  ])("refuses %s and names the field", async (_what, change, field) => {
    const answer = await fixture.call("POST", SUBMIT, { body: { ...chargeback, ...change } });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json()).toMatchObject({ success: false, error: { code: "invalid_request" } });
    expect(Object.keys(answer.json().error.fields)).toContain(field);
  });

  it("returns the first reply to a retry, even in another process, and stores the report once", async () => {
    const key = randomUUID();
    const id = await submit(fixture, chargeback, key);
    await fixture.call("POST", admin(id, "/approve"), { body: {}, as: "admin" });
    const other = await fixture.another();
    const retry = await other.app.inject({
      method: "POST",
      url: SUBMIT,
      headers: { "idempotency-key": key },
      payload: { ...chargeback, title: ` ${chargeback.title} ` },
    });
    expect(retry.json().data).toEqual({
      id,
      status: "pending",
      number: reportNumber(id),
      correction_token: expect.stringMatching(/^[\w-]{96}$/),
      repeated: true,
    });
    expect((await eventsOf(fixture, id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReportApproved",
    ]);
  });

  it("refuses a key that was used for another body, and a key that is too short", async () => {
    const key = randomUUID();
    await submit(fixture, chargeback, key);
    const other = { ...chargeback, title: "Another" };
    expect((await fixture.call("POST", SUBMIT, { body: other, key })).statusCode).toBe(422);
    expect((await fixture.call("POST", SUBMIT, { body: other, key: "short" })).statusCode).toBe(
      400,
    );
  });

  it("stores one report for many concurrent requests with the same key", async () => {
    const key = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => submit(fixture, chargeback, key)),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await eventsOf(fixture, ids[0] as string)).toHaveLength(1);
  });
});

describe("verifying the reporter's address", () => {
  it("accepts the link from the email once", async () => {
    const id = await submit(fixture);
    const url = `/prod/api/verify-email/${await verificationToken(fixture, id)}`;
    const first = await fixture.call("POST", url, { body: {} });
    expect(first.json()).toEqual({
      success: true,
      message: "Email verified successfully!",
      data: { kind: "report", next: "done" },
    });
    const again = await fixture.call("POST", url, { body: {} });
    expect(again.statusCode).toBe(409);
    expect(again.headers).not.toHaveProperty("x-position");
    expect((await eventsOf(fixture, id)).map(({ type }) => type)).toEqual([
      "ReportSubmitted",
      "ReportVerifiedByLink",
    ]);
  });

  it("refuses a forged and a malformed link the same way", async () => {
    const id = await submit(fixture);
    const token = await verificationToken(fixture, id);
    const forged = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`;
    for (const bad of [forged, "x", "%F0%9F%98%80"]) {
      const answer = await fixture.call("POST", `/prod/api/verify-email/${bad}`, { body: {} });
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json().error.code).toBe("link_invalid");
    }
  });

  it("accepts the earlier link after another was requested, and reveals no address", async () => {
    const id = await submit(fixture);
    const old = await verificationToken(fixture, id);
    const url = `/prod/api/reports/${id}/resend-verification`;
    // Random delays take almost their maximum.
    using _random = vi.spyOn(Math, "random").mockReturnValue(0.99);
    const right = await fixture.call("POST", url, { body: { email: "Rae@shop.example" } });
    const wrong = await fixture.call("POST", url, { body: { email: "else@shop.example" } });
    const missing = await fixture.call(
      "POST",
      `/prod/api/reports/${randomUUID()}/resend-verification`,
      {
        body: { email: "rae@shop.example" },
      },
    );
    // Nothing is decided yet when the replies are sent, and they have the same content and headers.
    expect(await eventsOf(fixture, id)).toHaveLength(1);
    const told = ({ statusCode, body, headers }: typeof right) => [
      statusCode,
      body,
      Object.keys(headers).toSorted(),
      String(headers["x-position"]).length,
    ];
    expect(told(wrong)).toEqual(told(right));
    expect(told(missing)).toEqual(told(right));
    await fixture.api.background.finish();
    expect(await eventsOf(fixture, id)).toHaveLength(2);
    const answer = await fixture.call("POST", `/prod/api/verify-email/${old}`, { body: {} });
    expect(answer.statusCode, answer.body).toBe(200);
  });
});

describe("requesting another email under one Idempotency-Key", () => {
  it.each([
    ["the reporter's", "rae@shop.example"],
    ["someone else's", "else@shop.example"],
  ])("does not reveal to another address that %s was sent first", async (_whose, email) => {
    const id = await submit(fixture);
    const key = randomUUID();
    const url = `/prod/api/reports/${id}/resend-verification`;
    const ask = (address: string) => fixture.call("POST", url, { body: { email: address }, key });
    const first = await ask(email);
    const second = await ask("probe@shop.example");
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    await fixture.api.background.finish();
    expect(await eventsOf(fixture, id)).toHaveLength(email === chargeback.reporter_email ? 2 : 1);
  });
});
