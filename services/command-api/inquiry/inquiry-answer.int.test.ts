import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import { INQUIRY_ANSWER, INQUIRY_REPLY } from "#contracts/http/inquiries.ts";
import { REPLY_CHARS, REPLY_DAYS } from "#contracts/inquiry/inquiry-status.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createReportLinks, type ReportLinks } from "#vault/links/one-time-link.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

let links: ReportLinks;
beforeAll(async () => {
  const { keys } = fixture.api;
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  links = createReportLinks(await keys.liveKey("unsubscribe"), blind);
});

let id = "";
beforeEach(async () => {
  const body = { company: "Acme", name: "Ann", email: "ann@acme.example", useCase: "Checks" };
  const sent = await fixture.call("POST", "/prod/api/enterprise/contact", { body });
  expect(sent.statusCode, sent.body).toBe(200);
  const { rows } = await fixture.db.query<{ id: string }>(
    "select id from command.inquiry order by received_at desc, id limit 1",
  );
  id = rows[0]?.id ?? "";
});

const staff = (what: string, body: object, key?: string) =>
  fixture.call("POST", `/prod/api/admin/inquiries/${id}/${what}`, {
    body,
    as: "admin",
    ...(key ? { key } : {}),
  });
const answer = (revision = 0, text = "Canary-answer") => staff("answer", { text, revision });
const read = (token: string) => fixture.call("POST", INQUIRY_ANSWER, { body: { token } });
const reply = (token: string, text: string, key?: string) =>
  fixture.call("POST", INQUIRY_REPLY, {
    body: { token, reply: text },
    ...(key ? { key } : {}),
  });
const events = () => fixture.events(`inquiry-${id}`);
const typesOf = async () => (await events()).map(({ type }) => type);
/** The link of the latest answer, from its event. */
async function linkOfAnswer(): Promise<OneTimeLink> {
  const answered = (await events()).findLast(({ type }) => type === "InquiryAnswered");
  if (!answered) throw new Error("nothing was answered");
  return answered.data.link as OneTimeLink;
}
/** The same link as a token in the email. */
const token = async () => links.answerToken(id, await linkOfAnswer());

it("answers once per key, encrypted under the inquiry's key", async () => {
  const key = randomUUID();
  for (const _ of [1, 2]) {
    const sent = await staff("answer", { text: " Canary-answer ", revision: 0 }, key);
    expect(sent.json().data).toEqual({ id, status: "answered", status_revision: 1 });
  }
  expect(await typesOf()).toEqual(["InquiryReceived", "InquiryAnswered"]);
  expect((await events())[1]?.data.note).toMatchObject({ key: `inquiry-${id}` });
  expect(JSON.stringify(await events())).not.toMatch(/canary/i);
  expect(refusal(await answer(0))).toEqual([409, "conflict"]);
  for (const text of [" \n ", "x".repeat(4001)])
    expect((await answer(1, text)).statusCode).toBe(400);
});

it("shows an answer with its link; opening it changes nothing", async () => {
  await answer();
  const link = await token();
  const { number, expires_at, ...shown } = (await read(link)).json().data;
  expect(shown).toEqual({ form: "Enterprise inquiry", state: "open", answer: "Canary-answer" });
  expect(number).toMatch(/^E-/);
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(REPLY_DAYS);
  expect(await typesOf()).toEqual(["InquiryReceived", "InquiryAnswered"]);
});

it("accepts one encrypted reply per link, which reopens the inquiry", async () => {
  await answer();
  const link = await token();
  for (const text of [" \n ", "x".repeat(REPLY_CHARS + 1)])
    expect((await reply(link, text)).statusCode).toBe(400);
  const key = randomUUID();
  const words = `Canary-reply ${"x".repeat(4000)}`;
  for (const _ of [1, 2]) expect((await reply(link, words, key)).statusCode).toBe(200);
  expect(await typesOf()).toEqual(["InquiryReceived", "InquiryAnswered", "InquiryReplied"]);
  expect((await events())[2]?.data.sender).toMatchObject({ key: `inquiry-${id}` });
  expect(JSON.stringify(await events())).not.toMatch(/canary/i);
  expect(refusal(await reply(link, "Again"))).toEqual([409, "question_closed"]);
  const after = (await read(link)).json().data;
  expect([after.state, "answer" in after]).toEqual(["replied", false]);
  expect(refusal(await answer(1))).toEqual([409, "conflict"]);
  expect((await answer(2, "Second")).json().data.status).toBe("answered");
  expect((await reply(await token(), "Second reply")).statusCode).toBe(200);
});

it("shows staff the replies along with the inquiry, after an event", async () => {
  await answer();
  await reply(await token(), "Canary-reply");
  const revealed = await staff("reveal", {});
  const { link_id } = await linkOfAnswer();
  expect(revealed.json().data.at(-1)).toEqual({
    label: "Reply",
    text: "Canary-reply",
    answer_id: link_id,
  });
  expect((await typesOf()).at(-1)).toBe("InquiryViewed");
});

it("gives the same error for every invalid link, even after the inquiry is erased", async () => {
  await answer();
  const mine = await token();
  const { link_id } = await linkOfAnswer();
  const later = "2099-01-01T00:00:00.000Z";
  const caller = systemCaller(new Date().toISOString());
  expect(await fixture.api.inquiries.eraseById(id, caller)).toBe(true);
  const subject = `inquiry-${id}`;
  expect(await fixture.keyState(subject)).toBe("destroyed");
  const answers = [];
  for (const link of [
    mine,
    links.answerToken(randomUUID(), { link_id, expires_at: later }),
    links.answerToken(id, { link_id: randomUUID(), expires_at: later }),
    links.answerToken(id, { link_id, expires_at: "2024-01-01T00:00:00.000Z" }),
    links.questionToken(id, { link_id, expires_at: later }),
    "x",
  ])
    answers.push((await read(link)).body, (await reply(link, "Words")).body);
  expect(new Set(answers).size).toBe(1);
  expect(JSON.parse(answers[0] ?? "").error.code).toBe("link_invalid");
  expect((await answer(1)).statusCode).toBe(404);
});

it("works only for inquiries, not for notices", async () => {
  const { rows } = await fixture.db.query<{ id: string }>(
    "insert into command.inquiry (id, family, received_at) values (gen_random_uuid(), 'notice', now()) returning id",
  );
  id = rows[0]?.id ?? "";
  expect((await answer()).statusCode).toBe(404);
  const link = { link_id: randomUUID(), expires_at: "2099-01-01T00:00:00.000Z" };
  expect(refusal(await read(links.answerToken(id, link)))).toEqual([400, "link_invalid"]);
});
