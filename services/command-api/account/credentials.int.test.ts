import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { verifyChain } from "#event-store/contract/verify-chain.ts";
import { type EventStore, type StoredEvent, StoreUnavailable } from "#event-store/port.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { forFile } from "#test-kit/for-file.ts";
import { type CommandEnvelope, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { browser, openAccounts, signedIn, withMethods } from "../testing/accounts.fixture.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD, sign } from "../testing/sessions.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { CredentialCommand } from "./account.commands.ts";

const fixture = forFile(() => startCommandApi());

const NEW = "Newer-password-1";
const operator = () => systemCaller(new Date().toISOString());
const names = { role: "user", firstName: "Kit", lastName: "Moss" } as const;

const newAccount = () => fixture.addAccount(names);
const login = (email: string, password = PASSWORD) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });
const eventsOf = (id: string, store?: EventStore) => eventsIn(streams.user(id), store);
async function eventsIn(stream: string, store: EventStore = fixture.api.store) {
  const events: StoredEvent[] = [];
  for await (const event of store.readStream(stream)) events.push(event);
  return events;
}
const typesOf = async (id: string, store?: EventStore) =>
  (await eventsOf(id, store)).map(({ type }) => type);
async function rowOf(id: string) {
  const text = "select * from command.account where id = $1";
  return (await fixture.db.query(text, [id])).rows[0];
}
const waiting = async (id: string) =>
  (
    await fixture.db.query(
      "select from command.credential_outbox where account_id = $1 and revision is null",
      [id],
    )
  ).rowCount;
const withAppend = (append: EventStore["append"]) =>
  openAccounts(fixture, { store: withMethods(fixture.api.store, { append }) });
/** A process that crashes before its events are in the log. */
const dying = () => withAppend(() => Promise.reject(new Error("died")));
const sent = (key: string, body: object): CommandEnvelope => ({
  caller: operator(),
  id: key,
  ids: [key],
  body,
});

describe("a new password", () => {
  it("voids every token immediately", async () => {
    const { email, id } = await newAccount();
    const { refreshToken } = (await login(email)).json().data;
    await fixture.api.accounts.resetPassword(email, NEW, operator());
    const body = { refreshToken };
    expect((await fixture.call("POST", "/prod/api/auth/refresh", { body })).statusCode).toBe(401);
    expect((await login(email)).statusCode).toBe(401);
    expect((await login(email, NEW)).statusCode).toBe(200);
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordReset"]);
  });

  it("is set without a position while the log is unavailable, and logged once later", async () => {
    const { email, id } = await newAccount();
    const { token } = (await login(email)).json().data;
    const away = vi.spyOn(fixture.api.store, "append");
    onTestFinished(() => away.mockRestore());
    away.mockRejectedValue(new StoreUnavailable("away"));
    const changed = await fixture.call("POST", "/prod/api/auth/change-password", {
      body: { currentPassword: PASSWORD, password: NEW, confirmPassword: NEW },
      token,
    });
    expect([changed.statusCode, changed.headers["x-position"]]).toEqual([200, undefined]);
    away.mockClear();
    expect((await login(email, NEW)).statusCode).toBe(503);
    // As many tries as any command, so a log that does not answer delays a sign-in no longer than that.
    expect(away).toHaveBeenCalledTimes(4);
    away.mockRestore();
    for (let runs = 0; runs < 2; runs += 1) await fixture.api.credentials.relay(Date.now());
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordChanged", "SessionsEnded"]);
    expect((await login(email, NEW)).statusCode).toBe(200);
  });
});

describe("a process that crashes at any point of a change", () => {
  /** Lets this many calls to its stores begin, and none after that. */
  function ending(calls: number) {
    let left = calls;
    const begin = () => {
      left -= 1;
      if (left < 0) throw new Error("died");
    };
    const counted = <T extends object>(target: T, asked: readonly string[]): T =>
      new Proxy(target, {
        get(_, name) {
          const value = target[name as keyof T];
          if (typeof value !== "function") return value;
          if (!asked.includes(String(name))) return value.bind(target);
          return async (...values: unknown[]) => {
            begin();
            const found = await value.apply(target, values);
            return name === "connect" ? counted(found, ["query"]) : found;
          };
        },
      });
    const { store } = fixture.api;
    const pool = counted<Pool>(fixture.db, ["query", "connect"]);
    const log = withMethods(counted(store, ["append"]), {
      readStream: (...query) => {
        begin();
        return store.readStream(...query);
      },
    });
    return openAccounts(fixture, { store: log, pool });
  }

  const own = { id: randomUUID(), accountRevision: 0 };
  const factor = { factorId: randomUUID(), codesId: randomUUID() };
  const changes: readonly [CredentialCommand, ...string[]][] = [
    [{ type: "ResetPassword" }, "PasswordReset"],
    [{ type: "ChangePassword", own }, "PasswordChanged", "SessionsEnded"],
    [{ type: "EnableTwoFactor", own, ...factor }, "TwoFactorEnabled", "SessionsEnded"],
    [{ type: "SignOutEverywhere" }, "SessionsEnded"],
    [{ type: "CloseAccount", own }, "AccountClosed"],
  ];

  it.each(changes)(
    "leaves tables and log consistent, with each event once: %j",
    async (command, ...types) => {
      const passwordHash = "x";
      let isDone = false;
      let made = 0;
      for (let calls = 0; !isDone; calls += 1) {
        const { id } = await newAccount();
        const { credentials } = await ending(calls);
        const change = { accountId: id, passwordHash };
        isDone = await credentials
          .make(command, change, operator())
          .then(() => true)
          .catch(() => false);
        const isMade = (await rowOf(id)).password_hash === passwordHash;
        if (isMade) made += 1;
        await fixture.api.credentials.relay(Date.now());
        const events = await eventsOf(id);
        const expected = isMade ? ["AccountAdded", ...types] : ["AccountAdded"];
        expect(
          events.map(({ type }) => type),
          `after ${calls} calls`,
        ).toEqual(expected);
        expect(verifyChain(events)).toBeUndefined();
        expect(await waiting(id)).toBe(0);
      }
      // It crashed after the commit, after the append, and at the end.
      expect(made).toBe(3);
    },
  );

  it("leaves a session ended in both the tables and the log or in neither, and logs the end once", async () => {
    const { email } = await newAccount();
    let isDone = false;
    let made = 0;
    for (let calls = 0; !isDone; calls += 1) {
      const by = browser(new Date());
      const login = { email, password: PASSWORD };
      const { user, token: id } = signedIn(await fixture.api.sessions.signIn(login, by, sign));
      const { sessions } = await ending(calls);
      isDone = await sessions
        .signOut("session", { ...by, actor: { ...user, sessionId: id } })
        .then(() => true)
        .catch(() => false);
      const text = "select from command.session where id = $1 and ended_at is not null";
      const isMade = (await fixture.db.query(text, [id])).rowCount === 1;
      if (isMade) made += 1;
      await fixture.api.credentials.relay(Date.now());
      const events = await eventsIn(streams.session(id));
      const expected = isMade ? ["SessionStarted", "SessionEnded"] : ["SessionStarted"];
      expect(
        events.map(({ type }) => type),
        `after ${calls} calls`,
      ).toEqual(expected);
      expect(verifyChain(events)).toBeUndefined();
    }
    // It crashed after the one statement, after both reads, after the append, and at the end.
    expect(made).toBe(5);
  });

  it("leaves an account either fully added, or not at all and its address available", async () => {
    const account = { ...names, email: "half@registry.example", password: PASSWORD };
    const { accounts } = await dying();
    await expect(accounts.add(account, operator())).rejects.toThrow("died");
    expect(await fixture.api.accounts.add({ ...account, password: NEW }, operator())).toBeNull();
    expect((await login(account.email)).statusCode).toBe(200);
  });
});

it("decides a change again if another one came first", async () => {
  const { id } = await newAccount();
  let isFirst = true;
  const pool = new Proxy<Pool>(fixture.db, {
    get(target, name) {
      const value = target[name as keyof Pool];
      if (typeof value !== "function") return value;
      if (name !== "connect") return value.bind(target);
      return async () => {
        const overtakes = isFirst;
        isFirst = false;
        const role = { role: "auditor" } as const;
        if (overtakes) await fixture.api.accountModeration.edit(id, role, sent(randomUUID(), role));
        return target.connect();
      };
    },
  });
  const { accountModeration } = await openAccounts(fixture, { pool });
  const name = { first_name: "Ida" };
  await accountModeration.edit(id, name, sent(randomUUID(), name));
  expect(await rowOf(id)).toMatchObject({ role: "auditor" });
  expect((await typesOf(id)).at(-1)).toBe("ProfileEdited");
});

describe("events that are not in the log yet", () => {
  it("are appended in order, after what others appended in the meantime", async () => {
    const { email, id } = await newAccount();
    const { accounts, credentials } = await dying();
    await expect(accounts.resetPassword(email, NEW, operator())).rejects.toThrow("died");
    // A command decided earlier, which knows nothing of the change.
    const { handler } = await openAccounts(fixture);
    const asked = { type: "RequestPasswordReset", device: "known" } as const;
    await handler.execute(accountAggregate(id), asked, newEnvelope(operator()));
    await expect(credentials.deliver(streams.user(id))).rejects.toThrow("died");
    await fixture.api.accountModeration.ban(id, { reason: "Spam" }, sent(randomUUID(), {}));
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual([
      "AccountAdded",
      "PasswordResetRequested",
      "PasswordReset",
      "AccountBanned",
      "SessionsEnded",
    ]);
    expect(verifyChain(events)).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ status: "banned" });
  });

  it("are appended once by concurrent processes", async () => {
    const { email, id } = await newAccount();
    const { accounts } = await dying();
    await expect(accounts.resetPassword(email, NEW, operator())).rejects.toThrow("died");
    const relays = await Promise.all([1, 2, 3].map(() => openAccounts(fixture)));
    await Promise.all(relays.map(({ credentials }) => credentials.relay(Date.now())));
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordReset"]);
  });

  it("are dropped for an account that has ended", async () => {
    const { email, id } = await newAccount();
    const { accounts } = await dying();
    await expect(accounts.resetPassword(email, NEW, operator())).rejects.toThrow("died");
    const { handler } = await openAccounts(fixture);
    await handler.execute(accountAggregate(id), { type: "EraseAccount" }, newEnvelope(operator()));
    await fixture.api.credentials.relay(Date.now());
    expect(await typesOf(id)).toEqual(["AccountAdded", "AccountErased"]);
    expect(await waiting(id)).toBe(0);
  });

  it("keep everyone out of an account that has ended while its row and key still exist", async () => {
    const { email, id } = await newAccount();
    const { handler } = await openAccounts(fixture);
    await handler.execute(accountAggregate(id), { type: "EraseAccount" }, newEnvelope(operator()));
    expect((await login(email)).statusCode).toBe(401);
    expect(await rowOf(id)).toBeDefined();
  });
});

describe("two requests with different bodies under one Idempotency-Key", () => {
  it("make the change of the one that reaches the tables first", async () => {
    const { email, id } = await newAccount();
    const key = randomUUID();
    const body = { first_name: "Ida", role: "auditor" } as const;
    const { accountModeration } = await dying();
    await expect(accountModeration.edit(id, body, sent(key, body))).rejects.toThrow("died");
    const other = { first_name: "Eve" };
    await expect(
      fixture.api.accountModeration.edit(id, other, sent(key, other)),
    ).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    await fixture.api.accountModeration.edit(id, body, sent(key, body));
    expect(await typesOf(id)).toEqual([
      "AccountAdded",
      "ProfileEdited",
      "AccountRoleChanged",
      "SessionsEnded",
    ]);
    expect((await login(email)).json().data.user).toMatchObject({
      first_name: "Ida",
      last_name: "Moss",
      role: "auditor",
    });
  });

  it("make one change when they arrive at the same time", async () => {
    const { id } = await newAccount();
    const key = randomUUID();
    const bodies = [{ first_name: "Ida" }, { role: "admin" }] as const;
    const answers = await Promise.allSettled(
      bodies.map((body) => fixture.api.accountModeration.edit(id, body, sent(key, body))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { handler } = await openAccounts(fixture);
    const state = (await handler.load(accountAggregate(id)))?.state;
    expect((await rowOf(id)).role).toBe(state?.role);
  });
});

it("two processes that add an account at the same time create one, with the winner's password", async () => {
  const email = "at-once@registry.example";
  const processes = await Promise.all([1, 2].map(() => openAccounts(fixture)));
  const passwords = ["Process-one-1", "Process-two-2"];
  const results = await Promise.all(
    processes.map(({ accounts }, i) =>
      accounts.add({ ...names, email, password: passwords[i] ?? "" }, operator()),
    ),
  );
  expect(results.filter(Boolean)).toHaveLength(1);
  const answers = await Promise.all(passwords.map((password) => login(email, password)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(
    results.map((made) => (made ? 200 : 401)),
  );
});

describe("a log that is restored to before the tables", () => {
  /** Copies an account's stream to another store. */
  async function copyOf(id: string): Promise<EventStore> {
    const copy = createMemoryEventStore();
    const events = (await eventsOf(id)).map(
      ({ position: _, revision: __, stream: ___, ...kept }) => kept,
    );
    await copy.append(streams.user(id), events, "no_stream");
    return copy;
  }

  it("gets the events it lacks, once and in order, even though the log had them before", async () => {
    const { email, id } = await newAccount();
    const copy = await copyOf(id);
    await fixture.api.accounts.resetPassword(email, NEW, operator());
    await fixture.api.accountModeration.ban(id, { reason: "Spam" }, sent(randomUUID(), {}));
    const restored = await openAccounts(fixture, { store: copy });
    const { credentials } = restored;
    onTestFinished(() => fixture.api.credentials.relayAgain(Date.now()));
    for (let runs = 0; runs < 2; runs += 1) await credentials.relayAgain(Date.now());
    const expected = ["AccountAdded", "PasswordReset", "AccountBanned", "SessionsEnded"];
    expect(await typesOf(id, copy)).toEqual(expected);
    expect(verifyChain(await eventsOf(id, copy))).toBeUndefined();
    const state = (await restored.handler.load(accountAggregate(id)))?.state;
    expect(state?.banned).toMatchObject({ reason: "Spam" });
  });

  it("gets an account that was added since, but none whose beginning is lost", async () => {
    const empty = createMemoryEventStore();
    const [added, old] = [await newAccount(), await newAccount()];
    await fixture.db.query("delete from command.credential_outbox where account_id = $1", [old.id]);
    await fixture.api.accounts.resetPassword(old.email, NEW, operator());
    const { credentials } = await openAccounts(fixture, { store: empty });
    onTestFinished(() => fixture.api.credentials.relayAgain(Date.now()));
    await credentials.relayAgain(Date.now());
    expect(await typesOf(added.id, empty)).toEqual(["AccountAdded"]);
    expect(await typesOf(old.id, empty)).toEqual([]);
  });

  it("still finds rows of the last day", async () => {
    const { id } = await newAccount();
    const { credentials } = fixture.api;
    const rows = async () =>
      (await fixture.db.query("select from command.credential_outbox where account_id = $1", [id]))
        .rowCount;
    await credentials.relay(Date.now() + 23 * 3_600_000);
    expect(await rows()).toBe(1);
    await credentials.relay(Date.now() + 25 * 3_600_000);
    expect(await rows()).toBe(0);
  });
});
