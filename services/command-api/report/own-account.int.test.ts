import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { BULK } from "#contracts/http/jobs.ts";
import { MODERATION, MODERATION_NAMES, moderation } from "#contracts/http/moderation.ts";
import { QUEUE } from "#contracts/http/queue.ts";
import { RESOLUTION_COMMAND_NAMES, resolutionCommand } from "#contracts/http/resolution.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { MODERATION_BODIES } from "#test-kit/moderation-bodies.ts";
import {
  chargeback,
  type Fixture,
  type Member,
  startCommandApi,
} from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import {
  admin,
  eraseReport,
  eventsOf,
  SUBMIT,
  submit,
  verificationToken,
} from "../testing/reports.fixture.ts";
import { named, picture, upload } from "../testing/uploads.fixture.ts";

const fixture = forFile(() => startCommandApi());
/** A moderator whom these reports concern, and one whom they don't. */
let jose: Member;
let other: Member;
beforeAll(async () => {
  jose = await fixture.member({ role: "admin", firstName: "José", lastName: "O'Brien-Hale" });
  other = await fixture.member({ role: "admin", firstName: "Ida", lastName: "Nyberg" });
});

const send = (by: Member, method: "POST" | "PUT" | "DELETE", url: string, payload: object) =>
  fixture.call(method, url, { body: payload, token: by.token });

const request_id = randomUUID();
const BANNER = {
  accept: { request_id },
  refuse: { request_id, reason: "No seal" },
  pay: { request_id, method: "bank_transfer", reference: "Transfer 1" },
  refund: { payment_id: randomUUID(), reason_code: "mistaken", reason: "Sent by mistake" },
} as const;

/** Everything that staff can send about a report, by name. */
function everything(id: string, file: string): readonly Attempt[] {
  const emergency = (name: string, more = ""): Attempt => [
    `emergency_${name}`,
    (by) =>
      fixture.call("GET", `/prod/api/reports/all?emergency_${name}=true&report_id=${id}${more}`, {
        token: by.token,
      }),
  ];
  return [
    ...MODERATION_NAMES.map((name): Attempt => {
      const { method, path } = moderation(name);
      return [name, (by) => send(by, method, admin(id, path), MODERATION_BODIES[name])];
    }),
    ...RESOLUTION_COMMAND_NAMES.map((name): Attempt => {
      const { path } = resolutionCommand(name);
      return [name, (by) => send(by, "POST", admin(id, path), BANNER[name])];
    }),
    ["reveal", (by) => send(by, "POST", admin(id, "/reveal"), {})],
    [
      "fetch a revealed file",
      (by) => send(by, "POST", admin(id, `/reveals/${randomUUID()}/files/${file}`), {}),
    ],
    ["open a file", (by) => send(by, "POST", admin(id, `/evidence/${file}`), {})],
    ["hide", (by) => send(by, "POST", admin(id, `/evidence/${file}/hide`), {})],
    [
      "delete a file",
      (by) => send(by, "POST", admin(id, `/evidence/${file}/delete`), { reason_code: "unrelated" }),
    ],
    [
      "publish",
      async (by) =>
        fixture.api.app.inject({
          method: "POST",
          url: `${admin(id, `/evidence/${file}/publish`)}?boxes=0&page=1`,
          headers: {
            authorization: `Bearer ${by.token}`,
            "content-type": "application/octet-stream",
          },
          payload: await picture(),
        }),
    ],
    emergency("approve"),
    emergency("delete"),
    emergency("verify"),
    emergency("edit", `&edit_data=${btoa(JSON.stringify({ city: "Boulder" }))}`),
  ];
}
/** A command's name, and a function that sends it as a moderator. */
type Attempt = readonly [string, (by: Member) => ReturnType<Fixture["call"]>];

/** Reports that concern a moderator, each for a different reason. */
const concerning: readonly [string, () => Promise<{ id: string; file: string }>][] = [
  [
    "they submitted",
    async () => {
      const file = await upload(fixture);
      const sent = await send(jose, "POST", SUBMIT, { ...chargeback, evidence: [named(file)] });
      return { id: sent.json().data.id, file: file.id };
    },
  ],
  [
    "they claimed",
    async () => {
      const report = await withFile({ reporter_email: jose.email });
      const token = await verificationToken(fixture, report.id);
      await fixture.call("POST", `/prod/api/verify-email/${token}`, { body: {} });
      const claim = `/prod/api/account/reports/${report.id}/claim`;
      expect((await send(jose, "POST", claim, {})).statusCode).toBe(200);
      return report;
    },
  ],
  [
    "has their address",
    () => withFile({ first_name: "Pat", last_name: "Orr", email: jose.email.toUpperCase() }),
  ],
  [
    "has their name, written otherwise",
    () => withFile({ first_name: "JOSE", last_name: "OBrien Hale" }),
  ],
];

async function withFile(change: object): Promise<{ id: string; file: string }> {
  const file = await upload(fixture);
  const id = await submit(fixture, { ...chargeback, ...change, evidence: [named(file)] });
  return { id, file: file.id };
}

describe.each(concerning)("a report that %s", (_, make) => {
  it("can only be handled by another admin, whatever the command", async () => {
    const { id, file } = await make();
    const before = await eventsOf(fixture, id);
    for (const [name, run] of everything(id, file)) {
      const answer = await run(jose);
      const { code, message } = answer.json().error ?? {};
      expect([name, answer.statusCode, code, message]).toEqual([
        name,
        403,
        "forbidden",
        OWN_REPORT,
      ]);
    }
    expect(await eventsOf(fixture, id)).toEqual(before);
    const { rowCount } = await fixture.db.query(
      "select from event_log.event where type in ('PersonalDataViewed', 'EvidenceViewed') and data->>'report_id' = $1",
      [id],
    );
    expect(rowCount).toBe(0);
    const by = (url: string) => send(other, "POST", admin(id, url), {});
    expect((await by("/reveal")).statusCode).toBe(200);
    expect((await by("/approve")).statusCode).toBe(200);
  });

  it("is refused in a bulk decision, and skipped by the queue", async () => {
    const { id } = await make();
    const [{ length }, free] = [await eventsOf(fixture, id), await submit(fixture)];
    const revision = length - 1;
    const reports = [
      { id, revision },
      { id: free, revision: 0 },
    ];
    const take = await send(jose, "POST", `${QUEUE}/take`, { reports: [id, free] });
    expect(take.json().data.taken.report_id).toBe(free);
    const answer = await send(jose, "POST", BULK, { command: "approve", reports });
    await fixture.api.jobs.settled();
    const { rows } = await fixture.db.query(
      "select target, outcome, code from command.job_line where job_id = $1",
      [answer.json().data.job_id],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { target: id, outcome: "refused", code: "forbidden" },
        { target: free, outcome: "done", code: null },
      ]),
    );
  });
});

describe("a report with a previous address of the moderator's account", () => {
  it("can only be handled by another admin, like one with the current address", async () => {
    const { member, change } = emailChangeCalls(() => fixture);
    const first = await member("admin");
    const second = await change(first);
    const third = await change(second);
    for (const { email } of [first, second, third]) {
      const { id } = await withFile({ first_name: "Pat", last_name: "Orr", email });
      const refused = await send(third, "POST", admin(id, "/approve"), {});
      expect([refused.statusCode, refused.json().error.message]).toEqual([403, OWN_REPORT]);
      expect((await send(third, "POST", admin(id, "/reveal"), {})).statusCode).toBe(403);
      expect((await send(other, "POST", admin(id, "/approve"), {})).statusCode).toBe(200);
    }
  });
});

describe("a report with a previous name of the moderator", () => {
  it("can only be handled by another admin, even after the name changed", async () => {
    const renaming = await fixture.member({
      role: "admin",
      firstName: "Ann",
      lastName: "Oakhurst-Vale",
    });
    const { id } = await withFile({ first_name: "Ann", last_name: "Oakhurst-Vale" });
    const profile = { first_name: "Pat", last_name: "Fielding" };
    const renamed = await send(renaming, "PUT", "/prod/api/auth/profile", profile);
    expect(renamed.statusCode, renamed.body).toBe(200);
    expect((await send(renaming, "DELETE", admin(id), {})).statusCode).toBe(403);
    expect((await send(other, "POST", admin(id, "/approve"), {})).statusCode).toBe(200);
  });
});

describe("a report that concerns whoever gave the moderator their role today", () => {
  it("can only be handled by an admin outside that chain of grants, whatever the command", async () => {
    const seats = [jose];
    for (let i = 0; i < 2; i += 1) {
      const { id, email } = await fixture.addAccount({ lastName: `C${i}` });
      const [giver] = seats.slice(-1) as [Member];
      const given = await send(giver, "PUT", `/prod/api/admin/users/${id}/role`, { role: "admin" });
      expect(given.statusCode, given.body).toBe(200);
      seats.push({ id, email, token: await fixture.signIn(email) });
    }
    const sent = await send(jose, "POST", SUBMIT, chargeback);
    const { id } = sent.json().data;
    const file = await upload(fixture);
    for (const [name, run] of everything(id, file.id)) {
      const codes: unknown[] = [];
      for (const by of seats) codes.push((await run(by)).json().error?.message);
      expect([name, ...codes]).toEqual([name, OWN_REPORT, OWN_REPORT, OWN_REPORT]);
    }
    const removal = await send(
      seats[2] as Member,
      "DELETE",
      `/prod/api/admin/users/${jose.id}`,
      {},
    );
    expect(removal.json().error.code).toBe("own_account");
    // They may decide a report that concerns none of them.
    const free = await submit(fixture);
    expect((await send(seats[2] as Member, "POST", admin(free, "/approve"), {})).statusCode).toBe(
      200,
    );
    expect((await send(other, "POST", admin(id, "/approve"), {})).statusCode).toBe(200);
  });
});

describe("a report that is not about the moderator", () => {
  it.each([
    ["a namesake's first name", { first_name: "Jose", last_name: "Hale" }],
    ["a namesake's last name", { first_name: "Joseph", last_name: "O'Brien-Hale" }],
    [
      "them as the reporter's name",
      { reporter_first_name: "José", reporter_last_name: "O'Brien-Hale" },
    ],
  ])("can be decided by them: %s", async (_, change) => {
    const { id } = await withFile(change);
    expect((await send(jose, "POST", admin(id, "/reveal"), {})).statusCode).toBe(200);
    expect((await send(jose, "POST", admin(id, MODERATION.approve.path), {})).statusCode).toBe(200);
  });

  it("may have an address that the account has not confirmed", async () => {
    const wanted = `${randomUUID()}@registry.example`;
    const { id } = await withFile({ email: wanted });
    const asked = await send(jose, "POST", "/prod/api/auth/change-email", {
      email: wanted,
    });
    expect(asked.statusCode, asked.body).toBe(200);
    expect((await send(jose, "POST", admin(id, "/approve"), {})).statusCode).toBe(200);
  });

  it("includes an erased one, which concerns no one", async () => {
    const { id } = (await send(jose, "POST", SUBMIT, chargeback)).json().data;
    expect((await send(other, "DELETE", admin(id), {})).statusCode).toBe(200);
    expect((await send(jose, "POST", admin(id, "/undo-deletion"), {})).statusCode).toBe(403);
    await eraseReport(fixture, id);
    expect((await send(jose, "POST", admin(id, "/approve"), {})).statusCode).toBe(410);
  });
});
