import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  createOneTimeLinks,
  createReportLinks,
  type OneTimeLinks,
  type ReportLinks,
} from "#vault/links/one-time-link.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const WRONG = "rae@shpo.example";
const RIGHT = "rae@shop.example";

const fixture = forFile(() => startCommandApi());
let oneTime: OneTimeLinks;
let reportLinks: ReportLinks;
beforeAll(async () => {
  const { keys } = fixture.api;
  oneTime = createOneTimeLinks(await keys.liveKey("links"));
  const blind = createBlindIndexer(await keys.serviceKey("blind-index"));
  reportLinks = createReportLinks(await keys.liveKey("unsubscribe"), blind);
});

let id = "";
let secret = "";
/** Submits a report, and remembers its ID and token. */
async function submit(as?: "user") {
  const body = { ...chargeback, reporter_email: WRONG };
  const options = { body, key: randomUUID(), ...(as ? { as } : {}) };
  const answer = await fixture.call("POST", "/prod/api/reports/submit", options);
  ({ id, correction_token: secret } = answer.json().data);
  return { answer, options };
}
beforeEach(async () => {
  await submit();
});

const events = () => fixture.events(streams.report(id));
/** The link in the last confirmation email. */
const verificationLink = () => fixture.linkOf(streams.report(id), "verify-email");
const verify = (token: string) =>
  fixture.call("POST", `/prod/api/verify-email/${token}`, { body: {} });
const correct = (email: string, token = secret, options: { key?: string; as?: "user" } = {}) =>
  fixture.call("POST", `/prod/api/reports/${id}/correct-address`, {
    body: { token, email },
    ...options,
  });
const progress = (token: string) =>
  fixture.call("POST", "/prod/api/report-status", { body: { token } });
const statusToken = (email = WRONG, at = new Date()) =>
  reportLinks.statusToken(id, email, at.toISOString());

describe("the reply to a submission", () => {
  it("has the report's number and a token to correct the address, also for a retry", async () => {
    const { answer, options } = await submit();
    const { data } = answer.json();
    expect(data.number).toMatch(/^R-[0-9A-F]{5}-[0-9A-F]{5}$/);
    expect(data.number.replaceAll("-", "").slice(1).toLowerCase()).toBe(
      id.replaceAll("-", "").slice(0, 10),
    );
    const repeated = await fixture.call("POST", "/prod/api/reports/submit", options);
    expect(repeated.json().data).toEqual({ ...data, repeated: true });
    await verify(await verificationLink());
    const late = await fixture.call("POST", "/prod/api/reports/submit", options);
    expect(late.json().data).toEqual({ ...data, repeated: true });
    expect(refusal(await correct(RIGHT, data.correction_token))).toEqual([409, "already_verified"]);
  });
});

describe("correcting an address", () => {
  it("revokes the previous link, and the new one confirms the new address", async () => {
    const former = await verificationLink();
    expect((await correct(RIGHT)).statusCode).toBe(200);
    expect(refusal(await verify(former))).toEqual([400, "link_invalid"]);
    expect((await verify(await verificationLink())).statusCode).toBe(200);
    const report = await fixture.api.reports.load(id);
    expect(report).toMatchObject({
      reporter: { reporter_email: RIGHT },
      verified: true,
      address_confirmed: true,
    });
    expect(refusal(await correct("r@other.example"))).toEqual([409, "already_verified"]);
  });

  it("encrypts the address under the reporter's key, with its blind index", async () => {
    await correct(RIGHT);
    const { data } = (await events()).at(-1) ?? {};
    expect(JSON.stringify(data)).not.toContain(RIGHT);
    expect(data?.reporter).toMatchObject({ key: `reporter-${id}` });
    await fixture.api.keys.destroy([`reporter-${id}`], new Date().toISOString());
    expect((await fixture.api.reports.load(id))?.reporter).toBeNull();
    expect(refusal(await correct("r@other.example"))).toEqual([400, "link_invalid"]);
  });

  it("happens once per key, and refuses another address under the same key", async () => {
    const key = randomUUID();
    for (const _ of [1, 2]) expect((await correct(RIGHT, secret, { key })).statusCode).toBe(200);
    const other = await correct("b@shop.example", secret, { key });
    expect(refusal(other)).toEqual([422, "idempotency_key_reused"]);
    const corrections = (await events()).filter(({ type }) => type === "ReporterAddressCorrected");
    expect(corrections).toHaveLength(1);
  });

  it("requires this report's token; tokens from emails don't work", async () => {
    const [other, otherSecret] = [id, secret];
    await submit();
    const mailed = await verificationLink();
    const expired = oneTime.makeToken("correct-address", {
      aggregateId: id,
      linkId: id,
      expiresAt: "2026-11-01T10:00:00.000Z",
    });
    for (const token of [otherSecret, mailed, expired, statusToken(), "x"])
      expect(refusal(await correct(RIGHT, token))).toEqual([400, "link_invalid"]);
    id = other;
    expect((await correct(RIGHT, otherSecret)).statusCode).toBe(200);
  });
});

describe("the link to a report's status", () => {
  it("shows number, status, dated steps, and the reason once the address is confirmed", async () => {
    expect((await progress(statusToken())).json().data).toEqual({
      number: expect.stringMatching(/^R-/),
      status: "pending",
      verified: false,
      asked: false,
      steps: [{ step: "submitted", at: expect.stringMatching(/^20.*Z$/) }],
    });
    const reject = { body: { reason: "No invoice of Quinn" }, as: "admin" } as const;
    await fixture.call("POST", `/prod/api/admin/reports/${id}/reject`, reject);
    const { data } = (await progress(statusToken())).json();
    expect(data.status).toBe("rejected");
    expect(data).not.toHaveProperty("reason");
    await verify(await verificationLink());
    const after = (await progress(statusToken())).json().data;
    expect(after.reason).toBe("No invoice of Quinn");
    expect(after.steps.map(({ step }: { step: string }) => step)).toEqual([
      "submitted",
      "rejected",
      "confirmed",
    ]);
  });

  it("shows nothing of the report's content, and changes nothing", async () => {
    const before = await events();
    const { body, headers } = await progress(statusToken());
    for (const text of ["Quinn", "Ames", "Denver", "shpo", "Disputed", "4242", id])
      expect(body).not.toContain(text);
    expect(headers).not.toHaveProperty("x-position");
    expect(headers["cache-control"]).toMatch(/no-store/);
    expect(await events()).toEqual(before);
  });

  it("gives the same error for every link of another address or of no report", async () => {
    const expired = statusToken(WRONG, new Date("2024-01-01"));
    const nothing = reportLinks.statusToken(randomUUID(), WRONG, new Date().toISOString());
    const answers = [];
    for (const token of [statusToken(RIGHT), expired, nothing, await verificationLink(), "x"])
      answers.push((await progress(token)).body);
    const former = statusToken();
    await correct(RIGHT);
    answers.push((await progress(former)).body);
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(String(answers[0])).error.code).toBe("link_invalid");
    expect((await progress(statusToken(RIGHT))).json().data.steps.at(-1).step).toBe("corrected");
  });

  it.each([
    [
      "the report",
      () => fixture.call("DELETE", `/prod/api/admin/reports/${id}`, { body: {}, as: "admin" }),
    ],
    ["its reporter", () => fixture.api.keys.destroy([`reporter-${id}`], new Date().toISOString())],
  ])("expires when %s is erased", async (_, erase) => {
    const token = statusToken();
    expect((await progress(token)).statusCode).toBe(200);
    await erase();
    expect(refusal(await progress(token))).toEqual([400, "link_invalid"]);
  });
});

describe("a moderator's question", () => {
  const admin = (path: string, body: object) =>
    fixture.call("POST", `/prod/api/admin/reports/${id}${path}`, { body, as: "admin" });
  const ask = (question = "Which carrier delivered it?") => admin("/question", { question });
  const read = (token: string) =>
    fixture.call("POST", "/prod/api/report-question", { body: { token } });
  const reply = (token: string, answer: string, key?: string) =>
    fixture.call("POST", "/prod/api/report-question/answer", {
      body: { token, answer },
      ...(key ? { key } : {}),
    });
  /** The link from the email with the question. */
  async function questionToken(): Promise<string> {
    const asked = (await events()).filter(({ type }) => type === "ReporterAsked").at(-1);
    return reportLinks.questionToken(id, asked?.data.link as OneTimeLink);
  }

  it("requires a confirmed address, and is encrypted", async () => {
    expect(refusal(await ask())).toEqual([409, "not_askable"]);
    await verify(await verificationLink());
    expect((await ask()).statusCode).toBe(200);
    const asked = (await events()).at(-1);
    expect(asked?.data.personal).toMatchObject({ key: `personal-${id}` });
    expect(JSON.stringify(asked)).not.toContain("carrier");
    expect(refusal(await ask())).toEqual([409, "not_askable"]);
    expect((await progress(statusToken())).json().data).toMatchObject({ asked: true });
    expect((await progress(statusToken())).body).not.toContain("carrier");
  });

  it("accepts one answer with its link, encrypted under the reporter's key", async () => {
    await verify(await verificationLink());
    await ask();
    const token = await questionToken();
    const { data } = (await read(token)).json();
    expect(data).toMatchObject({ state: "open", question: "Which carrier delivered it?" });
    expect((await reply(token, " \n ")).statusCode).toBe(400);
    expect((await reply(token, "x".repeat(5001))).statusCode).toBe(400);
    const key = randomUUID();
    const answer = `<b>Carrier 7</b> ${"x".repeat(4000)}`;
    for (const _ of [1, 2]) expect((await reply(token, answer, key)).statusCode).toBe(200);
    const answered = (await events()).filter(({ type }) => type === "ReporterAnswered");
    expect(answered).toHaveLength(1);
    expect(answered[0]?.data.reporter).toMatchObject({ key: `reporter-${id}` });
    expect(JSON.stringify(answered)).not.toContain("Carrier 7");
    expect((await fixture.api.reports.load(id))?.questions).toMatchObject([{ answer }]);
    expect(refusal(await reply(token, "Again"))).toEqual([409, "question_closed"]);
    const after = (await read(token)).json().data;
    expect(after.state).toBe("answered");
    expect(after).not.toHaveProperty("question");
    const { steps } = (await progress(statusToken())).json().data;
    expect(steps.map(({ step }: { step: string }) => step).slice(-2)).toEqual([
      "asked",
      "answered",
    ]);
  });

  it.each([
    ["withdrawn", () => admin("/question/withdraw", {})],
    ["already made a decision", () => admin("/approve", {})],
  ])("once closed says so (%s), and accepts no more answers", async (words, end) => {
    await verify(await verificationLink());
    await ask();
    const token = await questionToken();
    expect((await end()).statusCode).toBe(200);
    const refused = await reply(token, "Too late");
    expect(refusal(refused)).toEqual([409, "question_closed"]);
    expect(refused.json().error.message).toContain(words);
    expect((await read(token)).json().data).not.toHaveProperty("question");
  });

  it("gets the same error for every invalid link, and is erased with the reporter", async () => {
    await verify(await verificationLink());
    await ask();
    const token = await questionToken();
    const other = reportLinks.questionToken(id, {
      link_id: randomUUID(),
      expires_at: "2099-01-01T00:00:00.000Z",
    });
    for (const bad of [other, statusToken(), await verificationLink(), "x"])
      for (const answer of [await read(bad), await reply(bad, "Hello")])
        expect(refusal(answer)).toEqual([400, "link_invalid"]);
    await fixture.api.keys.destroy([`reporter-${id}`], new Date().toISOString());
    expect(refusal(await read(token))).toEqual([400, "link_invalid"]);
    expect(refusal(await reply(token, "Hello"))).toEqual([400, "link_invalid"]);
  });
});
