import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openFixture } from "../../testing/projector.fixture.ts";

const fixture = forFile(openFixture);
beforeAll(() => fixture.start());

let clock = Date.UTC(2026, 10, 23, 15);

const sender = {
  name: "Canary-name",
  email: "canary@owner.example",
  answers: [{ field: "work", text: "Canary-work" }],
};
const REPORT = randomUUID();
const COPY = randomUUID();
const received = (kind: string): InquiryEvent => ({
  type: "NoticeReceived",
  data: { kind, sender },
});
const linked = (copy_id?: string): InquiryEvent => ({
  type: "NoticeLinked",
  data: { report_id: REPORT, ...(copy_id ? { copy_id } : {}) },
});
const granted = (outcome: string): InquiryEvent => ({
  type: "NoticeGranted",
  data: { outcome, decision: { reason: "Canary-why" } },
});

/** Appends events, one second apart. @returns the last position. */
async function write(id: string, ...events: InquiryEvent[]): Promise<string> {
  let position = "";
  for (const event of events) {
    clock += 1000;
    const options = { time: new Date(clock).toISOString() };
    position = (await fixture.writer.append(streams.notice(id), [event], options)).position;
  }
  return position;
}
const rows = () =>
  fixture.rows<Record<string, unknown>>("select * from inquiries.notice order by id");
const row = async (id: string) => (await rows()).find((each) => each.id === id);

const again = () => fixture.rebuild(["inquiries"]);

it("keeps an erased notice without its sender, as long as it hides material", async () => {
  const [held, countered, open] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [held, countered, open]) await write(id, received("takedown"), linked());
  for (const id of [held, countered]) await write(id, granted("taken_down"));
  const counter_notice_id = randomUUID();
  const last = await write(countered, { type: "NoticeCountered", data: { counter_notice_id } });
  // Otherwise the keys might be destroyed before the projector opens anything.
  await fixture.reached(last);
  expect(await row(held)).toMatchObject({ email: "c***@***", erased: false });
  const erase = async (id: string) => {
    const position = await write(id, { type: "NoticeErased", data: { by: "retention" } });
    await fixture.stores.keys.destroy([subjects.inquiry(id)], new Date(clock).toISOString());
    return position;
  };
  await erase(open);
  await erase(held);
  await fixture.reached(await erase(countered));
  const kept = await rows();
  expect(kept).toHaveLength(2);
  const targets = [{ report_id: REPORT }];
  expect(await row(held)).toMatchObject({ status: "taken_down", email: "", erased: true, targets });
  expect(await row(countered)).toMatchObject({ status: "countered", email: "", erased: true });
  expect(JSON.stringify(kept)).not.toMatch(/o\*\*\*\.example|c\*\*\*@/);
  await again();
  expect(await rows()).toEqual(kept);
  for (const [id, left] of [
    [held, [countered]],
    [countered, []],
  ] as const) {
    await fixture.reached(await write(id, { type: "NoticeLifted", data: { by: "withdrawn" } }));
    expect((await rows()).map((each) => each.id)).toEqual(left);
  }
  await again();
  expect(await rows()).toEqual([]);
});

it("shows the status and deadlines of notices, none of their text, and the same after a rebuild", async () => {
  const [id, counter, gone] = [randomUUID(), randomUUID(), randomUUID()];
  const note: InquiryEvent = {
    type: "NoticeNoteAdded",
    data: { note_id: randomUUID(), note: { text: "Canary-note" } },
  };
  await fixture.reached(await write(id, received("takedown"), linked(), linked(COPY), note));
  const at = clock - 3000;
  expect(await row(id)).toMatchObject({
    kind: "takedown",
    status: "in_work",
    revision: 2,
    notes: 1,
    received_at: new Date(at),
    due_at: new Date(at + 48 * 3_600_000),
    not_before: null,
    decided_at: null,
    targets: [{ report_id: REPORT }, { report_id: REPORT, copy_id: COPY }],
  });
  await write(id, granted("taken_down"));
  const decided = new Date(clock);
  await write(counter, received("counter_notice"));
  await write(id, { type: "NoticeCountered", data: { counter_notice_id: counter } });
  const passedOn = { type: "CounterNoticeLinked", data: { notice_id: id } } as const;
  await fixture.reached(await write(counter, passedOn));
  expect(await row(id)).toMatchObject({
    status: "countered",
    decided_at: decided,
    related_id: counter,
  });
  expect(await row(counter)).toMatchObject({
    status: "passed_on",
    not_before: new Date("2026-12-08T05:00:00.000Z"),
    due_at: new Date("2026-12-15T05:00:00.000Z"),
    decided_at: null,
    related_id: id,
  });
  await write(counter, granted("restored"));
  await write(gone, received("takedown"));
  await write(gone, { type: "NoticeErased", data: { by: "retention" } });
  await fixture.stores.keys.destroy([subjects.inquiry(gone)], new Date(clock).toISOString());
  const by = "counter_notice";
  const lifted: InquiryEvent = { type: "NoticeLifted", data: { by, counter_notice_id: counter } };
  await fixture.reached(await write(id, lifted));
  const before = await rows();
  expect(before.map(({ status }) => status).sort()).toEqual(["lifted", "restored"]);
  expect(JSON.stringify(before)).not.toMatch(/canary/i);
  await again();
  expect(await rows()).toEqual(before);
});
