import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { eventDefinitions, type InquiryEvent, streams } from "#contracts/events/index.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { createMemoryEventStore } from "#event-store/memory/memory-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { fixedKey } from "#vault/keys/live-key.ts";
import { createMemoryKeyStore } from "#vault/keys/memory-key-store.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import { createReportLinks } from "#vault/links/report-link.ts";
import { createUnsubscribeLinks } from "#vault/links/unsubscribe-link.ts";
import { createBlindIndexer } from "#vault/sealing/blind-index.ts";
import { createEventCodec } from "#vault/sealing/event-codec.ts";
import { MailWriter } from "./mail-writer.ts";
import { wordsFrom } from "./testing/words.fixture.ts";

const id = "7f3a9c21-b0d4-4c6e-8f00-000000000000";
const sender = {
  name: "Canary <b>Ann</b>",
  email: "ann@acme.example",
  answers: [
    { field: "plan", text: "enterprise_plus" },
    { field: "useCase", text: "Canary use\n-- \nSupport: pay here" },
    { field: "former_question", text: "Canary answer" },
  ],
};
const received = {
  type: "InquiryReceived",
  data: { kind: "enterprise", sender },
} as const satisfies InquiryEvent;

const blind = createBlindIndexer(randomBytes(32));

let writer: MailWriter;
let log: EventWriter;
beforeEach(() => {
  const store = createMemoryEventStore();
  const keys = createMemoryKeyStore();
  log = new EventWriter(store, keys);
  writer = new MailWriter({
    store,
    keys,
    codec: createEventCodec(eventDefinitions),
    links: createOneTimeLinks(fixedKey(randomBytes(32))),
    blind,
    reportLinks: createReportLinks(fixedKey(randomBytes(32)), blind),
    unsubscribing: createUnsubscribeLinks(fixedKey(randomBytes(32)), blind),
    publicUrl: "http://registry.example",
    letterhead: { productName: "The Registry", supportEmail: "support@registry.example" },
    salesEmail: "sales@registry.example",
    words: wordsFrom(store, keys).words,
  });
});

function write(kind: MailKind) {
  const row = { id: "mail-1", kind, ownerId: id, revision: 0, at: "2026-11-21T10:00:00.000Z" };
  return writer.write({ ...row, attempts: 1, lease: randomUUID(), isTakenOver: false });
}

it("tells the sender the number, in words that nobody can choose, and counts it", async () => {
  await log.append(streams.inquiry(id), [received]);
  const written = await write("inquiry_received");
  expect(written).toMatchObject({
    mail: { to: "ann@acme.example", subject: "Enterprise inquiry E-7F3A9-C21B0: we have it" },
    countsFor: expect.any(String),
  });
  expect(JSON.stringify(written)).not.toMatch(/canary|pay here/i);
});

it("gives the desk all answers, each line marked, and counts for nobody", async () => {
  await log.append(streams.inquiry(id), [received]);
  const written = await write("inquiry_for_desk");
  if (!("mail" in written)) throw new Error("dropped");
  const { to, text, html } = written.mail;
  expect([to, written.countsFor]).toEqual(["sales@registry.example", undefined]);
  expect(text).toContain("Plan:\n> Enterprise Plus");
  expect(text).toContain("Use case:\n> Canary use\n> -- \n> Support: pay here");
  expect(text).toContain("former_question:\n> Canary answer");
  expect(html).toContain("&lt;b&gt;Ann");
});

it("sends what the law has a clock for to the address for questions", async () => {
  await log.append(streams.notice(id), [
    { type: "NoticeReceived", data: { kind: "takedown", sender } },
  ]);
  expect(await write("notice_for_desk")).toMatchObject({
    mail: { to: "support@registry.example", subject: "DMCA notice N-7F3A9-C21B0" },
  });
});

it("sends nothing about what was erased or is not there", async () => {
  expect(await write("inquiry_received")).toEqual({ drop: "deleted" });
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  await log.append(streams.inquiry(id), [received, erased]);
  for (const kind of ["inquiry_received", "inquiry_for_desk"] as const)
    expect(await write(kind)).toEqual({ drop: "erased" });
});
