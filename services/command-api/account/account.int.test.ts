import { describe, expect, it } from "vitest";
import { PASSWORD_STAFF } from "#contracts/account/password-rule.ts";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

const EMAIL = "dana@registry.example";
const PASSWORD = "Correct-horse-9";
const now = () => new Date().toISOString();

const login = (email = EMAIL, password = PASSWORD) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });

/** Makes a call that every signed-in account may make. */
async function works(token: string): Promise<boolean> {
  const answer = await fixture.call(
    "GET",
    "/prod/api/reports/all?emergency_approve=true&report_id=00000000-0000-4000-8000-000000000000",
    { token },
  );
  return answer.statusCode !== 401;
}

describe("an account's first event", () => {
  it("links its owner's reports by the sealed address", async () => {
    const { id } = (await login()).json().data.user;
    const submitted = await fixture.call("POST", "/prod/api/reports/submit", {
      body: { ...chargeback, reporter_email: "Dana@registry.Example" },
    });
    const first = async (stream: string) => {
      for await (const stored of fixture.api.store.readStream(stream)) {
        const keys = await fixture.api.keys.get(registryCodec.subjectsOf([stored]));
        expect(Object.keys(stored.data)).not.toContain("blind");
        return registryCodec.openEvent(stored, keys);
      }
      throw new Error("no event");
    };
    const report = await first(streams.report(submitted.json().data.id));
    const account = await first(streams.user(id));
    const blind = { email: expect.stringMatching(/^[\w-]{43}$/) };
    expect(report.data).toMatchObject({ reporter: { blind } });
    if (report.type !== "ReportSubmitted") throw new Error("no report");
    expect(account).toMatchObject({
      type: "AccountAdded",
      data: { role: "admin", account: { email: EMAIL, blind: report.data.reporter?.blind } },
    });
  });
});

describe("signing in", () => {
  it("returns the account and its tokens, whatever the case of the address", async () => {
    const answer = await login("Dana@Registry.example");
    expect(answer.json()).toMatchObject({
      success: true,
      data: { user: { email: EMAIL, first_name: "Dana", last_name: "Ruiz", role: "admin" } },
    });
    expect(await works(answer.json().data.token)).toBe(true);
  });

  it("is logged with the account as the actor", async () => {
    const { id } = (await login()).json().data.user;
    const { rows } = await fixture.db.query(
      "select metadata->'actor' as actor from event_log.event where stream like 'session-%' and data->>'account_id' = $1",
      [id],
    );
    expect(rows.at(-1).actor).toEqual({ id, role: "admin" });
  });

  it("gives the same answer for a wrong password and an unknown address", async () => {
    const [wrong, unknown] = [await login(EMAIL, "wrong"), await login("nobody@registry.example")];
    expect(wrong.statusCode).toBe(401);
    expect(wrong.body).toBe(unknown.body);
  });

  it("logs failed attempts, sealed", async () => {
    await login("nobody-else@registry.example");
    const { rows } = await fixture.db.query(
      "select data::text, metadata::text from event_log.event where type = 'SignInFailed'",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("nobody");
    expect(rows[0].data).toContain('"cause"');
    expect(rows[0].metadata).toContain("security-");
  });
});

describe("the first admin", () => {
  it("is the oldest active one, or the oldest if none is active, so it can be restored", async () => {
    const { accounts } = fixture.api;
    const second = { email: "second@registry.example", password: PASSWORD, role: "admin" } as const;
    await accounts.add({ ...second, firstName: "S", lastName: "A" }, systemCaller(now()));
    const { rows } = await fixture.db.query(
      "select id from command.account where role = 'admin' order by created_at, id",
    );
    await fixture.db.query("update command.account set status = 'active' where role = 'admin'");
    const ids: string[] = rows.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect((await accounts.firstAdmin())?.id).toBe(ids[0]);
    await fixture.db.query("update command.account set status = 'banned' where id = $1", [ids[0]]);
    expect((await accounts.firstAdmin())?.id).toBe(ids[1]);
    await fixture.db.query("update command.account set status = 'banned' where role = 'admin'");
    expect((await accounts.firstAdmin())?.id).toBe(ids[0]);
    const reset = await accounts.resetPassword(undefined, PASSWORD, systemCaller(now()));
    expect(reset).toMatchObject({ id: ids[0], email: EMAIL });
    expect((await login()).statusCode).toBe(200);
  });
});

describe("adding an account", () => {
  it("requires a strong password, with 12 characters for staff, as does resetting it", async () => {
    const { accounts } = fixture.api;
    const names = { firstName: "D", lastName: "R" } as const;
    const email = "operator-made@registry.example";
    const add = (password: string, role: "user" | "admin") =>
      accounts.add({ email, password, role, ...names }, systemCaller(now()));
    await expect(add("Password1234!", "user")).rejects.toThrow(/commonly used/);
    await expect(add("Tr0ub4dor&3", "admin")).rejects.toThrow(PASSWORD_STAFF);
    expect(await accounts.idOf(email)).toBeUndefined();
    const reset = (password: string) =>
      accounts.resetPassword(EMAIL, password, systemCaller(now()));
    await expect(reset("Tr0ub4dor&3")).rejects.toThrow(PASSWORD_STAFF);
    await expect(reset("Password1234!")).rejects.toThrow(/commonly used/);
    expect((await login()).statusCode).toBe(200);
  });
});

describe("refused calls", () => {
  const url = "/prod/api/admin/reports/00000000-0000-4000-8000-000000000000/approve";
  const refuse = async () => {
    expect((await fixture.call("POST", url, { body: {}, as: "auditor" })).statusCode).toBe(403);
  };
  const refusals = async () => {
    const type = "type = 'CallRefused' and metadata->'actor'->>'role' = 'auditor'";
    const { rows } = await fixture.db.query(
      `select data from event_log.event where ${type} order by position`,
    );
    return rows.map(({ data }) => data);
  };
  const call = { method: "POST", route: "/prod/api/admin/reports/:id/approve", code: "forbidden" };

  it("are grouped by route pattern into one event, and one more for the rest of the hour", async () => {
    const { observed } = fixture.api;
    for (let n = 0; n < 3; n += 1) await refuse();
    await Promise.all([observed.record(now()), observed.record(now())]);
    expect(await refusals()).toEqual([{ ...call, count: 3 }]);
    for (let n = 0; n < 40; n += 1) await refuse();
    await observed.record(now());
    expect(await refusals()).toHaveLength(1);
    await fixture.db.query("update ops.observed set hour = hour - interval '25 hours'");
    await observed.record(now());
    await observed.record(now());
    expect(await refusals()).toEqual([
      { ...call, count: 3 },
      { ...call, count: 40 },
    ]);
    expect((await fixture.db.query("select from ops.observed")).rowCount).toBe(0);
  });

  it("are logged once if a process crashes between the event and its mark", async () => {
    const { observed } = fixture.api;
    const before = (await refusals()).length;
    await refuse();
    await fixture.db.query("update ops.observed set recording = times");
    const { rows } = await fixture.db.query("select * from ops.observed");
    await observed.record(now());
    await refuse();
    await fixture.db.query("update ops.observed set recording = $1, recorded = $2", [
      rows[0].recording,
      rows[0].recorded,
    ]);
    await observed.record(now());
    expect(await refusals()).toHaveLength(before + 1);
  });

  it("are answered with 503 if they cannot be recorded", async () => {
    await fixture.db.query("alter table ops.observed rename to away");
    try {
      const answer = await fixture.call("POST", url, { body: {}, as: "auditor" });
      expect(answer.statusCode).toBe(503);
    } finally {
      await fixture.db.query("alter table ops.away rename to observed");
    }
  });
});
