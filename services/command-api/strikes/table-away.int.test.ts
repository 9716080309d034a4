import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf, SUBMIT, verificationToken } from "../testing/reports.fixture.ts";
import { approve, decide, infringer, someAddress } from "../testing/strikes.fixture.ts";

// In a separate file, because submissions skip the table for a while after it is back.
const fixture = forFile(() => startCommandApi());

const typed = (reporter_email: string) =>
  fixture.call("POST", SUBMIT, { body: { ...chargeback, reporter_email } });
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const verify = (token: string) =>
  fixture.call("POST", `/prod/api/verify-email/${token}`, { body: {} });

describe("while the strikes table is missing", () => {
  /** Runs `work` while no process can read the table. */
  async function away<T>(work: () => Promise<T>): Promise<T> {
    await fixture.db.query("alter table command.strike rename to strike_away");
    try {
      return await work();
    } finally {
      await fixture.db.query("alter table command.strike_away rename to strike");
    }
  }
  const as = "admin" as const;
  /** Every way in which staff could publish or confirm the report. */
  const attempts = async (id: string, email: string) => {
    const answers = [
      await fixture.call("POST", admin(id, "/approve"), { as, body: {} }),
      await fixture.call("POST", admin(id, "/verify"), { as, body: {} }),
      await fixture.call("PUT", admin(id), { as, body: { status: "approved" } }),
      await fixture.call("PUT", admin(id), { as, body: { verified: true } }),
      await fixture.call("PUT", admin(id), {
        as,
        body: { status: "approved", reporter_email: email },
      }),
    ];
    return answers.map(refusal);
  };
  const five = (status: number, code: string) => Array.from({ length: 5 }, () => [status, code]);

  it("nothing counts as confirmed by the submitting account", async () => {
    const own = { ...chargeback, reporter_email: "user@registry.example" };
    const submit = async () => {
      const answer = await fixture.call("POST", SUBMIT, { body: own, as: "user" });
      expect(answer.statusCode, answer.body).toBe(200);
      return typesOf(answer.json().data.id);
    };
    expect(await submit()).toContain("ReportVerifiedByAccount");
    expect(await away(submit)).toEqual(["ReportSubmitted"]);
  });

  it("staff can't publish unconfirmed reports from that time, then or later", async () => {
    const [suspended, another] = [await infringer(fixture, 2), await infringer(fixture, 3)];
    const { id, confirmed } = await away(async () => {
      const submitted = await typed(suspended.email);
      expect(submitted.statusCode, submitted.body).toBe(200);
      const { id } = submitted.json().data;
      expect(await attempts(id, another.email)).toEqual(five(503, "unavailable"));
      return { id, confirmed: await typed(someAddress()) };
    });
    expect(await typesOf(id)).toEqual(["ReportSubmitted"]);
    expect(await attempts(id, another.email)).toEqual(five(409, "reporter_suspended"));
    expect(await typesOf(id)).toEqual(["ReportSubmitted"]);

    // A confirmed report was checked when it was confirmed.
    const other = confirmed.json().data.id;
    expect((await verify(await verificationToken(fixture, other))).statusCode).toBe(200);
    await away(() => approve(fixture, other));
    await decide(fixture, suspended.notices[1] ?? "", "lift", {
      reason_code: "mistake",
      revision: 2,
    });
    await approve(fixture, id);
  });
});
