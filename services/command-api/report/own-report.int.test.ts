import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import {
  admin,
  eraseReporter,
  eventsOf,
  SUBMIT,
  submit,
  verificationToken,
} from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const NOTES = "The courier has a photo of the delivery";
const sent = {
  ...chargeback,
  street_address: "1 Elm Street",
  notes: NOTES,
  chargebacks: [{ amount: 10, order_id: "B-7" }],
};

const open = (id: string, as?: "user" | "admin" | "auditor") =>
  fixture.call("POST", `/prod/api/account/reports/${id}/open`, { ...(as ? { as } : {}), body: {} });
const own = async (): Promise<string> =>
  (await fixture.call("POST", SUBMIT, { body: sent, as: "user" })).json().data.id;
async function moderate(id: string, method: "POST" | "PUT" | "DELETE", path: string, body: object) {
  const answer = await fixture.call(method, admin(id, path), { body, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Logged views of a report. */
async function looks(id: string): Promise<{ data: object; metadata: object }[]> {
  const { rows } = await fixture.db.query(
    `select data, metadata from event_log.event
     where type = 'PersonalDataViewed' and data ->> 'report_id' = $1`,
    [id],
  );
  return rows;
}

describe("opening one's own report", () => {
  it("shows it as submitted, and records each view first", async () => {
    const id = await own();
    const reply = await open(id, "user");
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.headers["cache-control"]).toBe("no-store");
    const { terms_accepted: _, ...fields } = sent;
    expect(reply.json().data).toMatchObject({
      id,
      status: "pending",
      verified: false,
      edited: false,
      report: { ...fields, total_due: 422.5, chargebacks: [{ ...sent.chargebacks[0] }] },
    });
    await open(id, "user");
    const seen = await looks(id);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatchObject({
      data: { revision: 0 },
      metadata: { command: "OpenOwnReport", actor: { role: "user" } },
    });
  });

  it("hides moderators' changes, but says that there are some, and why it was rejected", async () => {
    const id = await own();
    await moderate(id, "PUT", "", { notes: "Known to us from case 9", city: "Boulder" });
    await moderate(id, "POST", "/note", { note: "Known to us from case 9" });
    await moderate(id, "POST", "/reject", { reason: "No proof of delivery" });
    const { data } = (await open(id, "user")).json();
    expect(data).toMatchObject({
      status: "rejected",
      edited: true,
      rejection_reason: "No proof of delivery",
      report: { notes: NOTES, city: "Denver" },
    });
    expect(JSON.stringify(data)).not.toContain("case 9");
  });

  it("gives the same answer for someone else's report, an unclaimed one and an unknown one", async () => {
    const [erased, deleted] = [await own(), await own()];
    await eraseReporter(fixture, erased);
    await moderate(deleted, "DELETE", "", { reason_code: "other" });
    const theirs = (await fixture.call("POST", SUBMIT, { body: sent, as: "admin" })).json().data.id;
    const nobodys = await submit(fixture, sent);
    const unknown = await open(randomUUID(), "user");
    expect(refusal(unknown)).toEqual([404, "report_not_found"]);
    for (const id of [theirs, nobodys, erased, deleted]) {
      const reply = await open(id, "user");
      expect([reply.statusCode, reply.json()]).toEqual([404, unknown.json()]);
      expect(await looks(id)).toEqual([]);
    }
    expect((await open(theirs, "admin")).statusCode).toBe(200);
    expect((await open(theirs)).statusCode).toBe(401);
    expect((await open(theirs, "auditor")).statusCode).toBe(403);
  });

  it("asks for the password if it was last entered more than 15 minutes ago", async () => {
    const id = await own();
    await fixture.db.query("update command.session set proved_at = now() - interval '16 minutes'");
    const reply = await open(id, "user");
    expect(refusal(reply)).toEqual([403, "proof_required"]);
    expect(await looks(id)).toEqual([]);
  });
});

describe("answering a question about one's own report", () => {
  const question = "Which carrier delivered it?";
  async function asked(as: "user" | "admin" = "user") {
    const { id } = (await fixture.call("POST", SUBMIT, { body: sent, as })).json().data;
    const link = await verificationToken(fixture, id);
    await fixture.call("POST", `/prod/api/verify-email/${link}`, { body: {} });
    const by = newEnvelope(systemCaller(new Date().toISOString()));
    await fixture.api.reports.execute(id, { type: "AskReporter", body: { question } }, by);
    return { id, question_id: await openQuestionOf(id) };
  }
  const openQuestionOf = async (id: string) =>
    (await fixture.api.reports.load(id))?.questions.at(-1)?.question_id ?? "";
  const answer = (
    { id, question_id }: { id: string; question_id: string },
    options: { as?: "user" | "admin" | "auditor"; key?: string; text?: string } = {},
  ) => {
    const { as = "user", key, text = "The post." } = options;
    const body = { question_id, answer: text };
    const url = `/prod/api/account/reports/${id}/answer`;
    return fixture.call("POST", url, { body, as, ...(key ? { key } : {}) });
  };
  const answers = async (id: string) =>
    (await eventsOf(fixture, id)).filter(({ type }) => type === "ReporterAnswered");

  it("needs no link, and is accepted once, encrypted, under the account", async () => {
    const open = await asked();
    for (const text of [" \n", "x".repeat(5001)])
      expect(refusal(await answer(open, { text }))).toEqual([400, "invalid_request"]);
    const key = randomUUID();
    for (const _ of [1, 2]) expect((await answer(open, { key })).statusCode).toBe(200);
    const [event, ...others] = await answers(open.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      data: { question_id: open.question_id, reporter: { key: `reporter-${open.id}` } },
      metadata: { command: "AnswerQuestion", actor: { role: "user" } },
    });
    expect(JSON.stringify(event)).not.toContain("The post.");
    const state = await fixture.api.reports.load(open.id);
    expect(state?.questions).toMatchObject([{ state: "answered", answer: "The post." }]);
    expect(refusal(await answer(open, { key, text: "Another" }))).toEqual([
      422,
      "idempotency_key_reused",
    ]);
    expect(refusal(await answer(open, { text: "Again" }))).toEqual([409, "question_closed"]);
  });

  it("gets the same refusal for someone else's report, an unclaimed one and an unknown one", async () => {
    const theirs = await asked("admin");
    const nobodys = { ...theirs, id: await submit(fixture, sent) };
    for (const open of [theirs, nobodys, { ...theirs, id: randomUUID() }])
      expect(refusal(await answer(open))).toEqual([404, "report_not_found"]);
    expect(refusal(await answer(theirs, { as: "auditor" }))).toEqual([403, "forbidden"]);
    expect(await answers(theirs.id)).toEqual([]);
    expect((await answer(theirs, { as: "admin" })).statusCode).toBe(200);
  });

  it("is refused once the report is decided, and for an unknown question", async () => {
    const open = await asked();
    const none = { ...open, question_id: randomUUID() };
    const refused = await answer(none);
    expect(refusal(refused)).toEqual([409, "question_closed"]);
    expect(refused.json().error.message).not.toContain("link");
    await moderate(open.id, "POST", "/approve", {});
    expect(refusal(await answer(open))).toEqual([409, "question_closed"]);
  });
});
