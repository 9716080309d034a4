import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { type Browser, newBrowser, totpCode } from "../testing/two-factor.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const DAY_MS = 86_400_000;
interface Admin {
  readonly id: string;
  readonly email: string;
  readonly browser: Browser;
}
/** An admin with two-factor sign-in, signed in. */
async function admin(isProtected = true): Promise<Admin> {
  const email = `${randomUUID()}@registry.example`;
  const names = { firstName: "Ada", lastName: "Min" };
  const account = { email, password: PASSWORD, role: "admin", ...names } as const;
  const caller = systemCaller(new Date().toISOString());
  const id = (await fixture.api.accounts.add(account, caller))?.id ?? "";
  const browser = newBrowser(fixture);
  await browser.login(email);
  if (!isProtected) return { id, email, browser };
  const { secret } = (await browser.send("POST", "two-factor/setup")).json().data;
  const code = totpCode(secret);
  browser.token = (await browser.send("POST", "two-factor/confirm", { code })).json().data.token;
  return { id, email, browser };
}
const url = (owner: Admin, behind = "") =>
  `/prod/api/admin/users/${owner.id}/two-factor/reset${behind}`;
const ask = (by: Admin, owner: Admin) =>
  by.browser.send("POST", url(owner), { reason: "Lost both, told me in person" });
async function eventsOf({ id }: Admin) {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 order by revision",
    [streams.user(id)],
  );
  return rows;
}
const answer = async (what: "confirm" | "object", by: Admin, owner: Admin) => {
  const asked = (await eventsOf(owner)).findLast(({ type }) => type === "TwoFactorResetRequested");
  return by.browser.send("POST", url(owner, `/${what}`), { request_id: asked.data.request_id });
};
const lastOf = async (owner: Admin) => (await eventsOf(owner)).at(-1).type;
const refusal = (reply: { statusCode: number; json(): { error: { code: string } } }) => [
  reply.statusCode,
  reply.json().error.code,
];
const hasFactor = async ({ email }: Admin) =>
  "challenge" in (await newBrowser(fixture).login(email));

describe("an admin's second factor", () => {
  it("is reset by two admins: one asks, another one confirms", async () => {
    const [owner, asker, second] = [await admin(), await admin(), await admin()];
    const asked = await ask(asker, owner);
    expect([asked.statusCode, asked.headers["x-position"]]).toEqual([200, expect.any(String)]);
    expect(asked.json().message).toMatch(/A second admin confirms it/);
    const event = (await eventsOf(owner)).at(-1);
    expect(event.type).toBe("TwoFactorResetRequested");
    expect(event.data.told).toEqual(expect.arrayContaining([asker.id, second.id]));
    expect(event.data.told).not.toContain(owner.id);
    expect(JSON.stringify(event)).not.toContain("Lost both");
    expect(await hasFactor(owner)).toBe(true);
    expect(refusal(await answer("confirm", asker, owner))).toEqual([403, "forbidden"]);
    expect(refusal(await answer("confirm", owner, owner))).toEqual([403, "forbidden"]);
    expect((await answer("confirm", second, owner)).statusCode).toBe(200);
    const [reset, ended] = (await eventsOf(owner)).slice(-2);
    expect([reset.type, ended.type]).toEqual(["TwoFactorReset", "SessionsEnded"]);
    expect(reset.metadata.actor.id).toBe(second.id);
    expect(await hasFactor(owner)).toBe(false);
    expect((await owner.browser.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(
      401,
    );
    const codes = "select from command.recovery_code where account_id = $1";
    expect((await fixture.db.query(codes, [owner.id])).rowCount).toBe(0);
  });

  it("is confirmed by nobody who became an admin, or got a second factor, since it was asked", async () => {
    const [owner, asker, plain] = [await admin(), await admin(), await admin(false)];
    await ask(asker, owner);
    const puppet = await admin();
    expect(refusal(await answer("confirm", puppet, owner))).toEqual([403, "forbidden"]);
    expect(refusal(await answer("confirm", plain, owner))).toEqual([403, "forbidden"]);
    const { secret } = (await plain.browser.send("POST", "two-factor/setup")).json().data;
    const code = totpCode(secret);
    const on = await plain.browser.send("POST", "two-factor/confirm", { code });
    plain.browser.token = on.json().data.token;
    expect(refusal(await answer("confirm", plain, owner))).toEqual([403, "forbidden"]);
    expect(await hasFactor(owner)).toBe(true);
  });

  it("stays on when somebody objects, without the password again; then it may be asked again", async () => {
    const [owner, asker, second] = [await admin(), await admin(), await admin()];
    await ask(asker, owner);
    expect(refusal(await ask(second, owner))).toEqual([409, "conflict"]);
    await fixture.db.query("update command.session set proved_at = null");
    expect(refusal(await answer("confirm", second, owner))).toEqual([403, "proof_required"]);
    expect((await answer("object", owner, owner)).statusCode).toBe(200);
    expect(await lastOf(owner)).toBe("TwoFactorResetObjected");
    await fixture.db.query("update command.session set proved_at = now()");
    expect(refusal(await answer("confirm", second, owner))).toEqual([404, "not_found"]);
    await fixture.api.factorResets.ofAdmins.completeDue(Date.now() + 2 * DAY_MS);
    expect(await hasFactor(owner)).toBe(true);
    expect((await ask(second, owner)).statusCode).toBe(200);
  });

  it("is reset after a day without an objection, once, and not before", async () => {
    const [owner, asker] = [await admin(), await admin()];
    await ask(asker, owner);
    const { ofAdmins } = fixture.api.factorResets;
    await ofAdmins.completeDue(Date.now() + DAY_MS - 60_000);
    expect(await hasFactor(owner)).toBe(true);
    await ofAdmins.completeDue(Date.now() + DAY_MS + 60_000);
    expect(await hasFactor(owner)).toBe(false);
    const types = (await eventsOf(owner)).map(({ type }) => type);
    await ofAdmins.completeDue(Date.now() + 2 * DAY_MS);
    expect((await eventsOf(owner)).map(({ type }) => type)).toEqual(types);
    expect((await eventsOf(owner)).at(-2).metadata.actor).toEqual({ id: "system", role: "system" });
  });

  it("stays on after a day where whoever asked is no admin any more", async () => {
    const [owner, asker, second] = [await admin(), await admin(), await admin()];
    await ask(asker, owner);
    await fixture.db.query("update command.account set role = 'user' where id = $1", [asker.id]);
    expect(refusal(await answer("confirm", second, owner))).toEqual([404, "not_found"]);
    await fixture.api.factorResets.ofAdmins.completeDue(Date.now() + 2 * DAY_MS);
    expect(await hasFactor(owner)).toBe(true);
  });

  it("is asked for once, however often the call is sent", async () => {
    const [owner, asker] = [await admin(), await admin()];
    const send = () =>
      fixture.api.app.inject({
        method: "POST",
        url: url(owner),
        headers: {
          authorization: `Bearer ${asker.browser.token}`,
          "idempotency-key": `once-for-${owner.id}`,
        },
        payload: { reason: "Lost" },
      });
    expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200]);
    const types = (await eventsOf(owner)).map(({ type }) => type);
    expect(types.filter((type) => type === "TwoFactorResetRequested")).toHaveLength(1);
  });
});
