import { describe, expect, it, onTestFinished } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { START as FIRST, StoreUnavailable } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { browser, openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { at, EMAIL, PASSWORD, sessionCalls, sidOf, sign } from "../testing/sessions.fixture.ts";
import { ENDS_AT_ONCE } from "./session-start.ts";

const fixture = forFile(() => startCommandApi());
const { signIn, refresh, login, refreshOver, signOut, endRace, works, eventsOf, typesOf, rowOf } =
  sessionCalls(() => fixture);

/** A log that can be neither read nor written. */
function away() {
  const fail = () => {
    throw new StoreUnavailable("away");
  };
  return withMethods(fixture.api.store, { append: async () => fail(), readStream: fail });
}

describe("ending sessions", () => {
  it.each([
    ["without a payload", undefined],
    ["with an empty one", {}],
  ])("signing out %s ends only this session, immediately", async (_how, payload) => {
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

  it("signing out everywhere voids every token of the account immediately", async () => {
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

  it("takes effect while the log is down, and is logged later", async () => {
    const { user, token, refreshToken } = await signIn();
    const caller = { ...browser(at(0)), actor: { ...user, sessionId: token } };
    const { sessions } = await openAccounts(fixture, { store: away() });
    expect(await sessions.signOut("session", caller)).toBe(FIRST);
    await expect(refresh(refreshToken)).rejects.toThrow("sign in again");
    expect(await typesOf(token)).toEqual(["SessionStarted"]);
    for (let runs = 0; runs < 2; runs += 1) await fixture.api.credentials.relay(Date.now());
    expect((await eventsOf(token)).slice(1)).toMatchObject([
      {
        type: "SessionEnded",
        data: { cause: "signed_out" },
        metadata: { actor: { id: user.id } },
      },
    ]);
  });

  it("a sweep ends expired sessions, and removes them and their tokens a day later", async () => {
    const [unused, used] = [await signIn(), await signIn()];
    // Staff sessions expire sooner, which another test covers.
    const makeOwner = (role: "user" | "admin") =>
      fixture.db.query(
        `update command.account set role = $1
         where id = (select account_id from command.session where id = $2)`,
        [role, used.token],
      );
    await makeOwner("user");
    onTestFinished(async () => void (await makeOwner("admin")));
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
    const { email } = await fixture.addAccount({ role: "admin" });
    const { token, user } = await login(email);
    expect(await works(token)).toBe(true);
    await fixture.db.query("update command.account set status = 'banned' where id = $1", [user.id]);
    expect(await works(token)).toBe(false);
    expect(await login(email)).toBeUndefined();
  });
});

describe("one's own sessions", () => {
  const remove = (token: string, id?: string) =>
    fixture.api.app.inject({
      method: "DELETE",
      url: `/prod/api/auth/sessions${id ? `/${id}` : ""}`,
      headers: { authorization: `Bearer ${token}` },
    });

  it("ends one of them immediately and idempotently, and no other", async () => {
    const [mine, lost] = [await login(), await login()];
    for (const _ of ["once", "again"]) {
      const answer = await remove(mine.token, sidOf(lost.token));
      expect(answer.statusCode).toBe(200);
    }
    expect([await works(mine.token), await works(lost.token)]).toEqual([true, false]);
    expect((await refreshOver(lost.refreshToken)).statusCode).toBe(401);
    const ends = (await eventsOf(sidOf(lost.token))).slice(1);
    expect(ends).toMatchObject([
      {
        type: "SessionEnded",
        data: { cause: "ended_by_owner" },
        metadata: { command: "EndSession", actor: { id: mine.user.id } },
      },
    ]);
  });

  it("keeps the original cause of a session that ended while the log was down", async () => {
    const [mine, stolen] = [await login(), await login()];
    await refreshOver(stolen.refreshToken);
    await endRace();
    const { sessions } = await openAccounts(fixture, { store: away() });
    const now = browser(new Date());
    const refused = sessions.refresh(stolen.refreshToken, now, sign);
    await expect(refused).rejects.toThrow("sign in again");
    expect(await typesOf(sidOf(stolen.token))).toEqual(["SessionStarted"]);
    expect((await remove(mine.token, sidOf(stolen.token))).statusCode).toBe(200);
    expect((await eventsOf(sidOf(stolen.token))).at(-1)).toMatchObject({
      type: "SessionEnded",
      data: { cause: "refresh_token_reused" },
    });
  });

  it.each(["one", "all"])("keeps the original cause of expired ones, ending %s", async (which) => {
    const old = await login();
    const mine = await login();
    await remove(mine.token);
    const over = await login();
    await fixture.db.query(
      "update command.session set last_used_at = now() - interval '20 days' where id = $1",
      [sidOf(over.token)],
    );
    const reply = await remove(mine.token, which === "one" ? sidOf(over.token) : undefined);
    expect(reply.statusCode).toBe(200);
    if (which === "all") expect(reply.json().data).toEqual({ ended: 0 });
    await fixture.api.sessions.sweep(Date.now());
    const causes = await Promise.all([old, over].map(({ token }) => eventsOf(sidOf(token))));
    expect(causes.map((events) => events.at(-1).data.cause)).toEqual(["ended_by_owner", "idle"]);
  });

  it("ends a sign-in before its first event: the end is logged, and the sign-in fails", async () => {
    const mine = await login();
    let ended: number | undefined;
    let id = "";
    const store = withMethods(fixture.api.store, {
      async append(stream, ...batch) {
        if (stream.startsWith("session-") && ended === undefined) {
          id = stream.slice("session-".length);
          ended = 0;
          ended = (await remove(mine.token)).json().data.ended;
          await fixture.api.credentials.relay(Date.now());
        }
        return fixture.api.store.append(stream, ...batch);
      },
    });
    const { sessions } = await openAccounts(fixture, { store });
    const credentials = { email: EMAIL, password: PASSWORD };
    const now = browser(new Date());
    await expect(sessions.signIn(credentials, now, sign)).rejects.toThrow("sign in again");
    expect(ended).toBeGreaterThan(0);
    expect(await eventsOf(id)).toMatchObject([
      { type: "SessionStarted" },
      { type: "SessionEnded", data: { cause: "ended_by_owner" } },
    ]);
  });

  it("ends no other account's session, and answers as if it did not exist", async () => {
    const [mine, theirs] = [await login(), await login("auditor@registry.example")];
    const never = "11111111-1111-4111-8111-111111111111";
    const answers = [
      await remove(mine.token, sidOf(theirs.token)),
      await remove(mine.token, never),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual(answers[0]?.json());
    }
    expect(await works(theirs.token)).toBe(true);
    expect(await typesOf(sidOf(theirs.token))).toEqual(["SessionStarted"]);
  });

  it("ends all but the current one, logging ten ends immediately and the rest through the relay", async () => {
    // Removes what earlier tests left.
    await remove((await login()).token);
    const theirs = await login("auditor@registry.example");
    const others: { token: string; refreshToken: string }[] = [];
    for (let count = 0; count < ENDS_AT_ONCE + 2; count += 1) others.push(await login());
    const mine = await login();
    const ended = (await remove(mine.token)).json().data.ended;
    expect(ended).toBe(others.length + 1);
    for (const { token } of [mine, theirs]) expect(await works(token)).toBe(true);
    for (const { token, refreshToken } of others) {
      expect(await works(token)).toBe(false);
      expect((await refreshOver(refreshToken)).statusCode).toBe(401);
    }
    const logged = async () => {
      const types = await Promise.all(others.map(({ token }) => typesOf(sidOf(token))));
      return types.filter((each) => each.includes("SessionEnded")).length;
    };
    expect(await logged()).toBe(ENDS_AT_ONCE);
    await fixture.api.credentials.relay(Date.now());
    expect(await logged()).toBe(others.length);
    expect((await remove(mine.token)).json().data).toEqual({ ended: 0 });
  });
});
