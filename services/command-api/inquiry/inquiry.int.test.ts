import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

const contact = {
  company: "Canary-company",
  name: "Canary-name",
  email: "canary@acme.example",
  phone: "",
  plan: "enterprise",
  useCase: "Canary-use\nand more",
};
const CONTACT = "/prod/api/enterprise/contact";
const YEAR_MS = 365 * 24 * 3_600_000;

const send = (url: string, body: object, key: string = randomUUID()) =>
  fixture.call("POST", url, { body, key });

/** The events of the case with this number. */
async function eventsOf(number: string) {
  const digits = number.slice(2).replace("-", "").toLowerCase();
  const { rows } = await fixture.db.query<{ stream: string; type: string; data: unknown }>(
    `select stream, type, data from event_log.event
     where replace(regexp_replace(stream, '^(inquiry|notice)-', ''), '-', '') like $1
     order by revision`,
    [`${digits}%`],
  );
  return rows;
}
const keyOf = (stream: string) =>
  fixture.keyState(subjects.inquiry(stream.replace(/^[a-z]+-/, "")));

describe("a form sent to staff", () => {
  it("is stored encrypted under its own key, and answered with a number", async () => {
    const reply = await send(CONTACT, contact);
    expect(reply.statusCode).toBe(200);
    const { number, promise } = reply.json().data;
    expect([number, promise]).toEqual([
      expect.stringMatching(/^E-[0-9A-F]{5}-[0-9A-F]{5}$/),
      "We answer within 24 hours.",
    ]);
    const [event] = await eventsOf(number);
    expect(event).toMatchObject({ type: "InquiryReceived", data: { kind: "enterprise" } });
    expect(await keyOf(event?.stream ?? "")).toBe("present");
    const { rows } = await fixture.db.query<{ row: string }>(
      "select row_to_json(e)::text as row from event_log.event e union all select row_to_json(i)::text from command.inquiry i",
    );
    expect(rows.filter(({ row }) => /canary/i.test(row))).toEqual([]);
  });

  it("is one case however often it is sent under the same key", async () => {
    const key = randomUUID();
    const [one, other] = [await send(CONTACT, contact, key), await send(CONTACT, contact, key)];
    expect(other.json().data).toEqual(one.json().data);
    expect(await eventsOf(one.json().data.number)).toHaveLength(1);
    const changed = await send(CONTACT, { ...contact, company: "Other" }, key);
    expect(refusal(changed)).toEqual([422, "idempotency_key_reused"]);
  });

  it("is refused with the form's own messages, and then stores nothing", async () => {
    const count = async () => (await fixture.db.query("select from command.inquiry")).rowCount;
    const before = await count();
    const wrong = await send(CONTACT, { ...contact, email: "a@", useCase: "x".repeat(2001) });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json().error.fields).toEqual({
      email: "Please enter a valid email",
      useCase: "Use case must have at most 2000 characters",
    });
    const unknown = await send(CONTACT, { ...contact, admin: "yes" });
    const lines = await send(CONTACT, { ...contact, name: "Ann\nBcc: x@y.example" });
    const list = await send(CONTACT, { ...contact, useCase: ["a"] });
    for (const { statusCode } of [unknown, lines, list]) expect(statusCode).toBe(400);
    expect(await count()).toBe(before);
  });

  it("is refused, with a message, from a program that fills in the hidden field", async () => {
    const reply = await send(CONTACT, { ...contact, leave_empty: "555" });
    expect([reply.statusCode, reply.json().error.fields]).toEqual([
      400,
      { leave_empty: "Leave this field empty" },
    ]);
  });

  it("is shown to the operator by its number, after the access is logged", async () => {
    const { number } = (await send(CONTACT, contact)).json().data;
    const caller = systemCaller(new Date().toISOString());
    const [newest] = await fixture.api.inquiries.newest(1);
    expect(newest).toMatchObject({ number, title: "Enterprise inquiry" });
    const shown = await fixture.api.inquiries.show(number, caller);
    expect(shown).toContainEqual({ label: "Use case", text: "Canary-use\nand more" });
    expect(shown).toContainEqual({ label: "Plan", text: "Enterprise" });
    expect((await eventsOf(number)).map(({ type }) => type)).toEqual([
      "InquiryReceived",
      "InquiryViewed",
    ]);
    expect(await fixture.api.inquiries.show("E-00000-00000", caller)).toBeUndefined();
  });

  it("is found again after an older database was restored, unless it was erased", async () => {
    const kept = (await send(CONTACT, contact)).json().data.number;
    const gone = (await send(CONTACT, contact)).json().data.number;
    const caller = systemCaller(new Date().toISOString());
    await fixture.api.inquiries.eraseByNumber(gone, caller);
    await fixture.db.query("delete from command.inquiry");
    const another = await fixture.another();
    await another.start();
    await expect.poll(() => another.inquiries.show(kept, caller)).toBeDefined();
    expect(await another.inquiries.show(gone, caller)).toBeUndefined();
  });

  it("can be a notice with its statements, in a notice stream", async () => {
    const notice = {
      name: "Ann Lee",
      email: "ann@press.example",
      address: "1 Main St, Denver",
      work: "A photograph",
      material: "https://registry.example/report/bob-doe",
      good_faith: "yes",
      accuracy: "yes",
      signature: "Ann Lee",
    };
    const without = await send("/prod/api/dmca/notices", { ...notice, accuracy: "" });
    expect(without.json().error.fields).toEqual({ accuracy: "Please confirm this statement" });
    const reply = await send("/prod/api/dmca/notices", notice);
    const [event] = await eventsOf(reply.json().data.number);
    expect(event?.stream).toMatch(/^notice-/);
  });

  it("is erased after two years, or earlier at its sender's request", async () => {
    const old = (await send(CONTACT, contact)).json().data.number;
    const [{ stream = "" } = {}] = await eventsOf(old);
    await fixture.api.inquiries.eraseDue(Date.now() + YEAR_MS);
    expect(await keyOf(stream)).toBe("present");
    const caller = systemCaller(new Date().toISOString());
    expect(await fixture.api.inquiries.eraseByNumber(old, caller)).toBe(true);
    expect(await fixture.api.inquiries.eraseByNumber(old, caller)).toBe(false);
    expect(await keyOf(stream)).toBe("destroyed");
    const next = (await send(CONTACT, contact)).json().data.number;
    await fixture.api.inquiries.eraseDue(Date.now() + 2 * YEAR_MS + YEAR_MS);
    const events = await eventsOf(next);
    expect(events.map(({ type }) => type)).toEqual(["InquiryReceived", "InquiryErased"]);
    expect(await keyOf(events[0]?.stream ?? "")).toBe("destroyed");
    expect((await fixture.db.query("select from command.inquiry")).rowCount).toBe(0);
  });
});
