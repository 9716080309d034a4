import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { browser, openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { at, PASSWORD, sessionCalls, sidOf } from "../testing/sessions.fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());
const { signIn, refresh, login, refreshOver, signOut, endRace, works, eventsOf, typesOf, rowOf } =
  sessionCalls(() => fixture);

describe("ending sessions", () => {
  it.each([
    ["without a payload", undefined],
    ["with an empty one", {}],
    ["as pages of an earlier version do", { refreshToken: "x".repeat(43) }],
  ])("signing out %s ends this session at once, and no other", async (_how, payload) => {
    const [mine, other] = [await login(), await login()];
    expect((await signOut(mine.token, payload)).statusCode).toBe(200);
    expect(await works(mine.token)).toBe(false);
    expect((await refreshOver(mine.refreshToken)).statusCode).toBe(401);
    expect(await works(other.token)).toBe(true);
    expect((await eventsOf(sidOf(mine.token))).at(-1)).toMatchObject({
      type: "SessionEnded",
      data: { cause: "signed_out" },
      metadata: { command: "SignOut", actor: { role: "admin" } },
    });
  });

  it("signing out everywhere voids every token of the account at once", async () => {
    const [one, other] = [await login(), await login()];
    const refreshed = (await refreshOver(other.refreshToken)).json().data;
    expect((await signOut(one.token, { all: true })).statusCode).toBe(200);
    for (const token of [one.token, other.token, refreshed.token])
      expect(await works(token)).toBe(false);
    for (const token of [one.refreshToken, refreshed.refreshToken])
      expect((await refreshOver(token)).statusCode).toBe(401);
    expect(await works((await login()).token)).toBe(true);
    const { rows } = await fixture.db.query(
      "select type, data from event_log.event where stream = $1 order by revision desc limit 1",
      [streams.user(one.user.id)],
    );
    expect(rows).toEqual([{ type: "SessionsEnded", data: { cause: "signed_out" } }]);
  });

  it("a reused refresh token voids only its own session's access tokens", async () => {
    const [stolen, other] = [await login(), await login()];
    const next = (await refreshOver(stolen.refreshToken)).json().data;
    await endRace();
    expect((await refreshOver(stolen.refreshToken)).statusCode).toBe(401);
    for (const token of [stolen.token, next.token]) expect(await works(token)).toBe(false);
    expect((await refreshOver(next.refreshToken)).statusCode).toBe(401);
    expect(await works(other.token)).toBe(true);
  });

  it("takes effect while the log is down, and is logged afterwards", async () => {
    const { user, token, refreshToken } = await signIn();
    const store = withMethods(fixture.api.store, {
      append: () => Promise.reject(new Error("away")),
    });
    const { sessions } = await openAccounts(fixture, { store });
    const caller = { ...browser(at(0)), actor: { ...user, sessionId: token } };
    await expect(sessions.signOut("session", caller)).rejects.toThrow("away");
    await expect(refresh(refreshToken)).rejects.toThrow("sign in again");
    expect(await typesOf(token)).toEqual(["SessionStarted"]);
    await fixture.api.sessions.sweep(at(0.1).getTime());
    await fixture.api.sessions.sweep(at(0.1).getTime());
    expect((await eventsOf(token)).slice(1)).toMatchObject([
      {
        type: "SessionEnded",
        data: { cause: "signed_out" },
        metadata: { actor: { role: "system" } },
      },
    ]);
  });

  it("a sweep ends expired sessions, and removes them and their tokens a day later", async () => {
    const [unused, used] = [await signIn(), await signIn()];
    await refresh(used.refreshToken, browser(at(10)));
    const aged = await signIn(at(-80));
    await fixture.db.query("update command.session set last_used_at = $2 where id = $1", [
      aged.token,
      at(9),
    ]);
    await fixture.api.sessions.sweep(at(14).getTime());
    expect((await eventsOf(unused.token)).at(-1)).toMatchObject({
      type: "SessionEnded",
      data: { cause: "idle" },
      metadata: { command: "ExpireSession" },
    });
    expect((await eventsOf(aged.token)).at(-1)).toMatchObject({
      type: "SessionEnded",
      data: { cause: "expired" },
    });
    expect(await typesOf(used.token)).not.toContain("SessionEnded");
    expect(await rowOf(unused.token)).toBeDefined();
    await fixture.api.sessions.sweep(at(15.1).getTime());
    expect(await rowOf(unused.token)).toBeUndefined();
    const { rows } = await fixture.db.query(
      "select family from command.refresh_token where family in ($1, $2)",
      [unused.token, used.token],
    );
    expect(new Set(rows.map(({ family }) => family))).toEqual(new Set([used.token]));
  });

  it("a ban applies at the next request", async () => {
    const account = { email: "ban@registry.example", password: PASSWORD, role: "admin" } as const;
    const caller = systemCaller(at(0).toISOString());
    await fixture.api.accounts.add({ ...account, firstName: "B", lastName: "N" }, caller);
    const { token, user } = await login(account.email);
    expect(await works(token)).toBe(true);
    await fixture.db.query("update command.account set status = 'banned' where id = $1", [user.id]);
    expect(await works(token)).toBe(false);
    expect(await login(account.email)).toBeUndefined();
  });
});
