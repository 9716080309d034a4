import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createOneTimeLinks, type OneTimeLinks } from "#vault/links/one-time-link.ts";
import { browser } from "../testing/accounts.fixture.ts";
import { registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { DEVICE_COOKIE } from "./device.store.ts";

const PASSWORD = "Lamp-light-42";
const OTHER = "Other-light-43";

const fixture = forFile(() => startCommandApi());
let links: OneTimeLinks;
beforeAll(async () => {
  links = createOneTimeLinks(await fixture.api.keys.liveKey("links"));
});

let count = 0;
let email = "";
let id = "";
let session = { token: "", refreshToken: "" };
beforeEach(async () => {
  count += 1;
  email = `pat${count}@shop.example`;
  const names = { first_name: "Pat", last_name: "Orr" };
  const body = registration(email, { ...names, password: PASSWORD, confirmPassword: PASSWORD });
  const { data } = (await send("auth/register", body)).json();
  id = data.user.id;
  session = data;
  const token = await fixture.linkOf(streams.user(id), "confirm-account");
  await send(`verify-email/${token}`, {}, data.token);
});

const send = (url: string, payload: object, token?: string, cookie?: string) =>
  fixture.api.app.inject({
    method: "POST",
    url: `/prod/api/${url}`,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { cookie } : {}),
    },
    payload,
  });
const login = async (password = PASSWORD) => {
  const answer = await send("auth/login", { email, password });
  return answer.statusCode === 200 ? answer.json().data : undefined;
};
const works = async (token: string) =>
  (await send("auth/resend-verification", {}, token)).statusCode === 200;
const refreshes = async (refreshToken: string) =>
  (await send("auth/refresh", { refreshToken })).statusCode === 200;
async function forgot(address = email, cookie?: string) {
  const answer = await send("auth/forgot-password", { email: address }, undefined, cookie);
  await fixture.api.background.finish();
  return answer;
}
async function eventsOf(stream = streams.user(id)) {
  const { rows } = await fixture.db.query(
    "select type, data from event_log.event where stream = $1 order by revision",
    [stream],
  );
  return rows;
}
const typesOf = async () => (await eventsOf()).slice(2).map(({ type }) => type);
async function tokens(): Promise<string[]> {
  const asked = (await eventsOf()).filter(({ type }) => type === "PasswordResetRequested");
  return asked.map(({ data }) => {
    const { link_id: linkId, expires_at: expiresAt } = data.link;
    return links.makeToken("reset-password", { aggregateId: id, linkId, expiresAt });
  });
}
const reset = (token = "", password = OTHER) =>
  send("auth/reset-password", { token, password, confirmPassword: password });
const change = (token: string, currentPassword = PASSWORD, password = OTHER) =>
  send("auth/change-password", { currentPassword, password, confirmPassword: password }, token);

describe("a forgotten password", () => {
  it("gets the same answer for an address with and without an account", async () => {
    const [known, unknown] = [await forgot(), await forgot("nobody@shop.example")];
    for (const answer of [known, unknown]) {
      expect(answer.json()).toEqual({
        success: true,
        message: "Password reset email sent! Please check your inbox.",
      });
    }
    expect(Object.keys(known.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    expect(await typesOf()).toEqual(["PasswordResetRequested"]);
    expect((await send("auth/forgot-password", {})).json().error.fields).toEqual({
      email: "Please enter your email address",
    });
  });

  it("looks up the account only after the answer", async () => {
    // With the accounts table locked, a lookup before the answer would block.
    const client = await fixture.db.connect();
    await client.query("begin; lock table command.account in access exclusive mode");
    const asked = [email, "nobody@shop.example"].map((address) =>
      send("auth/forgot-password", { email: address }),
    );
    for (const { statusCode } of await Promise.all(asked)) expect(statusCode).toBe(200);
    await client.query("rollback");
    client.release();
    await fixture.api.background.finish();
  });

  it("has at most three links requested by strangers, besides its owner's", async () => {
    for (let n = 0; n < 5; n += 1) await forgot();
    expect(await tokens()).toHaveLength(3);
    const { cookies } = await send("auth/login", { email, password: PASSWORD });
    await forgot(email, `${DEVICE_COOKIE}=${cookies[0]?.value}`);
    const asked = await eventsOf();
    expect(asked.at(-1)).toMatchObject({ data: { delivery: "mail", device: "known" } });
  });

  it("is replaced with a link, which works once and ends all sessions", async () => {
    await forgot();
    await forgot();
    const [first, second] = await tokens();
    expect((await reset(first)).json()).toMatchObject({ message: "Password reset successfully!" });
    expect([await works(session.token), await refreshes(session.refreshToken)]).toEqual([
      false,
      false,
    ]);
    expect(await login()).toBeUndefined();
    expect(await login(OTHER)).toBeDefined();
    // The first was used; the second was voided by that.
    for (const token of [first, second]) {
      const refused = await reset(token, "Third-light-44");
      expect(refused.statusCode).toBe(400);
      expect(refused.json().error.code).toBe("link_invalid");
    }
    expect((await typesOf()).slice(2)).toEqual(["PasswordChanged", "SessionsEnded"]);
  });

  it("is refused if weak, with messages for its page, and the link still works", async () => {
    await forgot();
    const [token] = await tokens();
    expect((await reset(token, "short")).json().error.fields).toEqual({
      password: "Password must be at least 8 characters long",
    });
    expect((await reset(token, "Password1")).json().error.fields.password).toMatch(/commonly used/);
    expect((await send("auth/reset-password", { token })).json().error.fields).toEqual({
      password: "Please fill in all fields",
      confirmPassword: "Please fill in all fields",
    });
    expect((await reset(token)).statusCode).toBe(200);
  });

  it("of an unconfirmed address confirms it, and drops what was set before", async () => {
    email = `new${email}`;
    const body = { first_name: "X", last_name: "Y", email, password: PASSWORD };
    const made = (await send("auth/register", { ...body, confirmPassword: PASSWORD })).json().data;
    id = made.user.id;
    await forgot();
    const [token] = await tokens();
    expect((await reset(token)).statusCode).toBe(200);
    expect((await eventsOf()).slice(2).map(({ type }) => type)).toEqual([
      "EmailConfirmed",
      "PasswordChanged",
      "SessionsEnded",
    ]);
    expect((await login(OTHER)).user).toMatchObject({ first_name: "", confirmed: true });
    expect(await works(made.token)).toBe(false);
  });
});

describe("a changed password", () => {
  it("ends all sessions but this one, whose old tokens are void", async () => {
    const other = await login();
    const { token, refreshToken } = (await change(session.token)).json().data;
    expect([await works(token), await works(session.token), await works(other.token)]).toEqual([
      true,
      false,
      false,
    ]);
    for (const former of [session, other]) expect(await refreshes(former.refreshToken)).toBe(false);
    expect(await refreshes(refreshToken)).toBe(true);
    expect([await login(), await login(OTHER)].map((each) => !!each)).toEqual([false, true]);
    expect(await eventsOf()).toMatchObject([
      {},
      {},
      { type: "PasswordChanged", data: { by: "owner" } },
      {
        type: "SessionsEnded",
        data: { cause: "password_changed", kept_session_id: expect.any(String) },
      },
    ]);
  });

  it("requires the current one and logs wrong attempts", async () => {
    const refused = await change(session.token, "Wrong-light-1");
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error).toMatchObject({
      code: "wrong_password",
      fields: { currentPassword: "Your current password is incorrect." },
    });
    const { rows } = await fixture.db.query(
      "select type, data from event_log.event where stream like 'security-%' order by position desc limit 1",
    );
    expect(rows[0]).toMatchObject({ type: "ProofFailed", data: { cause: "wrong_password" } });
    expect(JSON.stringify(rows[0])).not.toContain(id);
    expect(await login()).toBeDefined();
    expect((await change(session.token)).statusCode).toBe(200);
  });

  it("is refused if it is easy to guess for someone who knows the owner", async () => {
    for (const weak of ["Password1!", "Patrick-Orr1", "Pat-Orr-2026"]) {
      const refused = await change(session.token, PASSWORD, weak);
      expect([refused.statusCode, Object.keys(refused.json().error.fields)]).toEqual([
        400,
        ["password"],
      ]);
    }
    expect(await works((await login()).token)).toBe(true);
  });

  it("is refused in a session that ended while the request was in flight", async () => {
    const { sessions } = fixture.api;
    const { passwords } = fixture.api;
    const caller = browser(new Date());
    const { sid } = JSON.parse(
      Buffer.from(session.token.split(".")[1] ?? "", "base64url").toString(),
    );
    const owner = { ...caller, actor: { id, role: "user" as const, sessionId: sid } };
    await sessions.signOut("all", owner);
    const body = { currentPassword: PASSWORD, password: OTHER };
    await expect(passwords.change(body, owner, () => "")).rejects.toMatchObject({
      code: "invalid_token",
    });
    expect(await login()).toBeDefined();
  });

  it("and a concurrent reset leave one password, that of the later event", async () => {
    await forgot();
    const [token] = await tokens();
    const third = "Third-light-44";
    await Promise.all([change(session.token), reset(token, third)]);
    const changed = (await eventsOf()).filter(({ type }) => type === "PasswordChanged");
    const last = changed.at(-1).data.by === "owner" ? OTHER : third;
    for (const password of [PASSWORD, OTHER, third])
      expect(!!(await login(password))).toBe(password === last);
  });
});
