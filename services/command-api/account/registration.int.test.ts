import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createOneTimeLinks, type OneTimeLinks } from "#vault/links/one-time-link.ts";
import { ErasureFollower } from "../housekeeping/erasure-follower.ts";
import { newEnvelope } from "../kernel/envelope.ts";
import { browser, openAccounts } from "../testing/accounts.fixture.ts";
import { chargeback, type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";

const PASSWORD = "Lamp-light-42";
const OTHER = "Other-light-43";

let fixture: Fixture;
let links: OneTimeLinks;
beforeAll(async () => {
  fixture = await startCommandApi();
  links = createOneTimeLinks(await fixture.api.keys.liveKey("links"));
});
afterAll(() => fixture.close());

let count = 0;
let email = "";
beforeEach(() => {
  count += 1;
  email = `rae${count}@shop.example`;
});

const send = (url: string, payload: object, token?: string, headers: object = {}) =>
  fixture.api.app.inject({
    method: "POST",
    url: `/prod/api/${url}`,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    payload,
  });
const form = (password = PASSWORD, more: object = {}) => ({
  first_name: "Rae",
  last_name: "Holt",
  email,
  password,
  confirmPassword: password,
  ...more,
});
const register = async (password = PASSWORD, more: object = {}) => {
  const answer = await send("auth/register", form(password, more));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
};
const signIn = (password = PASSWORD) => send("auth/login", { email, password });
const works = async (token: string) =>
  (await send("auth/resend-verification", {}, token)).statusCode === 200;
const settled = () => fixture.api.background.finish();

async function eventsOf(id: string) {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 order by revision",
    [streams.user(id)],
  );
  return rows;
}
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
async function lastLink(id: string, type: string, purpose: "confirm-account" | "reset-password") {
  const event = (await eventsOf(id)).findLast((each) => each.type === type);
  const { link_id: linkId, expires_at: expiresAt } = event.data.link;
  return links.makeToken(purpose, { aggregateId: id, linkId, expiresAt });
}
const confirmLink = (id: string, type = "AccountRegistered") =>
  lastLink(id, type, "confirm-account");
/** How many accounts there are, and how many events of accounts. */
const stored = async () => {
  const { rows } = await fixture.db.query(
    `select (select count(*) from command.account) as accounts,
            (select count(*) from event_log.event where stream like 'user-%') as events`,
  );
  return rows;
};
const rowOf = async (id: string) =>
  (await fixture.db.query("select * from command.account where id = $1", [id])).rows[0];

describe("registering", () => {
  it("answers with a session and a device cookie, and the account is its owner's to use", async () => {
    const answer = await send(
      "auth/register",
      form(PASSWORD, { company_name: "Lamps", phone: " ", website: "https://lamps.example" }),
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.cookies[0]).toMatchObject({ name: "device", httpOnly: true });
    const { user, token, refreshToken } = answer.json().data;
    expect(user).toMatchObject({
      first_name: "Rae",
      last_name: "Holt",
      email,
      company: "Lamps",
      website: "https://lamps.example",
      role: "user",
      confirmed: false,
    });
    expect(user).not.toHaveProperty("phone");
    expect(refreshToken).toBeTruthy();
    expect(await works(token)).toBe(true);
    const again = await signIn();
    expect(again.json().data.user).toEqual(user);
    const [registered] = await eventsOf(user.id);
    expect(registered).toMatchObject({
      type: "AccountRegistered",
      metadata: { command: "RegisterAccount", actor: { id: "visitor" } },
    });
    expect(JSON.stringify(registered)).not.toMatch(/Rae|Holt|shop|Lamps/);
  });

  it("tells each field what is wrong, and takes neither common passwords nor what it does not know", async () => {
    const before = await stored();
    const empty = await send("auth/register", {});
    expect(empty.statusCode).toBe(400);
    expect(Object.keys(empty.json().error.fields)).toEqual([
      "first_name",
      "last_name",
      "email",
      "password",
      "confirmPassword",
    ]);
    const common = await send("auth/register", form("Password1"));
    expect(common.json().error.fields).toEqual({
      password: "This password is too common. Please choose another one.",
    });
    const label = "d".repeat(63);
    // 320 letters each; each part of the second is as long as it may be.
    const long = [
      `${"r".repeat(320 - "@shop.example".length)}@shop.example`,
      `${"r".repeat(64)}@${label}.${label}.${label}.${label}`,
    ];
    for (const address of long) expect(address).toHaveLength(320);
    for (const address of ["r", "r@", ...long]) {
      const refused = await send("auth/register", form(PASSWORD, { email: address }));
      expect(refused.json().error.fields).toEqual({ email: "Please enter a valid email" });
    }
    const admin = await send("auth/register", form(PASSWORD, { role: "admin" }));
    expect(admin.statusCode).toBe(400);
    expect(await stored()).toEqual(before);
  });

  it("keeps markup as the text that it is, and takes none as address, website or password", async () => {
    const markup = "<script>alert(1)</script>";
    const free = { first_name: markup, last_name: markup, phone: markup, company_name: markup };
    const { user } = await register(PASSWORD, free);
    expect(user).toMatchObject({
      first_name: markup,
      last_name: markup,
      phone: markup,
      company: markup,
    });
    const before = await stored();
    const everywhere = form(markup, { ...free, email: markup, website: markup });
    const refused = await send("auth/register", everywhere);
    expect(refused.statusCode).toBe(400);
    expect(Object.keys(refused.json().error.fields).toSorted()).toEqual([
      "email",
      "password",
      "website",
    ]);
    expect((await send("auth/register", form(PASSWORD, { last_name: "a\nb" }))).statusCode).toBe(
      400,
    );
    expect(await stored()).toEqual(before);
  });

  it("of a confirmed address is refused, and its owner told once a day", async () => {
    const { user, token } = await register();
    await send(`verify-email/${await confirmLink(user.id)}`, {}, token);
    for (const _ of ["once", "again"]) {
      const answer = await send("auth/register", form(OTHER));
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error.code).toBe("email_taken");
      await settled();
    }
    expect(await typesOf(user.id)).toEqual([
      "AccountRegistered",
      "EmailConfirmed",
      "RegistrationAttempted",
    ]);
    expect((await signIn()).statusCode).toBe(200);
    const staff = await send("auth/register", form(OTHER, { email: "dana@registry.example" }));
    expect(staff.json().error.code).toBe("email_taken");
  });

  it("again before anybody confirmed it replaces the account, whose key goes and whose reports stay", async () => {
    const first = await register();
    const report = { ...chargeback, reporter_email: email };
    const submitted = await send("reports/submit", report, first.token);
    const second = await register(OTHER, { first_name: "Real" });
    expect(second.user.id).not.toBe(first.user.id);
    expect(await works(first.token)).toBe(false);
    expect((await send("auth/refresh", { refreshToken: first.refreshToken })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(401);
    expect((await signIn(OTHER)).json().data.user.first_name).toBe("Real");
    const replaced = (await eventsOf(first.user.id)).at(-1);
    expect(replaced).toMatchObject({
      type: "AccountReplaced",
      data: { replaced_by: second.user.id },
    });
    const key = subjects.account(first.user.id);
    const reporter = subjects.reporter(submitted.json().data.id);
    const keys = await fixture.api.keys.get([key, reporter]);
    expect(keys.get(key)?.state).toBe("destroyed");
    expect(keys.get(reporter)?.state).toBe("present");
    expect(await fixture.api.keys.ownedBy(first.user.id)).toEqual([]);
    expect(await rowOf(first.user.id)).toBeUndefined();
  });

  it("twice at once leaves one account, and every answer is a session or says to try again", async () => {
    const answers = await Promise.all(
      ["Aa-first-1x", "Aa-second-1x", "Aa-third-1x"].map((password) =>
        send("auth/register", form(password)),
      ),
    );
    // Nobody has confirmed it, so nobody is told that the address is an account's.
    for (const answer of answers)
      if (answer.statusCode !== 200)
        expect([answer.statusCode, answer.json().error.code]).toEqual([409, "conflict"]);
    const { rows } = await fixture.db.query(
      "select status, confirmed from command.account where id = any($1)",
      [answers.flatMap((answer) => answer.json().data?.user.id ?? [])],
    );
    expect(rows).toEqual([{ status: "active", confirmed: false }]);
  });

  it("sent again under its key signs in to the account of the first time", async () => {
    const key = { "idempotency-key": "0123456789abcdef" };
    const first = await send("auth/register", form(), undefined, key);
    const again = await send("auth/register", form(), undefined, key);
    const { id } = first.json().data.user;
    expect(again.json().data.user.id).toBe(id);
    expect(await typesOf(id)).toEqual(["AccountRegistered"]);
    const guessed = await send("auth/register", form(OTHER), undefined, key);
    expect(guessed.json().data.user.id).not.toBe(id);
  });
});

describe("an address that nobody confirms", () => {
  const DAY_MS = 24 * 3_600_000;
  it("is free after thirty days, and its account gone; reports stay", async () => {
    const { user, token } = await register();
    const report = (await send("reports/submit", chargeback, token)).json().data.id;
    const confirmed = await register(PASSWORD, { email: `c${email}` });
    await send(`verify-email/${await confirmLink(confirmed.user.id)}`, {}, confirmed.token);
    await fixture.api.registration.expire(Date.now() + 29 * DAY_MS);
    expect(await rowOf(user.id)).toBeDefined();
    await fixture.api.registration.expire(Date.now() + 31 * DAY_MS);
    expect(await rowOf(user.id)).toBeUndefined();
    expect(await typesOf(user.id)).toEqual(["AccountRegistered", "AccountExpired"]);
    const [key, reporter] = [subjects.account(user.id), subjects.reporter(report)];
    const keys = await fixture.api.keys.get([key, reporter]);
    expect(keys.get(key)?.state).toBe("destroyed");
    expect(keys.get(reporter)?.state).toBe("present");
    expect(await rowOf(confirmed.user.id)).toBeDefined();
    await register();
  });

  it("is given up as well where a process died after its event", async () => {
    const { user } = await register();
    const dying = await openAccounts(fixture);
    const caller = browser(new Date());
    await dying.handler.execute(
      accountAggregate(user.id),
      { type: "ExpireAccount" },
      newEnvelope(caller),
    );
    // Registering finishes it, and so does housekeeping.
    const second = await register(OTHER);
    expect(second.user.id).not.toBe(user.id);
    const key = subjects.account(user.id);
    expect((await fixture.api.keys.get([key])).get(key)?.state).toBe("destroyed");
  });
});

describe("confirming the address", () => {
  it("from the account's own session keeps everything, and works once", async () => {
    const { user, token } = await register();
    const link = `verify-email/${await confirmLink(user.id)}`;
    const answer = await send(link, {}, token);
    expect(answer.json()).toEqual({
      success: true,
      message: "Email verified successfully!",
      data: { kind: "account", next: "done" },
    });
    expect(await rowOf(user.id)).toMatchObject({ confirmed: true, status: "active" });
    expect(await works(token)).toBe(true);
    expect((await signIn()).json().data.user).toMatchObject({ confirmed: true, first_name: "Rae" });
    for (const as of [token, undefined])
      expect((await send(link, {}, as)).json().error.code).toBe("link_invalid");
  });

  it("from elsewhere ends all sessions, and drops what was set before", async () => {
    const { user, token, refreshToken } = await register();
    const submitted = await send("reports/submit", chargeback, token);
    const answer = await send(`verify-email/${await confirmLink(user.id)}`, {});
    const { next, reset_token } = answer.json().data;
    expect(next).toBe("set_password");
    expect(await works(token)).toBe(false);
    expect((await send("auth/refresh", { refreshToken })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(401);
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([]);
    const reporter = subjects.reporter(submitted.json().data.id);
    expect((await fixture.api.keys.get([reporter])).get(reporter)?.state).toBe("present");
    const { rows } = await fixture.db.query("select from command.device where account_id = $1", [
      user.id,
    ]);
    expect(rows).toEqual([]);
    const reset = { token: reset_token, password: OTHER, confirmPassword: OTHER };
    expect((await send("auth/reset-password", reset)).statusCode).toBe(200);
    const session = await signIn(OTHER);
    expect(session.json().data.user).toMatchObject({ first_name: "", email, confirmed: true });
    expect(await typesOf(user.id)).toEqual([
      "AccountRegistered",
      "EmailConfirmed",
      "PasswordResetRequested",
      "SessionsEnded",
      "PasswordChanged",
      "SessionsEnded",
    ]);
  });

  it("leaves it no report that a session of before sends, though no table knows of its end yet", async () => {
    const { user, token } = await register();
    const { handler } = await openAccounts(fixture);
    const ends = { type: "SignOutEverywhere" } as const;
    await handler.execute(accountAggregate(user.id), ends, newEnvelope(browser(new Date())));
    const answer = await send("reports/submit", chargeback, token);
    expect(answer.json().error?.code).toBe("invalid_token");
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([]);
    const session = (await signIn()).json().data;
    const submitted = await send("reports/submit", chargeback, session.token);
    expect(submitted.statusCode, submitted.body).toBe(200);
  });

  it("takes no later report from its owner when it is repeated, and gives no link that was used", async () => {
    const { user, token } = await register();
    await send("reports/submit", chargeback, token);
    const url = `verify-email/${await confirmLink(user.id)}`;
    const key = { "idempotency-key": `confirm-${user.id}` };
    const first = await send(url, {}, undefined, key);
    const { reset_token } = first.json().data;
    expect((await send(url, {}, undefined, key)).json()).toEqual(first.json());
    const reset = { token: reset_token, password: OTHER, confirmPassword: OTHER };
    expect((await send("auth/reset-password", reset)).statusCode).toBe(200);
    const session = (await signIn(OTHER)).json().data;
    const { id } = (await send("reports/submit", chargeback, session.token)).json().data;
    const again = await send(url, {}, undefined, key);
    expect(again.json().data).toEqual({ kind: "account", next: "done" });
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([subjects.reporter(id)]);
  });

  it("leaves reports of before to nobody also when the process dies at once", async () => {
    const { user, token } = await register();
    const former = (await send("reports/submit", chargeback, token)).json().data.id;
    const [{ data }] = await eventsOf(user.id);
    const { changes } = await openAccounts(fixture);
    const change = { accountId: user.id, confirms: true, passwordHash: "", forgetsDevices: true };
    const command = { type: "ConfirmEmail", linkId: data.link.link_id } as const;
    await changes.make(command, change, browser(new Date()));
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([subjects.reporter(former)]);
    const { store, keys, accountEraser: eraser, standings, inquiries } = fixture.api;
    const views = { forget: async () => {} };
    const removal = { erase: async () => {}, eraseOf: async () => {} };
    const follower = new ErasureFollower({
      store,
      keys,
      eraser,
      standings,
      views,
      removal,
      inquiries,
    });
    await follower.run(new Date().toISOString());
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([]);
  });

  it("by a link of an account that was replaced confirms its successor, and drops it", async () => {
    const mine = await register();
    const link = `verify-email/${await confirmLink(mine.user.id)}`;
    const stranger = await register(OTHER);
    const third = await register(OTHER, { first_name: "Third" });
    const answer = await send(link, {});
    expect(answer.json().data).toMatchObject({ kind: "account", next: "set_password" });
    for (const { token } of [stranger, third]) expect(await works(token)).toBe(false);
    expect(await rowOf(third.user.id)).toMatchObject({ confirmed: true, password_hash: "" });
    expect((await send(link, {})).json().error.code).toBe("link_invalid");
  });

  it("is refused for a link of another purpose, a forged one and one that expired", async () => {
    const { user } = await register();
    const [event] = await eventsOf(user.id);
    const { link_id: linkId, expires_at: expiresAt } = event.data.link;
    const content = { aggregateId: user.id, linkId, expiresAt };
    const tokens = [
      links.makeToken("reset-password", content),
      links.makeToken("sign-in", content),
      links.makeToken("verify-email", content),
      links.makeToken("confirm-account", { ...content, expiresAt: "2020-01-01T00:00:00.000Z" }),
      `${(await confirmLink(user.id)).slice(0, -4)}AAAA`,
    ];
    for (const token of tokens)
      expect((await send(`verify-email/${token}`, {})).statusCode).toBeGreaterThanOrEqual(400);
    expect(await rowOf(user.id)).toMatchObject({ confirmed: false });
  });

  it("can be asked for again, as long as fewer than five links work", async () => {
    const { user, token } = await register();
    for (let n = 0; n < 6; n += 1)
      expect((await send("auth/resend-verification", {}, token)).statusCode).toBe(200);
    expect(await typesOf(user.id)).toHaveLength(5);
    const link = await confirmLink(user.id, "EmailConfirmationRequested");
    expect((await send(`verify-email/${link}`, {}, token)).statusCode).toBe(200);
    expect((await send("auth/resend-verification", {}, token)).statusCode).toBe(200);
    expect(await typesOf(user.id)).toHaveLength(6);
  });

  it("races with a replacement: one of the two holds", async () => {
    const { user } = await register();
    const link = `verify-email/${await confirmLink(user.id)}`;
    const [confirmed, registered] = await Promise.all([
      send(link, {}),
      send("auth/register", form(OTHER)),
    ]);
    const { rows } = await fixture.db.query(
      "select id, confirmed from command.account where email_blind = (select email_blind from command.account where id = any($1))",
      [[user.id, registered.json().data?.user.id ?? user.id]],
    );
    expect(rows).toHaveLength(1);
    // The link confirms whichever account has the address; in between nobody has it.
    if (!rows[0].confirmed) expect((await send(link, {})).statusCode).toBe(200);
    else expect(confirmed.statusCode).toBe(200);
  });
});
