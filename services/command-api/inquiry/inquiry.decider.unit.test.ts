import { expect, it } from "vitest";
import type { InquiryEvent } from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { MAX_INQUIRY_NOTES } from "#contracts/http/admin-inquiries.ts";
import { type InquiryStatus, MAX_INQUIRY_ANSWERS } from "#contracts/inquiry/inquiry-status.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideInquiry } from "./inquiry.decider.ts";

const NOTE = "55555555-5555-4555-8555-555555555555";

const inquiries = givenFor({
  decide: decideInquiry("inquiry"),
  evolve: evolveInquiry,
  moment: { newId: NOTE, now: "2026-11-23T10:00:00.000Z" },
});
const notices = givenFor({
  decide: decideInquiry("notice"),
  evolve: evolveInquiry,
  moment: { newId: NOTE, now: "2026-11-23T10:00:00.000Z" },
});

const answers = { name: "Ann Lee", email: "ann@acme.example", useCase: "Checking orders" };
const sender = {
  name: "Ann Lee",
  email: "ann@acme.example",
  answers: [{ field: "useCase", text: "Checking orders" }],
};
const received = { type: "InquiryReceived", data: { kind: "enterprise", sender } } as const;

it("stores what was sent, with each answer under its field name", () => {
  inquiries().when({ type: "SendInquiry", kind: "enterprise", answers }).gives(received);
  notices()
    .when({ type: "SendInquiry", kind: "takedown", answers })
    .gives({ type: "NoticeReceived", data: { kind: "takedown", sender } });
});

it("accepts an inquiry once", () => {
  inquiries(received).when({ type: "SendInquiry", kind: "enterprise", answers }).gives();
});

it("erases an inquiry once", () => {
  const erase = { type: "EraseInquiry", by: "retention" } as const;
  const erased = { type: "InquiryErased", data: { by: "retention" } } as const;
  inquiries(received).when(erase).gives(erased);
  inquiries(received, erased).when(erase).gives();
  inquiries().when(erase).gives();
});

it("records that it was read, if there is something to read", () => {
  const view = { type: "ViewInquiry" } as const;
  inquiries(received).when(view).gives({ type: "InquiryViewed", data: {} });
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  inquiries(received, erased).when(view).gives();
  inquiries().when(view).gives();
});

it("stores the document's details, and records each access while it exists", () => {
  const document = {
    name: "order.pdf",
    type: "application/pdf",
    bytes: 512,
    sha256: "a".repeat(64),
  } as const;
  const send = { type: "SendInquiry", kind: "law_enforcement", answers, document } as const;
  const data = { kind: "law_enforcement", sender: { ...sender, document } };
  inquiries().when(send).gives({ type: "InquiryReceived", data });
  const view = { type: "ViewInquiryDocument" } as const;
  const viewed = { type: "InquiryDocumentViewed", data: {} } as const;
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  inquiries({ type: "InquiryReceived", data }, viewed).when(view).gives(viewed);
  inquiries({ type: "InquiryReceived", data }, erased).when(view).gives();
  inquiries(received).when(view).gives();
  inquiries().when(view).gives();
});

const change = (status: InquiryStatus, revision: number) =>
  ({ type: "ChangeInquiryStatus", status, revision }) as const;
const changed = (from: string, to: string) =>
  ({ type: "InquiryStatusChanged", data: { from, to } }) as const;
const gone = { type: "InquiryErased", data: { by: "operator" } } as const;
const note = {
  type: "InquiryNoteAdded",
  data: { note_id: NOTE, note: { text: "Called" } },
} as const;

it("changes only the status that the sender has seen", () => {
  inquiries(received).when(change("in_work", 0)).gives(changed("new", "in_work"));
  const worked = inquiries(received, changed("new", "in_work"), note);
  worked.when(change("answered", 0)).isRefused("conflict");
  worked.when(change("answered", 1)).gives(changed("in_work", "answered"));
  worked.when(change("in_work", 1)).gives();
});

it("limits the notes of an inquiry", () => {
  const add = { type: "AddInquiryNote", text: "Called" } as const;
  inquiries(received).when(add).gives(note);
  const notes = Array.from({ length: MAX_INQUIRY_NOTES }, () => note);
  inquiries(received, ...notes.slice(1))
    .when(add)
    .gives(note);
  inquiries(received, ...notes)
    .when(add)
    .isRefused("note_limit");
});

it("discloses reports only to law enforcement", () => {
  const report_id = "66666666-6666-4666-8666-666666666666";
  const disclose = { type: "DiscloseReport", reportId: report_id, revision: 3 } as const;
  const asked = { type: "InquiryReceived", data: { kind: "law_enforcement", sender } } as const;
  const data = { report_id, revision: 3 };
  inquiries(asked).when(disclose).gives({ type: "ReportDisclosed", data });
  inquiries(received).when(disclose).isRefused("not_found");
  inquiries(asked, gone).when(disclose).isRefused("not_found");
  const closed = changed("new", "closed");
  inquiries(asked, closed).when(disclose).isRefused("inquiry_closed");
  inquiries(asked, closed, changed("closed", "in_work"))
    .when(disclose)
    .gives({ type: "ReportDisclosed", data });
});

const answer = (revision: number) =>
  ({ type: "AnswerInquiry", text: "Yes, from December", revision }) as const;
const answered = {
  type: "InquiryAnswered",
  data: {
    link: { link_id: NOTE, expires_at: "2026-12-23T10:00:00.000Z" },
    note: { text: "Yes, from December" },
  },
} as const;
const reply = { type: "ReplyToInquiry", answerId: NOTE, reply: "Thank you" } as const;
const replied = {
  type: "InquiryReplied",
  data: { answer_id: NOTE, sender: { text: "Thank you" } },
} as const;

it("answers only what staff have seen: no later status, answer or reply", () => {
  inquiries(received).when(answer(0)).gives(answered);
  inquiries(received, changed("new", "in_work")).when(answer(0)).isRefused("conflict");
  inquiries(received, answered).when(answer(0)).isRefused("conflict");
  inquiries(received, answered).when(answer(1)).gives(answered);
  inquiries(received, answered, replied).when(answer(1)).isRefused("conflict");
  inquiries(received, answered, replied).when(answer(2)).gives(answered);
});

it("refuses answers to a closed inquiry or beyond the limit", () => {
  inquiries(received, changed("new", "closed")).when(answer(1)).isRefused("inquiry_closed");
  const answers = Array.from({ length: MAX_INQUIRY_ANSWERS }, () => answered);
  inquiries(received, ...answers)
    .when(answer(answers.length))
    .isRefused("answer_limit");
  inquiries(received, ...answers.slice(1))
    .when(answer(answers.length - 1))
    .gives(answered);
});

it("accepts one reply per answer, until the link expires or the inquiry is closed", () => {
  inquiries(received, answered).when(reply).gives(replied);
  inquiries(received, answered, replied).when(reply).isRefused("question_closed");
  inquiries(received).when(reply).isRefused("link_invalid");
  inquiries(received, answered, changed("answered", "closed"))
    .when(reply)
    .isRefused("question_closed");
  inquiries(received, answered, gone).when(reply).isRefused("link_invalid");
  const link = { link_id: NOTE, expires_at: "2026-11-23T10:00:00.000Z" };
  inquiries(received, { ...answered, data: { ...answered.data, link } })
    .when(reply)
    .isRefused("link_invalid");
});

const after = (...events: readonly InquiryEvent[]) =>
  events.reduce<InquiryState | undefined>(evolveInquiry, undefined);

it("reopens with a reply, and keeps the conversation until it is erased", () => {
  expect(after(received, answered)).toMatchObject({ status: "answered", statusRevision: 1 });
  expect(after(received, answered, replied)).toMatchObject({
    status: "in_work",
    statusRevision: 2,
    answers: [{ text: "Yes, from December", isReplied: true, reply: "Thank you" }],
  });
  const said = after(received, answered, replied, gone);
  expect(said?.answers).toMatchObject([{ text: null, reply: null, isReplied: true }]);
});

it("shows the conversation as erased once the key is destroyed", () => {
  const events = [
    { ...answered, data: { ...answered.data, note: null } },
    { ...replied, data: { ...replied.data, sender: null } },
  ];
  expect(after(received, ...events)?.answers).toMatchObject([{ text: null, reply: null }]);
});

it("refuses a status or a note if it is erased or doesn't exist", () => {
  const add = { type: "AddInquiryNote", text: "Called" } as const;
  for (const inquiry of [inquiries(received, gone), inquiries()]) {
    inquiry.when(change("closed", 0)).isRefused("not_found");
    inquiry.when(add).isRefused("not_found");
    inquiry.when(answer(0)).isRefused("not_found");
  }
});
