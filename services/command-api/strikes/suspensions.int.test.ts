import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import {
  admin,
  approveBySystem,
  eventsOf,
  SUBMIT,
  verificationToken,
} from "../testing/reports.fixture.ts";
import { decide, infringer, someAddress, takenDown } from "../testing/strikes.fixture.ts";

const fixture = forFile(() => startCommandApi());

const typed = (reporter_email: string, as?: "user") =>
  fixture.call("POST", SUBMIT, {
    body: { ...chargeback, reporter_email },
    ...(as ? { as } : {}),
  });
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const verify = (token: string) =>
  fixture.call("POST", `/prod/api/verify-email/${token}`, { body: {} });

/** A reply without what varies by request. */
function bare(answer: Awaited<ReturnType<typeof typed>>) {
  const { date, ...headers } = answer.headers;
  const volatile = new Set(["x-position", "x-request-id", "x-correlation-id", "etag"]);
  const named = Object.entries(headers).map(([name, value]) => [
    name,
    volatile.has(name) ? "given" : value,
  ]);
  return { status: answer.statusCode, body: answer.json(), headers: named };
}

/** What a stranger sees of the reply to a submission, with IDs and tokens replaced by their lengths. */
function seen(answer: Awaited<ReturnType<typeof typed>>) {
  const { body, ...others } = bare(answer);
  const { id, number, correction_token, ...data } = body.data;
  const made = [id, number, correction_token].map((each) => String(each).length);
  return { ...others, body: { ...body, data }, made };
}

describe("a visitor who enters a suspended address", () => {
  it.each([2, 3])("gets the same reply as anyone else after %i infringements", async (times) => {
    const { email } = await infringer(fixture, times);
    const refused = await typed(email);
    const accepted = await typed(someAddress());
    expect(refused.statusCode, refused.body).toBe(200);
    expect(seen(refused)).toEqual(seen(accepted));
    expect(await typesOf(refused.json().data.id)).toEqual([
      "ReportSubmitted",
      "SubmissionHeldBack",
    ]);
    expect(await typesOf(accepted.json().data.id)).toEqual(["ReportSubmitted"]);
  });

  it("is not refused after the first infringement", async () => {
    const { email } = await infringer(fixture, 1);
    expect(await typesOf((await typed(email)).json().data.id)).toEqual(["ReportSubmitted"]);
  });

  it("can't have a report confirmed or published until the notice is lifted", async () => {
    const { email, notices } = await infringer(fixture, 2);
    const { id } = (await typed(email)).json().data;
    const token = await verificationToken(fixture, id);
    const as = "admin" as const;
    expect(refusal(await verify(token))).toEqual([403, "submission_refused"]);
    const byHand = await fixture.call("POST", admin(id, "/verify"), { as, body: {} });
    expect(refusal(byHand)).toEqual([409, "reporter_suspended"]);
    const approved = await fixture.call("POST", admin(id, "/approve"), { as, body: {} });
    expect(refusal(approved)).toEqual([409, "reporter_suspended"]);
    await decide(fixture, notices[1] ?? "", "lift", { reason_code: "mistake", revision: 2 });
    expect((await verify(token)).statusCode).toBe(200);
  });

  it("gains nothing by correcting another address to it", async () => {
    const { email } = await infringer(fixture, 2);
    const { id, correction_token } = (await typed(someAddress())).json().data;
    const url = `/prod/api/reports/${id}/correct-address`;
    const corrected = await fixture.call("POST", url, {
      body: { token: correction_token, email },
    });
    expect(corrected.statusCode, corrected.body).toBe(200);
    expect((await typesOf(id)).slice(-2)).toEqual([
      "ReporterAddressCorrected",
      "SubmissionHeldBack",
    ]);
    const token = await verificationToken(fixture, id);
    expect(refusal(await verify(token))).toEqual([403, "submission_refused"]);
  });
});

describe("a retry of a submission", () => {
  const send = (email: string, key: string, as?: "user") =>
    fixture.call("POST", SUBMIT, {
      body: { ...chargeback, reporter_email: email },
      key,
      ...(as ? { as } : {}),
    });

  it.each([undefined, "user"] as const)(
    "gets its first reply, even if the address was suspended or cleared in between: %s",
    async (as) => {
      const email = someAddress();
      const [early, late] = [randomUUID(), randomUUID()];
      const before = await send(email, early, as);
      const { notices } = await infringer(fixture, 2, email);
      const meanwhile = await send(email, late, as);
      const again = await send(email, early, as);
      await decide(fixture, notices[1] ?? "", "lift", { reason_code: "mistake", revision: 2 });
      const afterwards = await send(email, late, as);
      for (const [first, second] of [
        [before, again],
        [meanwhile, afterwards],
      ] as const) {
        expect(second.statusCode, second.body).toBe(200);
        expect(second.json().data).toEqual({ ...first.json().data, repeated: true });
      }
      expect(await typesOf(before.json().data.id)).toEqual(["ReportSubmitted"]);
      const held = ["ReportSubmitted", "SubmissionHeldBack"];
      expect(await typesOf(meanwhile.json().data.id)).toEqual(held);
    },
  );
});

describe("an account suspended between a submission and its retry", () => {
  it("gets the first reply for the retry, and a refusal for any other request", async () => {
    const send = (key: string) =>
      fixture.call("POST", SUBMIT, {
        body: { ...chargeback, reporter_email: free },
        key,
        as: "user",
      });
    const free = someAddress();
    const [early, late] = [randomUUID(), randomUUID()];
    const before = await send(early);
    expect(before.statusCode, before.body).toBe(200);
    // Visitors' reports from its confirmed address count, but don't ban the account.
    const { notices } = await infringer(fixture, 2, "user@registry.example");
    const again = await send(early);
    expect(again.statusCode, again.body).toBe(200);
    expect(again.json().data).toEqual({ ...before.json().data, repeated: true });
    expect(refusal(await send(late))).toEqual([403, "submission_refused"]);
    expect(await typesOf(before.json().data.id)).toEqual(["ReportSubmitted"]);
    for (const notice of notices)
      await decide(fixture, notice, "lift", { reason_code: "mistake", revision: 2 });
    // Nothing of a refused request is stored.
    const accepted = await send(late);
    expect(accepted.statusCode, accepted.body).toBe(200);
    expect(accepted.json().data.repeated).toBeUndefined();
  });
});

describe("someone who submitted a suspended address", () => {
  it("gets uninformative replies when requesting another link or correcting the address", async () => {
    const { email } = await infringer(fixture, 2);
    const free = someAddress();
    const answersFor = async (address: string) => {
      const { id, correction_token: token } = (await typed(address)).json().data;
      const url = `/prod/api/reports/${id}`;
      const resent = await fixture.call("POST", `${url}/resend-verification`, {
        body: { email: address },
      });
      const corrected = await fixture.call("POST", `${url}/correct-address`, {
        body: { token, email: `${address}.example` },
      });
      return { id, answers: [resent, corrected].map((answer) => bare(answer)) };
    };
    const suspended = await answersFor(email);
    const others = await answersFor(free);
    expect(suspended.answers).toEqual(others.answers);
    expect(suspended.answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is sent no other link while the address is suspended", async () => {
    const { email } = await infringer(fixture, 2);
    const { id } = (await typed(email)).json().data;
    const by = newEnvelope(systemCaller(new Date().toISOString()));
    const resend = { type: "ResendVerification", email } as const;
    expect((await fixture.api.reports.execute(id, resend, by)).changed).toBe(false);
    expect(await typesOf(id)).toEqual(["ReportSubmitted", "SubmissionHeldBack"]);
  });

  it("is sent none if staff change the report to the suspended address", async () => {
    const { email } = await infringer(fixture, 2);
    const { id } = (await typed(someAddress())).json().data;
    const edited = await fixture.call("PUT", admin(id), {
      as: "admin",
      body: { reporter_email: email },
    });
    expect(edited.statusCode, edited.body).toBe(200);
    expect((await typesOf(id)).slice(-2)).toEqual([
      "ReportVerificationResent",
      "SubmissionHeldBack",
    ]);
  });
});

describe("an account", () => {
  it("learns nothing about an address that isn't its own", async () => {
    const { email } = await infringer(fixture, 2);
    const refused = await typed(email, "user");
    expect(refused.statusCode, refused.body).toBe(200);
    expect((await typesOf(refused.json().data.id)).at(-1)).toBe("SubmissionHeldBack");
  });

  it("is notified and banned, and unbanned once a notice is lifted, unless banned by staff", async () => {
    // Must be last, because other tests of this file submit as this account too.
    const reports: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { id } = (await typed(someAddress(), "user")).json().data;
      await approveBySystem(fixture, id);
      reports.push(id);
    }
    const [first = "", second = "", third = ""] = reports;
    await takenDown(fixture, first);
    const notice = await takenDown(fixture, second);
    const [warning] = (await fixture.api.reports.load(second))?.warnings ?? [];
    expect(warning).toMatchObject({ step: "suspension", account_id: expect.any(String) });
    const banned = await fixture.db.query(
      "select status, banned_until from command.account where id = $1",
      [warning?.account_id],
    );
    expect(banned.rows).toEqual([{ status: "banned", banned_until: expect.any(Date) }]);
    const actor = { id: warning?.account_id ?? "", role: "user" } as const;
    const caller = { ...systemCaller(new Date().toISOString()), actor };
    const submitting = fixture.api.suspensions.refuseAccount(caller);
    await expect(submitting).rejects.toMatchObject({ code: "submission_refused" });
    await decide(fixture, notice, "lift", { reason_code: "withdrawn", revision: 2 });
    const free = await fixture.db.query("select status from command.account where id = $1", [
      warning?.account_id,
    ]);
    expect(free.rows).toEqual([{ status: "active" }]);
    await fixture.api.suspensions.refuseAccount(caller);

    const byStaff = newEnvelope(systemCaller(new Date().toISOString()));
    await fixture.api.accountModeration.ban(actor.id, { reason: "By hand" }, byStaff);
    const last = await takenDown(fixture, third);
    const banOf = () =>
      fixture.db.query("select status, banned_until from command.account where id = $1", [
        actor.id,
      ]);
    expect((await banOf()).rows).toEqual([{ status: "banned", banned_until: Infinity }]);
    await decide(fixture, last, "lift", { reason_code: "withdrawn", revision: 2 });
    expect((await banOf()).rows).toEqual([{ status: "banned", banned_until: Infinity }]);
  });
});
