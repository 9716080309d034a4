import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openFixture } from "../../testing/projector.fixture.ts";

const fixture = forFile(openFixture);
beforeAll(() => fixture.start());

let clock = Date.UTC(2026, 10, 24);

const sender = {
  name: "Canary-name",
  email: "canary@acme.example",
  answers: [{ field: "useCase", text: "Canary-use" }],
};
const received: InquiryEvent = {
  type: "InquiryReceived",
  data: { kind: "enterprise", sender },
};
const status = (from: string, to: string): InquiryEvent => ({
  type: "InquiryStatusChanged",
  data: { from, to },
});
const note = (): InquiryEvent => ({
  type: "InquiryNoteAdded",
  data: { note_id: randomUUID(), note: { text: "Canary-note" } },
});

/** Appends events, one second apart. @returns the last position. */
async function write(id: string, ...events: InquiryEvent[]): Promise<string> {
  let position = "";
  for (const event of events) {
    clock += 1000;
    const options = { time: new Date(clock).toISOString() };
    position = (await fixture.writer.append(streams.inquiry(id), [event], options)).position;
  }
  return position;
}
const rows = () =>
  fixture.rows<Record<string, unknown>>("select * from inquiries.inquiry order by id");
const row = async (id: string) => (await rows()).find((each) => each.id === id);

it("shows an inquiry's status, and none of its text", async () => {
  const id = randomUUID();
  await fixture.reached(await write(id, received, note(), status("new", "in_work"), note()));
  expect(await row(id)).toMatchObject({
    kind: "enterprise",
    status: "in_work",
    status_revision: 1,
    notes: 2,
    has_document: false,
    answered_at: null,
  });
  expect(JSON.stringify(await rows())).not.toMatch(/canary/i);
  await fixture.reached(await write(id, status("in_work", "answered")));
  const first = (await row(id))?.answered_at;
  expect(first).toEqual(new Date(clock));
  await fixture.reached(await write(id, status("answered", "closed")));
  expect((await row(id))?.answered_at).toEqual(first);
  await fixture.reached(await write(id, status("closed", "in_work")));
  expect((await row(id))?.answered_at).toBeNull();
});

it("counts what was written, and has the sender wait again after a reply", async () => {
  const id = randomUUID();
  await write(id, received);
  const first = new Date(clock);
  const link = { link_id: randomUUID(), expires_at: "2026-12-24T00:00:00.000Z" };
  const answered: InquiryEvent = {
    type: "InquiryAnswered",
    data: { link, note: { text: "Canary-answer" } },
  };
  const replied: InquiryEvent = {
    type: "InquiryReplied",
    data: { answer_id: link.link_id, sender: { text: "Canary-reply" } },
  };
  await fixture.reached(await write(id, answered));
  const answeredAt = new Date(clock);
  expect(await row(id)).toMatchObject({
    status: "answered",
    status_revision: 1,
    message_chars: "Canary-use".length,
    waiting_since: first,
    answered_at: answeredAt,
  });
  await fixture.reached(await write(id, replied));
  const waits = {
    status: "in_work",
    status_revision: 2,
    received_at: first,
    waiting_since: new Date(clock),
    answered_at: null,
  };
  expect(await row(id)).toMatchObject(waits);
  // Of two replies to two answers, the first one waits.
  await fixture.reached(await write(id, replied));
  expect(await row(id)).toMatchObject({ ...waits, status_revision: 3 });
  expect(JSON.stringify(await rows())).not.toMatch(/canary/i);
});

it("keeps no row of an erased inquiry, and a rebuild finds the same", async () => {
  const [gone, kept] = [randomUUID(), randomUUID()];
  await write(gone, received, note());
  await write(gone, { type: "InquiryErased", data: { by: "retention" } });
  await fixture.stores.keys.destroy([subjects.inquiry(gone)], new Date(clock).toISOString());
  await fixture.reached(await write(kept, received, note(), status("new", "closed")));
  expect(await row(gone)).toBeUndefined();
  const before = await rows();
  await fixture.rebuild(["inquiries"]);
  expect(await rows()).toEqual(before);
});
