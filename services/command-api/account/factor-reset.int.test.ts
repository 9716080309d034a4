import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { newProtectedAccount, totpCode } from "../testing/two-factor.fixture.ts";

const fixture = forFile(() => startCommandApi());
let admin: string;
beforeAll(async () => {
  admin = await idOf("dana@registry.example");
});

const REASON = "Called back on the number of the account";
const caller = () => systemCaller(new Date().toISOString());
const idOf = async (email: string) => (await fixture.api.accounts.idOf(email)) ?? "";
const url = (id: string) => `/prod/api/admin/users/${id}/two-factor/reset`;
const reset = (id: string, options: { body?: object; key?: string } = {}) =>
  fixture.call("POST", url(id), { as: "admin", body: { reason: REASON }, ...options });
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;

const eventsOf = (id: string) => fixture.events(streams.user(id));
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
const codesLeft = async (id: string) =>
  (await fixture.db.query("select from command.recovery_code where account_id = $1", [id]))
    .rowCount;

const makeAdmin = async (email: string) =>
  (await fixture.addAccount({ email, role: "admin", firstName: "Ada", lastName: "Min" })).id;

describe("an admin who resets a second factor", () => {
  it("lets its owner in with only the password, ends all sessions and logs the reason", async () => {
    const { id, email, home } = await newProtectedAccount(fixture);
    const second = await makeAdmin("second@registry.example");
    const answer = await reset(id);
    expect([answer.statusCode, answer.headers["x-position"]]).toEqual([200, expect.any(String)]);
    expect((await home.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(401);
    expect((await home.login(email)).token).toBeDefined();
    const [event, ended] = (await eventsOf(id)).slice(-2);
    expect([event.type, ended.type]).toEqual(["TwoFactorReset", "SessionsEnded"]);
    expect(ended.data).toEqual({ cause: "two_factor_changed" });
    expect(event.metadata.actor).toEqual({ id: admin, role: "admin" });
    expect(event.data.told).toEqual([admin, second]);
    expect(event.data.account.key).toBe(`account-${id}`);
    expect(JSON.stringify(event)).not.toContain("Called back");
    expect(await codesLeft(id)).toBe(0);
  });

  it("does it once, even if the call is repeated after the owner has set up a new one", async () => {
    const { id, home, email } = await newProtectedAccount(fixture);
    const key = randomUUID();
    expect((await reset(id, { key })).statusCode).toBe(200);
    await home.login(email);
    const { secret } = (await home.send("POST", "two-factor/setup")).json().data;
    const confirmed = await home.send("POST", "two-factor/confirm", { code: totpCode(secret) });
    const [code] = confirmed.json().data.recovery_codes;
    const types = await typesOf(id);
    expect((await reset(id, { key })).statusCode).toBe(200);
    expect(await typesOf(id)).toEqual(types);
    expect(await codesLeft(id)).toBe(10);
    const { challenge } = await home.login(email);
    expect(await home.finish(challenge, code)).toBe(200);
    const other = await reset(id, { key, body: { reason: "Another one" } });
    expect(other.statusCode).toBe(422);
  });
});

describe("an admin who resets the second factor of another admin", () => {
  const protectedAdmin = () => newProtectedAccount(fixture, 0, "admin");

  it("enters a code of their own, which works once; all admins are notified", async () => {
    const [owner, asker] = [await protectedAdmin(), await protectedAdmin()];
    const [code, other] = asker.codes;
    const send = (body: object, key = randomUUID()) =>
      fixture.call("POST", url(owner.id), {
        body: { reason: REASON, ...body },
        token: asker.home.token,
        key,
      });
    expect(codeOf(await send({}))).toBe("code_required");
    for (const wrong of ["000000", owner.codes[0]])
      expect(codeOf(await send({ code: wrong }))).toBe("wrong_code");
    expect(await codesLeft(owner.id)).toBe(10);
    const key = randomUUID();
    const answer = await send({ code }, key);
    expect([answer.statusCode, answer.headers["x-position"]]).toEqual([200, expect.any(String)]);
    const [event, ended] = (await eventsOf(owner.id)).slice(-2);
    expect([event.type, ended.type]).toEqual(["TwoFactorReset", "SessionsEnded"]);
    expect(event.metadata.actor).toEqual({ id: asker.id, role: "admin" });
    expect(event.data.told).toEqual(expect.arrayContaining([admin, asker.id]));
    expect(event.data.told).not.toContain(owner.id);
    expect((await owner.home.login(owner.email)).token).toBeDefined();
    expect(await codesLeft(owner.id)).toBe(0);
    // A repeat gets the same answer even though the code is used up.
    expect((await send({ code }, key)).statusCode).toBe(200);
    expect(codeOf(await send({ code }))).toBe("wrong_code");
    expect(codeOf(await send({ code: other }))).toBe("two_factor_off");
  });

  it("cannot without a second factor of their own, and cannot reset their own this way", async () => {
    const owner = await protectedAdmin();
    expect(codeOf(await reset(owner.id))).toBe("second_factor_required");
    const own = await owner.home.send("POST", url(owner.id), {
      reason: REASON,
      code: owner.codes[0],
    });
    expect(codeOf(own)).toBe("forbidden");
    expect(await typesOf(owner.id)).not.toContain("TwoFactorReset");
  });
});

describe("the operator who resets a second factor", () => {
  it("can do so for an admin too, and notifies all the others", async () => {
    const { id, email, home } = await newProtectedAccount(fixture, 0, "admin");
    expect(await fixture.api.factorResets.byOperator(id, caller())).toBe(true);
    expect((await home.login(email)).token).toBeDefined();
    const event = (await eventsOf(id)).at(-2);
    expect(event.metadata.actor).toEqual({ id: "system", role: "system" });
    expect(event.data.told).toContain(admin);
    expect(event.data.told).not.toContain(id);
    expect(event.data).not.toHaveProperty("account");
    expect(await fixture.api.factorResets.byOperator(id, caller())).toBe(false);
  });

  it("and crashes before it is logged: the next sign-in requires no code", async () => {
    const { id, email, home } = await newProtectedAccount(fixture);
    const append = () => Promise.reject(new Error("died"));
    const store = withMethods(fixture.api.store, { append });
    const { factorResets: resets } = await openAccounts(fixture, { store });
    await expect(resets.byOperator(id, caller())).rejects.toThrow("died");
    expect((await home.login(email)).token).toBeDefined();
    expect(await typesOf(id)).toContain("TwoFactorReset");
  });
});
