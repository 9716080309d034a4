import { beforeEach, expect, it } from "vitest";
import { type InquiryEvent, streams } from "#contracts/events/index.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import type { MailWriter } from "#mail-templates/writing/mail-writer.ts";
import type { EventWriter } from "#test-kit/event-writer.ts";
import { newMailWriter, reportLinks } from "./testing/mail-writer.fixture.ts";

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

let writer: MailWriter;
let log: EventWriter;
beforeEach(() => {
  ({ log, writer } = newMailWriter());
});

function write(kind: MailKind, revision = 0) {
  return writer.write({
    id: "mail-1",
    kind,
    ownerId: id,
    revision,
    at: "2026-11-21T10:00:00.000Z",
  });
}

it("tells the sender the number in fixed words, and counts toward a cap", async () => {
  await log.append(streams.inquiry(id), [received]);
  const written = await write("inquiry_received");
  expect(written).toMatchObject({
    mail: {
      to: "ann@acme.example",
      subject: "We received your enterprise inquiry (E-7F3A9-C21B0)",
    },
    countsFor: expect.any(String),
  });
  expect(JSON.stringify(written)).not.toMatch(/canary|pay here/i);
});

it("gives the inbox every answer with each line marked, and counts toward no cap", async () => {
  await log.append(streams.inquiry(id), [received]);
  const written = await write("inquiry_for_inbox");
  if (!("mail" in written)) throw new Error("dropped");
  const { to, text, html } = written.mail;
  expect([to, written.countsFor]).toEqual(["sales@registry.example", undefined]);
  expect(text).toContain("Plan:\n> Enterprise Plus");
  expect(text).toContain("Use case:\n> Canary use\n> -- \n> Support: pay here");
  expect(text).toContain("former_question:\n> Canary answer");
  expect(html).toContain("&lt;b&gt;Ann");
});

it("sends notices that have a legal deadline to the support address", async () => {
  await log.append(streams.notice(id), [
    { type: "NoticeReceived", data: { kind: "takedown", sender } },
  ]);
  expect(await write("notice_for_inbox")).toMatchObject({
    mail: { to: "support@registry.example", subject: "DMCA notice N-7F3A9-C21B0" },
  });
});

const answered = {
  type: "InquiryAnswered",
  data: {
    link: {
      link_id: "66666666-6666-4666-8666-666666666666",
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    },
    note: { text: "Yes.\nSee https://help.example/start & write back" },
  },
} as const satisfies InquiryEvent;

it("sends an answer as written, with a reply link, and counts toward no cap", async () => {
  await log.append(streams.inquiry(id), [received, answered]);
  const written = await write("inquiry_answered", 1);
  if (!("mail" in written)) throw new Error("dropped");
  const { to, subject, text, html } = written.mail;
  expect([to, subject, written.countsFor]).toEqual([
    "ann@acme.example",
    "Our answer to your enterprise inquiry E-7F3A9-C21B0",
    undefined,
  ]);
  expect(text).toContain("Yes.\nSee https://help.example/start & write back");
  expect(html).toContain("&amp; write back");
  const [, token = ""] = /registry\.example\/inquiry-answer\/([\w-]+)/.exec(text) ?? [];
  const now = new Date().toISOString();
  expect(reportLinks.readAnswerToken(token, now)).toEqual({
    id,
    answerId: answered.data.link.link_id,
  });
  expect(reportLinks.readQuestionToken(token, now)).toBeUndefined();
  expect(text).not.toMatch(/canary|pay here/i);
});

it("sends an answer to an inquiry closed since, but not one whose link has expired", async () => {
  const closed = {
    type: "InquiryStatusChanged",
    data: { from: "answered", to: "closed" },
  } as const;
  await log.append(streams.inquiry(id), [received, answered, closed]);
  expect(await write("inquiry_answered", 1)).toHaveProperty("mail");
  const { link, note } = answered.data;
  const old = { link: { ...link, expires_at: "2026-01-01T00:00:00.000Z" }, note };
  await log.append(streams.inquiry(id), [{ type: "InquiryAnswered", data: old }]);
  expect(await write("inquiry_answered", 3)).toEqual({ drop: "superseded" });
});

it("sends nothing about an erased or missing inquiry", async () => {
  expect(await write("inquiry_received")).toEqual({ drop: "deleted" });
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  await log.append(streams.inquiry(id), [received, answered, erased]);
  for (const [kind, revision] of [
    ["inquiry_received", 0],
    ["inquiry_for_inbox", 0],
    ["inquiry_answered", 1],
  ] as const)
    expect(await write(kind, revision)).toEqual({ drop: "erased" });
});

const COUNTER = "4d1b088e-2f00-4c6e-8f00-000000000000";
const notice = {
  type: "NoticeReceived",
  data: { kind: "takedown", sender },
} as const satisfies InquiryEvent;
const counterNotice = {
  type: "NoticeReceived",
  data: { kind: "counter_notice", sender },
} as const satisfies InquiryEvent;

/** Returns the text of the email that the last of these notice events asks for. */
async function textOf(kind: MailKind, ...events: InquiryEvent[]): Promise<string> {
  const time = "2026-11-23T15:00:00.000Z";
  const { revision } = await log.append(streams.notice(id), events, { time });
  const mail = await write(kind, revision);
  if (!("mail" in mail)) throw new Error(mail.drop);
  expect(mail.mail.to).toBe("ann@acme.example");
  expect(mail.countsFor).toEqual(expect.any(String));
  expect(JSON.stringify(mail)).not.toMatch(/canary|pay here/i);
  return `${mail.mail.subject}\n${mail.mail.text}`;
}

it("tells a notice's sender why it was refused, in fixed words for the reason", async () => {
  const decision = { reason: "Canary: seen before" };
  const data = { reason_code: "not_copyright", decision };
  const text = await textOf("notice_refused", notice, { type: "NoticeRefused", data });
  expect(text).toContain("We can't act on your DMCA notice N-7F3A9-C21B0");
  expect(text).toContain("It isn't about copyright.");
});

it("tells both sides between which days a counter-notice restores the material", async () => {
  const time = "2026-11-23T15:00:00.000Z";
  await log.append(streams.notice(COUNTER), [counterNotice], { time });
  const data = { counter_notice_id: COUNTER };
  const countered = await textOf("notice_countered", notice, { type: "NoticeCountered", data });
  expect(countered).toContain("C-4D1B0-88E2F");
  expect(countered).toContain("between December 8, 2026 and December 14, 2026");
});

it("tells the sender of a counter-notice the days, counted from its own receipt", async () => {
  const data = { notice_id: COUNTER };
  const passedOn = { type: "CounterNoticeLinked", data } as const;
  const text = await textOf("counter_notice_passed_on", counterNotice, passedOn);
  expect(text).toContain("between December 8, 2026 and December 14, 2026");
});

it.each([
  ["notice_granted", "taken_down", "is no longer public"],
  ["counter_notice_granted", "restored", "public again"],
] as const)("reports what was done: %s", async (kind, outcome, words) => {
  const first = outcome === "restored" ? counterNotice : notice;
  const granted = { type: "NoticeGranted", data: { outcome } } as const;
  expect(await textOf(kind, first, granted)).toContain(words);
});
