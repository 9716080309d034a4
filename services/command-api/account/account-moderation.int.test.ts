import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import {
  accountModerationCalls,
  type Member,
  USERS,
} from "../testing/account-moderation.fixture.ts";
import { openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { refusal, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { newBrowser, totpCode } from "../testing/two-factor.fixture.ts";

const fixture = forFile(() => startCommandApi());

const HOUR_MS = 3_600_000;

const { member, command, ban, unban, login, works, eventsOf, typesOf, setPassword } =
  accountModerationCalls(() => fixture);

describe("a ban", () => {
  it("ends every session immediately, and shows its reason only with the right password", async () => {
    const ann = await member();
    const other = newBrowser(fixture);
    const { refreshToken } = await other.login(ann.email);
    const banned = await ban(ann.id, { until: "2031-05-02T10:30:00Z" });
    expect(banned.statusCode, banned.body).toBe(200);
    expect(banned.headers["x-position"]).toEqual(expect.any(String));
    expect(banned.json()).toMatchObject({
      data: { id: ann.id, status: "banned", role: "user" },
      message: "User banned. All sessions have ended.",
    });
    expect(await works(ann)).toBe(false);
    const refreshed = { body: { refreshToken } };
    expect((await fixture.call("POST", "/prod/api/auth/refresh", refreshed)).statusCode).toBe(401);
    const refused = await login(ann.email);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error).toEqual({
      code: "account_banned",
      message:
        "Your account is banned until May 2, 2031 at 10:30 AM UTC. Reason: Made reports up. If you think this is a mistake, write to support@registry.test.",
    });
    const [wrong, unknown] = [
      await login(ann.email, "Wrong-horse-9"),
      await login("nobody@registry.example", "Wrong-horse-9"),
    ];
    expect([wrong.statusCode, wrong.json()]).toEqual([unknown.statusCode, unknown.json()]);
    expect(JSON.stringify(await eventsOf(ann.id))).not.toContain("Made reports up");
  });

  it("does not ask for a second factor, and does not remove it", async () => {
    const ann = await member();
    const { secret } = (await ann.browser.send("POST", "two-factor/setup")).json().data;
    await ann.browser.send("POST", "two-factor/confirm", { code: totpCode(secret, -1) });
    await ban(ann.id);
    expect(refusal(await login(ann.email))).toEqual([403, "account_banned"]);
    await unban(ann.id);
    expect(Object.keys((await login(ann.email)).json().data)).toContain("challenge");
  });

  it("does not confirm the address when it is lifted", async () => {
    const email = `${randomUUID()}@shop.example`;
    const registered = await fixture.call("POST", "/prod/api/auth/register", {
      body: registration(email),
    });
    const { id } = registered.json().data.user;
    await ban(id);
    expect((await unban(id)).json().data).toMatchObject({ status: "pending" });
  });

  it("ends by itself: at the first sign-in after its end, or through housekeeping", async () => {
    const [ann, bob] = [await member(), await member()];
    const until = new Date(Date.now() + HOUR_MS).toISOString();
    for (const { id } of [ann, bob]) await ban(id, { until });
    await fixture.api.accountModeration.endDue(Date.now());
    expect(refusal(await login(ann.email))).toEqual([403, "account_banned"]);
    vi.setSystemTime(Date.now() + HOUR_MS + 1000);
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const signedIn = await login(ann.email);
    expect(signedIn.statusCode, signedIn.body).toBe(200);
    await fixture.api.accountModeration.endDue(Date.now());
    const over = { type: "AccountUnbanned", data: { by: "end" } };
    for (const { id } of [ann, bob]) {
      const ends = (await eventsOf(id)).filter(({ type }) => type === "AccountUnbanned");
      expect(ends).toMatchObject([over]);
    }
    expect((await login(bob.email)).statusCode).toBe(200);
  });

  it("is not lifted by a new password set with a link, but by the operator's reset", async () => {
    const ann = await member();
    await ban(ann.id);
    const caller = systemCaller(new Date().toISOString());
    fixture.api.passwords.requestReset(ann.email, [], caller, async () => undefined);
    await fixture.api.background.finish();
    const token = await fixture.linkOf(streams.user(ann.id), "reset-password");
    expect((await setPassword(token, "Better-stapler-8")).statusCode).toBe(200);
    expect(refusal(await login(ann.email, "Better-stapler-8"))).toEqual([403, "account_banned"]);
    await fixture.api.accounts.resetPassword(ann.email, PASSWORD, caller);
    expect((await login(ann.email)).statusCode).toBe(200);
    const row = "select status, banned_until from command.account where id = $1";
    expect((await fixture.db.query(row, [ann.id])).rows).toEqual([
      { status: "active", banned_until: null },
    ]);
  });

  it("requires a recent password check and a reason", async () => {
    const ann = await member();
    expect(refusal(await ban(ann.id, { reason: " " }))).toEqual([400, "invalid_request"]);
    // The last two days do not exist.
    for (const day of ["2020-01-01", "2027-02-31", "0000-01-01"])
      expect(refusal(await ban(ann.id, { until: `${day}T00:00:00.000Z` })), day).toEqual([
        400,
        "invalid_request",
      ]);
    await fixture.db.query("update command.session set proved_at = null");
    onTestFinished(async () => {
      await fixture.db.query("update command.session set proved_at = now()");
    });
    expect(refusal(await ban(ann.id))).toEqual([403, "proof_required"]);
    const named = await command("PUT", `/${ann.id}`, { first_name: "Ann" });
    expect(named.statusCode, named.body).toBe(200);
    expect(refusal(await command("PUT", `/${ann.id}`, { role: "admin" }))).toEqual([
      403,
      "proof_required",
    ]);
  });
});

describe("the admins", () => {
  /** Leaves only these admins able to act. */
  async function alone(...kept: readonly Member[]) {
    await fixture.db.query(
      "update command.account set status = 'banned' where role = 'admin' and id <> all($1::uuid[])",
      [kept.map(({ id }) => id)],
    );
    onTestFinished(async () => {
      await fixture.db.query("update command.account set status = 'active' where role = 'admin'");
    });
  }
  const demote = (by: Member, whom: Member) =>
    fixture.call("PUT", `${USERS}/${whom.id}/role`, {
      body: { role: "user" },
      token: by.browser.token,
    });

  it("always include one: of two who demote each other concurrently, one stays", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await member("admin"), await member("admin")];
      await alone(one, two);
      const answers = await Promise.all([demote(one, two), demote(two, one)]);
      const left = await fixture.api.accountStore.activeAdmins();
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toContain(200);
      expect(left, answers.map(({ body }) => body).join()).toHaveLength(1);
      await fixture.db.query("update command.account set status = 'active' where role = 'admin'");
    }
  });

  it("are counted including changes whose event is not logged after a crash", async () => {
    const [one, two, three] = [await member("admin"), await member("admin"), await member("admin")];
    await alone(one, two, three);
    const broken = await dying();
    await expect(broken.accountModeration.ban(two.id, BAN, byOperator())).rejects.toThrow("died");
    expect((await demote(two, one)).statusCode).toBe(401);
    expect((await demote(three, one)).statusCode).toBe(200);
    await expect(broken.accountModeration.ban(three.id, BAN, byOperator())).rejects.toMatchObject({
      code: "last_admin",
    });
  });

  it("exclude those who cannot sign in: banned, without a password, or unconfirmed", async () => {
    const [one, two] = [await member("admin"), await member("admin")];
    await alone(one, two);
    const goes = () => fixture.api.accountModeration.ban(one.id, BAN, byOperator());
    for (const without of ["status = 'banned'", "password_hash = ''", "confirmed = false"]) {
      const { rows } = await fixture.db.query("select * from command.account where id = $1", [
        two.id,
      ]);
      await fixture.db.query(`update command.account set ${without} where id = $1`, [two.id]);
      await expect(goes(), without).rejects.toMatchObject({ code: "last_admin" });
      const { status, password_hash, confirmed } = rows[0];
      await fixture.db.query(
        "update command.account set status = $2, password_hash = $3, confirmed = $4 where id = $1",
        [two.id, status, password_hash, confirmed],
      );
    }
    expect(await goes()).toMatchObject({ status: "banned" });
  });
});

describe("a role", () => {
  it("applies to the next request: sessions end, and all admins are notified of new staff", async () => {
    const ann = await member();
    const changed = await command("PUT", `/${ann.id}/role`, { role: "admin" });
    expect(changed.json().data).toMatchObject({ role: "admin", status: "active" });
    expect(await works(ann)).toBe(false);
    await ann.browser.login(ann.email);
    const headers = { authorization: `Bearer ${ann.browser.token}` };
    const url = `${USERS}/${ann.id}`;
    const send = () =>
      fixture.api.app.inject({ method: "PUT", url, headers, payload: { first_name: "Ida" } });
    expect((await send()).statusCode).toBe(200);
    const event = (await eventsOf(ann.id)).find(({ type }) => type === "AccountRoleChanged");
    const admins = await fixture.api.accountStore.activeAdmins();
    expect(event.data.told).toEqual(admins.filter((id) => id !== ann.id));
    expect((await command("PUT", `/${ann.id}/role`, { role: "user" })).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(401);
  });
});

describe("viewing an account's data", () => {
  it("is logged before it is answered", async () => {
    const ann = await member();
    const revealed = await command("POST", `/${ann.id}/reveal`, {});
    expect(revealed.json().data).toEqual({
      email: ann.email,
      first_name: "Ada",
      last_name: "Min",
    });
    const { rows } = await fixture.db.query(
      "select data, metadata from event_log.event where type = 'AccountDataViewed'",
    );
    expect(rows).toMatchObject([{ data: { account_id: ann.id, revision: 0 } }]);
    expect(rows[0].metadata.actor.role).toBe("admin");
    expect(refusal(await command("POST", `/${randomUUID()}/reveal`, {}))).toEqual([
      404,
      "account_not_found",
    ]);
  });
});

it("a ban applies after a crash before its event, which is logged later", async () => {
  const ann = await member();
  const broken = await dying();
  await expect(broken.accountModeration.ban(ann.id, BAN, byOperator())).rejects.toThrow("died");
  expect(await works(ann)).toBe(false);
  expect(refusal(await login(ann.email))).toEqual([403, "account_banned"]);
  expect((await typesOf(ann.id)).slice(-2)).toEqual(["AccountBanned", "SessionsEnded"]);
});

const BAN = { reason: "Spam" };
const byOperator = () => newEnvelope(systemCaller(new Date().toISOString()));
/** A process that crashes before its events are in the log. */
const dying = () => {
  const append = () => Promise.reject(new Error("died"));
  return openAccounts(fixture, { store: withMethods(fixture.api.store, { append }) });
};
