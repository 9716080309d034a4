import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import {
  chargeback,
  type Member,
  refusal,
  registration,
  startCommandApi,
} from "../testing/command-api.fixture.ts";
import { erasureFollower } from "../testing/erasure-follower.fixture.ts";
import {
  admin,
  eraseReporter,
  eventsOf,
  SUBMIT,
  submit,
  verificationToken,
} from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

const system = () => systemCaller(new Date().toISOString());

const post = (url: string, token: string, headers: Record<string, string> = {}) =>
  fixture.call("POST", url, { body: {}, token, headers });
const claim = (id: string, { token }: Member, headers?: Record<string, string>) =>
  post(`/prod/api/account/reports/${id}/claim`, token, headers);

/** A report that a visitor submitted from the address, and confirmed by default. */
async function fromVisitor(email: string, isConfirmed = true): Promise<string> {
  const id = await submit(fixture, { ...chargeback, reporter_email: email });
  if (isConfirmed) {
    const url = `/prod/api/verify-email/${await verificationToken(fixture, id)}`;
    expect((await fixture.call("POST", url, { body: {} })).statusCode).toBe(200);
  }
  return id;
}
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const listed = (of: Member) => fixture.api.keys.ownedBy(of.id);
const follow = () => erasureFollower(fixture).run(new Date().toISOString());

describe("claiming a report", () => {
  it("adds it to the account, exactly once", async () => {
    const ann = await fixture.member();
    const id = await fromVisitor(ann.email.toUpperCase());
    expect((await post(`/prod/api/account/reports/${id}/open`, ann.token)).statusCode).toBe(404);
    const key = { "idempotency-key": "0123456789abcdef" };
    const answers = await Promise.all([claim(id, ann), claim(id, ann), claim(id, ann, key)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await claim(id, ann, key)).json()).toEqual({
      success: true,
      message: "The report is now in your account.",
    });
    expect((await typesOf(id)).filter((type) => type === "ReportClaimed")).toHaveLength(1);
    expect((await eventsOf(fixture, id)).at(-1)).toMatchObject({
      data: { account_id: ann.id },
      metadata: { command: "ClaimReport", actor: { id: ann.id, role: "user" } },
    });
    expect(await listed(ann)).toEqual([subjects.reporter(id)]);
    expect((await post(`/prod/api/account/reports/${id}/open`, ann.token)).statusCode).toBe(200);
    const exported = await post("/prod/api/auth/export", ann.token);
    expect(exported.json().data.reports).toMatchObject([{ id, status: "pending" }]);
  });

  it("gives the same answer whatever the reason for refusing", async () => {
    const [ann, bea] = [await fixture.member(), await fixture.member()];
    const own = await fixture.call("POST", SUBMIT, {
      body: { ...chargeback, reporter_email: ann.email },
      token: bea.token,
    });
    const [taken, deleted, erased] = [
      await fromVisitor(bea.email),
      await fromVisitor(ann.email),
      await fromVisitor(ann.email),
    ];
    expect((await claim(taken, bea)).statusCode).toBe(200);
    const body = { reason_code: "other" };
    await fixture.call("DELETE", admin(deleted), { body, as: "admin" });
    await eraseReporter(fixture, erased);
    const unconfirmed = await fromVisitor(ann.email, false);
    const byHand = await fromVisitor(ann.email, false);
    await fixture.call("POST", admin(byHand, "/verify"), { body: {}, as: "admin" });
    const theirs = await fromVisitor(bea.email);
    const ids = [own.json().data.id, taken, deleted, erased, unconfirmed, byHand, theirs];
    const unknown = await claim(randomUUID(), ann);
    expect(refusal(unknown)).toEqual([404, "report_not_found"]);
    for (const id of ids) {
      const answer = await claim(id, ann);
      expect([answer.statusCode, answer.json()]).toEqual([404, unknown.json()]);
      expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    }
    expect(await listed(ann)).toEqual([]);
  });

  it("is refused for an account with an unconfirmed address", async () => {
    const email = `${randomUUID()}@shop.example`;
    const id = await fromVisitor(email);
    const body = registration(email);
    const registered = await fixture.call("POST", "/prod/api/auth/register", { body });
    const answer = await claim(id, registered.json().data);
    expect(refusal(answer)).toEqual([404, "report_not_found"]);
    expect(await typesOf(id)).not.toContain("ReportClaimed");
  });

  it("gives the report to only one of two accounts that claim it concurrently", async () => {
    const [ann, bea] = [await fixture.member(), await fixture.member()];
    const id = await fromVisitor(ann.email);
    const command = { type: "ClaimReport", email: ann.email, isVisitors: true } as const;
    const race = await Promise.allSettled(
      [ann, bea].map(({ id: accountId }) =>
        fixture.api.reports.execute(id, { ...command, accountId }, newEnvelope(system())),
      ),
    );
    expect(race.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(race.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "report_not_found" },
    });
    expect((await typesOf(id)).filter((type) => type === "ReportClaimed")).toHaveLength(1);
  });

  it("erases the reporter together with the account, even if the process died after the event", async () => {
    const ann = await fixture.member();
    const [whole, cut] = [await fromVisitor(ann.email), await fromVisitor(ann.email)];
    await claim(whole, ann);
    const command = { accountId: ann.id, email: ann.email, isVisitors: true };
    const left = { type: "ClaimReport", ...command } as const;
    await fixture.api.reports.execute(cut, left, newEnvelope(system()));
    expect(await listed(ann)).toEqual([subjects.reporter(whole)]);
    await follow();
    const both = [whole, cut].map(subjects.reporter).sort();
    expect(await listed(ann)).toEqual(both);
    expect(await fixture.api.accountEraser.erase(ann.id, system())).toBe(2);
    const states = await fixture.api.keys.get(both);
    expect([...states.values()].map(({ state }) => state)).toEqual(["destroyed", "destroyed"]);
    expect((await typesOf(cut)).at(-1)).toBe("ReporterErased");
  });

  it("survives a repeated confirmation that drops earlier reports", async () => {
    const ann = await fixture.member();
    const id = await fromVisitor(ann.email);
    await claim(id, ann);
    await fixture.api.accountEraser.disown(ann.id, "9".repeat(20));
    expect(await listed(ann)).toEqual([subjects.reporter(id)]);
  });
});
