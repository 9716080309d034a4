import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemCaller } from "../log/log.service.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { RefreshTokenStore } from "./refresh-token.store.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const EMAIL = "dana@registry.example";
const PASSWORD = "Correct-horse-9";
const now = () => new Date().toISOString();

const login = (email = EMAIL, password = PASSWORD) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });
const refresh = (refreshToken: string) =>
  fixture.call("POST", "/prod/api/auth/refresh", { body: { refreshToken } });

const signOut = (token: string, payload: object) =>
  fixture.api.app.inject({
    method: "POST",
    url: "/prod/api/auth/logout",
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
/** Ages what was traded, so that no two tabs can be racing any more. */
const endRace = () =>
  fixture.db.query("update command.refresh_token set used_at = used_at - interval '1 minute'");

/** A call that any signed-in account may send. */
async function works(token: string): Promise<boolean> {
  const answer = await fixture.api.app.inject({
    method: "GET",
    url: "/prod/api/reports/all?emergency_approve=true&report_id=00000000-0000-4000-8000-000000000000",
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.statusCode !== 401;
}

describe("signing in", () => {
  it("answers with the account and its tokens, whatever the case of the address", async () => {
    const answer = await login("Dana@Registry.example");
    expect(answer.json()).toMatchObject({
      success: true,
      data: { user: { email: EMAIL, first_name: "Dana", last_name: "Ruiz", role: "admin" } },
    });
    expect(await works(answer.json().data.token)).toBe(true);
  });

  it("is written into the log as the account's own act", async () => {
    const { id } = (await login()).json().data.user;
    const { rows } = await fixture.db.query(
      "select metadata->'actor' as actor from event_log.event where stream = $1 and type = 'SignedIn'",
      [`user-${id}`],
    );
    expect(rows.at(-1).actor).toEqual({ id, role: "admin" });
  });

  it("says the same of a wrong password and of an unknown address", async () => {
    const [wrong, unknown] = [await login(EMAIL, "wrong"), await login("nobody@registry.example")];
    expect(wrong.statusCode).toBe(401);
    expect(wrong.body).toBe(unknown.body);
  });

  it("writes refused attempts into the log, sealed", async () => {
    await login("nobody-else@registry.example");
    const { rows } = await fixture.db.query(
      "select data::text, metadata::text from event_log.event where type = 'SignInFailed'",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("nobody");
    expect(rows[0].data).toContain('"cause"');
    expect(rows[0].metadata).toContain("security-");
  });

  it("names what is missing in the form's words", async () => {
    const answer = await fixture.call("POST", "/prod/api/auth/login", { body: { email: "" } });
    expect(answer.json().error.fields).toEqual({
      email: "Email is required",
      password: "Password is required",
    });
  });

  it("keeps neither address nor password readable", async () => {
    const { rows } = await fixture.db.query("select a::text as row from command.account a");
    expect(JSON.stringify(rows)).not.toMatch(/registry\.example|Correct-horse/);
  });
});

describe("refreshing", () => {
  it("takes a token once and hands out the next", async () => {
    const { refreshToken } = (await login()).json().data;
    const next = await refresh(refreshToken);
    expect(await works(next.json().data.token)).toBe(true);
    expect(next.json().data.refreshToken).not.toBe(refreshToken);
  });

  it("lets two tabs race, and revokes the family when an old token comes back later", async () => {
    const store = new RefreshTokenStore(fixture.db);
    const { rows } = await fixture.db.query(
      "select id, token_version from command.account limit 1",
    );
    const [{ id, token_version }] = rows;
    const start = Date.now();
    const family = randomUUID();
    const first = await store.issue(family, id, token_version, start);
    const second = await store.exchange(first, start + 1_000);
    const raced = await store.exchange(first, start + 9_000);
    expect([second.state, raced.state]).toEqual(["exchanged", "exchanged"]);
    expect(await store.exchange(first, start + 12_000)).toEqual({
      state: "reused",
      accountId: id,
      family,
    });
    const token = second.state === "exchanged" ? second.token : "";
    expect((await store.exchange(token, start + 13_000)).state).toBe("refused");
  });

  it("refuses unknown and expired tokens", async () => {
    const store = new RefreshTokenStore(fixture.db);
    expect((await refresh("x".repeat(43))).statusCode).toBe(401);
    const { rows } = await fixture.db.query("select id from command.account limit 1");
    const token = await store.issue(randomUUID(), rows[0].id, 1, 0);
    expect((await store.exchange(token, 15 * 24 * 3_600_000)).state).toBe("refused");
  });
});

describe("ending sessions", () => {
  it("signing out ends the refresh token's family", async () => {
    const { token, refreshToken } = (await login()).json().data;
    expect((await signOut(token, { refreshToken })).statusCode).toBe(200);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
  });

  it("signing out of everything voids every token of the account at once", async () => {
    const [one, other] = [(await login()).json().data, (await login()).json().data];
    const refreshed = (await refresh(other.refreshToken)).json().data;
    expect((await signOut(one.token, {})).statusCode).toBe(200);
    for (const token of [one.token, other.token, refreshed.token])
      expect(await works(token)).toBe(false);
    for (const token of [one.refreshToken, refreshed.refreshToken])
      expect((await refresh(token)).statusCode).toBe(401);
    expect(await works((await login()).json().data.token)).toBe(true);
  });

  it("a refresh token that comes back voids what the account signed in with, once", async () => {
    const [stolen, other] = [(await login()).json().data, (await login()).json().data];
    const next = (await refresh(stolen.refreshToken)).json().data;
    await refresh(other.refreshToken);
    await endRace();
    expect((await refresh(stolen.refreshToken)).statusCode).toBe(401);
    for (const token of [stolen.token, next.token, other.token])
      expect(await works(token)).toBe(false);
    // Whoever holds an old token cannot end the sessions that come after.
    const fresh = (await login()).json().data;
    for (const token of [stolen.refreshToken, next.refreshToken, other.refreshToken])
      expect((await refresh(token)).statusCode).toBe(401);
    expect(await works(fresh.token)).toBe(true);
  });

  it("the log names the session that was begun, ended, or given away", async () => {
    const given = (await login()).json().data;
    await refresh(given.refreshToken);
    await endRace();
    expect((await refresh(given.refreshToken)).statusCode).toBe(401);
    const { data } = (await login()).json();
    await signOut(data.token, { refreshToken: data.refreshToken });
    await signOut(data.token, { refreshToken: "x".repeat(43) });
    await signOut(data.token, {});
    const { rows } = await fixture.db.query(
      `select type, data from event_log.event where stream = $1
       order by revision desc limit 6`,
      [`user-${data.user.id}`],
    );
    const [all, unknown, one, signedInAgain, reused, signedIn] = rows;
    const { session_id } = signedIn.data;
    expect(session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(reused).toEqual({ type: "RefreshTokenReused", data: { session_id } });
    expect(one).toEqual({ type: "SignedOut", data: { scope: "session", ...signedInAgain.data } });
    expect(unknown).toEqual({ type: "SignedOut", data: { scope: "session" } });
    expect(all).toEqual({ type: "SignedOut", data: { scope: "all_sessions" } });
  });

  it("a new password voids every token at once", async () => {
    const { accounts } = fixture.api;
    const profile = { role: "admin", firstName: "Kit", lastName: "Moss" } as const;
    const email = "kit@registry.example";
    await accounts.add({ email, password: "Old-password-1", ...profile }, systemCaller(now()));
    const { token, refreshToken } = (await login(email, "Old-password-1")).json().data;
    await accounts.resetPassword(email, "New-password-1", systemCaller(now()));
    expect(await works(token)).toBe(false);
    expect((await refresh(refreshToken)).statusCode).toBe(401);
    expect((await login(email, "Old-password-1")).statusCode).toBe(401);
    expect((await login(email, "New-password-1")).statusCode).toBe(200);
  });

  it("a ban counts at the next request", async () => {
    const { accounts } = fixture.api;
    const email = "ban@registry.example";
    const account = {
      email,
      password: PASSWORD,
      role: "admin",
      firstName: "B",
      lastName: "N",
    } as const;
    await accounts.add(account, systemCaller(now()));
    const { token } = (await login(email)).json().data;
    const { sub } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
    await fixture.db.query("update command.account set status = 'banned' where id = $1", [sub]);
    expect(await works(token)).toBe(false);
    expect((await login(email)).statusCode).toBe(401);
  });
});

describe("the first admin", () => {
  it("is the oldest that is active, and the oldest when none is: it can be given back", async () => {
    const { accounts } = fixture.api;
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
  it("refuses an address that is taken, and finishes what was left half done", async () => {
    const { accounts } = fixture.api;
    const account = {
      email: EMAIL,
      password: "x",
      role: "user",
      firstName: "D",
      lastName: "R",
    } as const;
    expect(await accounts.add(account, systemCaller(now()))).toBeNull();
    const half = { ...account, email: "half@registry.example", password: PASSWORD };
    const added = await accounts.add(half, systemCaller(now()));
    expect(added?.id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("refused calls", () => {
  it("of a signed-in account stand in the log, by the route's pattern", async () => {
    const url = "/prod/api/admin/reports/00000000-0000-4000-8000-000000000000/approve";
    expect((await fixture.call("POST", url, { body: {}, as: "auditor" })).statusCode).toBe(403);
    const { rows } = await fixture.db.query(
      "select data from event_log.event where type = 'CallRefused'",
    );
    expect(rows.map(({ data }) => data)).toContainEqual({
      method: "POST",
      route: "/prod/api/admin/reports/:id/approve",
      code: "forbidden",
    });
  });
});
