import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { browser, openAccounts, signedIn, withMethods } from "../testing/accounts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import {
  at,
  EMAIL,
  PASSWORD,
  START,
  sessionCalls,
  sidOf,
  sign,
} from "../testing/sessions.fixture.ts";

const fixture = forFile(() => startCommandApi());
const { signIn, refresh, login, refreshOver, works, eventsOf, typesOf, rowOf } = sessionCalls(
  () => fixture,
);

describe("a sign-in", () => {
  it("starts its own stream with the method, the expiry and the sealed client address", async () => {
    const { user, token } = await signIn();
    const [started] = await eventsOf(token);
    expect(started).toMatchObject({
      type: "SessionStarted",
      data: {
        account_id: user.id,
        method: "password",
        device: "new",
        account_revision: expect.any(Number),
        expires_at: at(90).toISOString(),
      },
      metadata: {
        command: "SignIn",
        actor: { id: user.id, role: "admin" },
        client: { key: subjects.account(user.id) },
      },
    });
    expect(JSON.stringify(started)).not.toMatch(/203\.0\.113|Firefox/);
    const row = JSON.stringify(await rowOf(token));
    expect(row).not.toMatch(/203\.0\.113|Firefox/);
  });

  it("records whether the browser was known to the account", async () => {
    const login = { email: EMAIL, password: PASSWORD };
    const { sessions } = fixture.api;
    const first = signedIn(await sessions.signIn(login, browser(at(0)), sign));
    const again = { ...login, devices: first.devices };
    const second = signedIn(await sessions.signIn(again, browser(at(0)), sign));
    expect((await eventsOf(first.token))[0].data.device).toBe("new");
    expect((await eventsOf(second.token))[0].data.device).toBe("known");
  });

  it("reads one event of the account, however long its history is", async () => {
    for (let i = 0; i < 3; i += 1)
      await fixture.api.accounts.resetPassword(EMAIL, PASSWORD, systemCaller(at(0).toISOString()));
    let read = 0;
    const store = withMethods(fixture.api.store, {
      async *readStream(...query) {
        for await (const event of fixture.api.store.readStream(...query)) {
          read += 1;
          yield event;
        }
      },
    });
    const { sessions } = await openAccounts(fixture, { store });
    const { user } = signedIn(
      await sessions.signIn({ email: EMAIL, password: PASSWORD }, browser(at(0)), sign),
    );
    expect(user).toMatchObject({ first_name: "Dana", last_name: "Ruiz", email: EMAIL });
    expect(read).toBe(1);
  });

  describe("while the account's password changes", () => {
    const NEW = "Newer-password-1";

    /** Adds an account, and returns a function that changes its password. */
    async function newAccount() {
      const email = `${randomUUID()}@registry.example`;
      const profile = { role: "user", firstName: "Kit", lastName: "Moss" } as const;
      const operator = systemCaller(at(0).toISOString());
      await fixture.api.accounts.add({ email, password: PASSWORD, ...profile }, operator);
      const reset = ({ accounts }: Pick<Fixture["api"], "accounts"> = fixture.api) =>
        accounts.resetPassword(email, NEW, operator);
      return { email, reset };
    }

    it("refuses the old one, just before and just after the account's revision is read", async () => {
      for (const when of ["before", "after"]) {
        const { email, reset } = await newAccount();
        const store = withMethods(fixture.api.store, {
          async *readStream(stream, from, options) {
            const isHead = options?.direction === "backwards" && options.limit === 1;
            if (isHead && when === "before") await reset();
            try {
              yield* fixture.api.store.readStream(stream, from, options);
            } finally {
              // The reader takes one event and stops.
              if (isHead && when === "after") await reset();
            }
          },
        });
        const { sessions } = await openAccounts(fixture, { store });
        const signIn = sessions.signIn({ email, password: PASSWORD }, browser(at(0)), sign);
        await expect(signIn).rejects.toThrow("Invalid email");
      }
    });

    it("records the revision of the new one, even if its event was not in the log yet", async () => {
      const { email, reset } = await newAccount();
      const append = () => Promise.reject(new Error("died"));
      const dying = await openAccounts(fixture, {
        store: withMethods(fixture.api.store, { append }),
      });
      await expect(reset(dying)).rejects.toThrow("died");
      const login = { email, password: NEW };
      const { token } = signedIn(await fixture.api.sessions.signIn(login, browser(at(0)), sign));
      expect((await eventsOf(token))[0].data.account_revision).toBe(1);
    });
  });

  it("returns no token if it cannot be logged, and its session ends without a trace", async () => {
    const store = withMethods(fixture.api.store, {
      append: () => Promise.reject(new Error("the process died")),
    });
    const { sessions } = await openAccounts(fixture, { store });
    const begun = "select id from command.session where started_at = $1";
    const when = at(0.001);
    await expect(
      sessions.signIn({ email: EMAIL, password: PASSWORD }, browser(when), sign),
    ).rejects.toThrow("the process died");
    const [{ id }] = (await fixture.db.query(begun, [when])).rows;
    await fixture.api.sessions.sweep(at(15).getTime());
    await fixture.api.sessions.sweep(at(17).getTime());
    expect(await eventsOf(id)).toEqual([]);
    expect(await rowOf(id)).toBeUndefined();
  });

  it("starts nothing if the account is banned while its password is verified", async () => {
    const { id } = (await signIn()).user;
    const store = withMethods(fixture.api.store, {
      async *readStream(...query) {
        await fixture.db.query("update command.account set status = 'banned' where id = $1", [id]);
        yield* fixture.api.store.readStream(...query);
      },
    });
    const { sessions } = await openAccounts(fixture, { store });
    await expect(
      sessions.signIn({ email: EMAIL, password: PASSWORD }, browser(at(0.002)), sign),
    ).rejects.toThrow("Invalid email or password");
    await fixture.db.query("update command.account set status = 'active' where id = $1", [id]);
    const { rows } = await fixture.db.query("select from command.session where started_at = $1", [
      at(0.002),
    ]);
    expect(rows).toEqual([]);
  });
});

describe("refreshing", () => {
  it("accepts a token once and issues the next one of the same session", async () => {
    const { token, refreshToken } = await login();
    const next = (await refreshOver(refreshToken)).json().data;
    expect(await works(next.token)).toBe(true);
    expect(next.refreshToken).not.toBe(refreshToken);
    expect(sidOf(next.token)).toBe(sidOf(token));
  });

  it("is logged on a different day (UTC), and from another address or browser", async () => {
    let { token, refreshToken } = await signIn();
    const seconds = (n: number) => new Date(START + n * 1000);
    const from = async (...caller: Parameters<typeof browser>) => {
      ({ refreshToken } = await refresh(refreshToken, browser(...caller)));
      return (await typesOf(token)).length;
    };
    expect(await from(seconds(10))).toBe(1);
    expect(await from(seconds(7199))).toBe(1);
    expect(await from(seconds(7200))).toBe(2);
    expect(await from(seconds(7300))).toBe(2);
    expect(await from(seconds(7400), "203.0.113.8")).toBe(3);
    expect(await from(seconds(7500), "203.0.113.8", "Safari")).toBe(4);
    expect(await from(seconds(7600), "203.0.113.8", "Safari")).toBe(4);
    const [, used] = await eventsOf(token);
    expect(used).toMatchObject({
      type: "SessionUsed",
      metadata: { command: "RefreshSession", actor: { role: "admin" }, client: { box: /./ } },
    });
  });

  it("reads the log only if the use is recorded", async () => {
    const read: string[] = [];
    const store = withMethods(fixture.api.store, {
      readStream(...query) {
        read.push(query[0]);
        return fixture.api.store.readStream(...query);
      },
    });
    const { sessions } = await openAccounts(fixture, { store });
    const { token, refreshToken } = await signIn();
    const next = await sessions.refresh(refreshToken, browser(at(0.01)), sign);
    expect(read).toEqual([]);
    await sessions.refresh(next.refreshToken, browser(at(1)), sign);
    expect(read).toEqual([streams.session(token)]);
  });

  it("keeps the token valid while the log is down", async () => {
    const { token, refreshToken } = await signIn();
    const store = withMethods(fixture.api.store, {
      append: () => Promise.reject(new Error("away")),
    });
    const { sessions } = await openAccounts(fixture, { store });
    await expect(sessions.refresh(refreshToken, browser(at(1)), sign)).rejects.toThrow("away");
    expect((await refresh(refreshToken, browser(at(1.1)))).token).toBe(token);
  });

  it("lets two tabs race, and ends the session when an old token is reused later", async () => {
    const { token, refreshToken } = await signIn();
    const other = await signIn();
    const later = (seconds: number) => browser(new Date(START + seconds * 1000));
    const second = await refresh(refreshToken, later(1));
    await refresh(refreshToken, later(9));
    await expect(refresh(refreshToken, later(12))).rejects.toThrow("sign in again");
    await expect(refresh(second.refreshToken, later(13))).rejects.toThrow("sign in again");
    expect((await eventsOf(token)).at(-1)).toMatchObject({
      type: "SessionEnded",
      data: { cause: "refresh_token_reused" },
      metadata: { actor: { role: "visitor" } },
    });
    expect((await refresh(other.refreshToken, later(14))).token).toBe(other.token);
  });

  it("refuses a token that is unknown or unused for fourteen days", async () => {
    await expect(refresh("x".repeat(43))).rejects.toThrow("sign in again");
    const { refreshToken } = await signIn();
    const next = await refresh(refreshToken, browser(at(13.9)));
    await expect(refresh(next.refreshToken, browser(at(27.9)))).rejects.toThrow("sign in again");
  });

  it("fails after ninety days, however much the session is used", async () => {
    let { refreshToken } = await signIn();
    for (let day = 10; day < 90; day += 10)
      ({ refreshToken } = await refresh(refreshToken, browser(at(day))));
    await expect(refresh(refreshToken, browser(at(90)))).rejects.toThrow("sign in again");
  });
});
