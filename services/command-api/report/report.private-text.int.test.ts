import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chargeback, type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";

const logged: string[] = [];
let fixture: Fixture;
beforeAll(async () => {
  const stream = new Writable({
    write(line, _, done) {
      logged.push(String(line));
      done();
    },
  });
  fixture = await startCommandApi({ log: pino({ level: "trace" }, stream) });
});
afterAll(() => fixture.close());

const CARD = "4111 1111 1111 1111";
const SUBMIT = "/prod/api/reports/submit";
const events = async () =>
  (await fixture.db.query("select count(*)::int as n from event_log.event")).rows[0].n;
const sentence = (label: string) =>
  `${label} contains what looks like a card number: "4111 … 1111". Remove it.`;

it("refuses a card number in any text, names the field, and never repeats the number in replies or logs", async () => {
  const { id } = (await fixture.call("POST", SUBMIT, { body: chargeback })).json().data;
  const before = await events();
  const text = `He paid with ${CARD}.`;
  const submitted = await fixture.call("POST", SUBMIT, {
    body: { ...chargeback, description: text, chargebacks: [{ amount: 1, notes: text }] },
  });
  const admin = `/prod/api/admin/reports/${id}`;
  const edited = await fixture.call("PUT", admin, { body: { title: text }, as: "admin" });
  const noted = await fixture.call("POST", `${admin}/note`, { body: { note: text }, as: "admin" });
  expect([submitted, edited, noted].map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
  expect([submitted, edited, noted].map((reply) => reply.json().error.fields)).toEqual([
    { description: sentence("Description"), "chargebacks.0.notes": sentence("Notes") },
    { title: sentence("Title") },
    { note: sentence("Note") },
  ]);
  expect(await events()).toBe(before);
  const answers = [submitted, edited, noted].map(({ body }) => body);
  expect(logged.length).toBeGreaterThan(0);
  for (const said of [...answers, ...logged])
    expect(said.replace(/\D/g, "")).not.toContain(CARD.replaceAll(" ", ""));
});
