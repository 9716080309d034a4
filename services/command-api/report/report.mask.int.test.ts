import { expect, it } from "vitest";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const send = (method: "POST" | "PUT", url: string, body: object) =>
  fixture.call(method, url, { body, as: "admin" });

it("destroys the keys of every event with the text, and keeps the report and its other versions", async () => {
  const id = await submit(fixture, {
    ...chargeback,
    title: "Order of Zqcanary",
    public_username: "Zqcanary Ltd",
    notes: "zqcanary, again",
  });
  await send("PUT", admin(id), { description: "Written to zq-canary since" });
  await send("PUT", admin(id), { description: "Nothing private" });
  const place = { field: "title", start: 9, end: 17 };
  const mask = () => send("POST", admin(id, "/mask"), { revision: 0, places: [place] });
  const answer = await mask();
  expect(answer.statusCode, answer.body).toBe(200);

  const state = await fixture.api.reports.load(id);
  expect(state && toWire(state)).toMatchObject({
    title: "Order of ****",
    description: "Nothing private",
    notes: "****, again",
    public_username: "**** Ltd",
    first_name: "Quinn",
  });
  const stored: StoredEvent[] = [];
  for await (const event of fixture.api.store.readStream(streams.report(id))) stored.push(event);
  expect(stored.at(-1)?.data).toMatchObject({
    keys: [subjects.text(id, 0), subjects.text(id, 1)],
  });
  const keys = await fixture.api.keys.get(registryCodec.subjectsOf(stored));
  const states = [0, 1, 2, 3].map((n) => keys.get(subjects.text(id, n))?.state);
  expect(states).toEqual(["destroyed", "destroyed", "present", "present"]);
  const opened = stored.map((event) => registryCodec.openEvent(event, keys) as ReportEvent);
  expect(JSON.stringify(opened)).not.toMatch(/zq-?canary/i);

  expect((await mask()).statusCode).toBe(409);
  expect((await send("POST", admin(id, "/restore"), { revision: 0 })).statusCode).toBe(409);
  expect((await send("PUT", admin(id), { city: "Boulder" })).statusCode).toBe(200);
});

it("can restore a version in which [masked] was typed, but not a masked one", async () => {
  const title = "About [masked]";
  const id = await submit(fixture, { ...chargeback, title, description: "[masked]" });
  await send("PUT", admin(id), { title: "Zqcanary", description: "Nothing private" });
  await send("PUT", admin(id), { title: "Other", description: "Something else" });
  const restore = (revision: number) => send("POST", admin(id, "/restore"), { revision });
  const place = { field: "title", start: 0, end: 8 };
  await send("POST", admin(id, "/mask"), { revision: 1, places: [place] });
  const refused = await restore(1);
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    409,
    "Texts of this version have been masked. It can't be restored.",
  ]);
  expect((await restore(0)).statusCode).toBe(200);
  expect((await fixture.api.reports.load(id))?.personal).toMatchObject({
    title,
    description: "[masked]",
  });
  // It is ordinary text, so it can be masked too.
  const typed = { field: "description", start: 0, end: 8 };
  expect(
    (await send("POST", admin(id, "/mask"), { revision: 0, places: [typed] })).statusCode,
  ).toBe(200);
  expect((await restore(0)).statusCode).toBe(409);
});

it("masks what looks private in earlier versions and around the report, but no order numbers", async () => {
  const order = "303 555 0143";
  const id = await submit(fixture, {
    ...chargeback,
    description: "Write to quinn@mail.example",
    tracking_number: order,
  });
  await send("PUT", admin(id), { description: "Nothing private" });
  await send("POST", admin(id, "/note"), { note: "Call 303 555 0142" });
  expect((await send("POST", admin(id, "/mask"), { revision: 2 })).statusCode).toBe(200);
  const state = await fixture.api.reports.load(id);
  expect(state?.moderator_notes).toEqual([{ note: "Call (***) ***-****" }]);
  expect(state?.personal?.tracking_number).toBe(order);
  const events = [];
  for await (const event of fixture.api.store.readStream(streams.report(id))) events.push(event);
  expect(events.at(-1)?.data.keys).toEqual([subjects.text(id, 0), subjects.text(id, 2)]);
  const seen = { field: "reason", start: 0, end: 9 };
  const nowhere = await send("POST", admin(id, "/mask"), { revision: 2, places: [seen] });
  expect(nowhere.statusCode).toBe(400);
});

it("masks a reason that is only in the history", async () => {
  const id = await submit(fixture);
  const reason = "Zqcanary sent it";
  await send("POST", admin(id, "/reject"), { reason_code: "other", reason });
  await send("POST", admin(id, "/approve"), {});
  const places = [{ field: "reason", start: 0, end: 8 }];
  const masked = await send("POST", admin(id, "/mask"), { revision: 1, places });
  expect(masked.statusCode, masked.body).toBe(200);
  const keys = await fixture.api.keys.get([subjects.text(id, 1)]);
  expect(keys.get(subjects.text(id, 1))?.state).toBe("destroyed");
});
