import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { RevisionConflict } from "#event-store/errors.ts";
import type { EventStore } from "#event-store/port.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { browser, openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { CredentialChangeStore } from "./credential-change.store.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const FORMER = "Former-password-1";
const NEW = "Newer-password-1";
const profile = { role: "user", firstName: "Kit", lastName: "Moss" } as const;
const operator = () => systemCaller(new Date().toISOString());

let accounts = 0;
async function newAccount(): Promise<{ email: string; id: string }> {
  accounts += 1;
  const email = `kit-${accounts}@registry.example`;
  const added = await fixture.api.accounts.add({ ...profile, email, password: FORMER }, operator());
  if (!added) throw new Error("the address is taken");
  return { email, id: added.id };
}

const login = (email: string, password: string) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });
const status = async (email: string, password: string) => (await login(email, password)).statusCode;

/** Sends a call that is refused because of its body, unless its token is refused first. */
const call = (token: string) =>
  fixture.api.app.inject({
    method: "POST",
    url: "/prod/api/auth/refresh",
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  });
const isVoid = async (token: string) => (await call(token)).statusCode === 401;

async function typesOf(id: string): Promise<string[]> {
  const { rows } = await fixture.db.query(
    "select type from event_log.event where stream = $1 order by revision",
    [streams.user(id)],
  );
  return rows.map(({ type }) => type);
}
const waiting = async () =>
  (await fixture.db.query("select from command.credential_change")).rowCount;

/** A process that dies before its event is in the log. */
const dyingBefore = () =>
  openAccounts(fixture, {
    store: withMethods(fixture.api.store, { append: () => Promise.reject(new Error("died")) }),
  });

/** A process that dies after its event is in the log and before the change is applied. */
const dyingAfter = () => openAccounts(fixture, { changeStore: new NeverApplied(fixture.db) });

class NeverApplied extends CredentialChangeStore {
  override apply(): Promise<void> {
    return Promise.reject(new Error("died"));
  }
}

describe("a new password", () => {
  it("voids every token at once", async () => {
    const { email, id } = await newAccount();
    const { token, refreshToken } = (await login(email, FORMER)).json().data;
    await fixture.api.accounts.resetPassword(email, NEW, operator());
    expect(await isVoid(token)).toBe(true);
    const body = { refreshToken };
    const refreshed = await fixture.call("POST", "/prod/api/auth/refresh", { body });
    expect(refreshed.statusCode).toBe(401);
    expect([await status(email, FORMER), await status(email, NEW)]).toEqual([401, 200]);
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordReset"]);
    expect(await waiting()).toBe(0);
  });

  it("is not set if its event was never stored", async () => {
    const { email, id } = await newAccount();
    const { token } = (await login(email, FORMER)).json().data;
    const { accounts } = await dyingBefore();
    await expect(accounts.resetPassword(email, NEW, operator())).rejects.toThrow("died");
    expect([await status(email, NEW), await status(email, FORMER)]).toEqual([401, 200]);
    expect(await isVoid(token)).toBe(false);
    expect(await typesOf(id)).toEqual(["AccountAdded"]);
    const { changes } = await openAccounts(fixture);
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    await changes.settle(inHours(23));
    expect(await waiting()).toBe(1);
    await changes.settle(inHours(25));
    expect(await waiting()).toBe(0);
    expect(await status(email, FORMER)).toBe(200);
  });

  it("is set before the next sign-in if its event is stored", async () => {
    const { email } = await newAccount();
    const { token } = (await login(email, FORMER)).json().data;
    const { accounts } = await dyingAfter();
    await expect(accounts.resetPassword(email, NEW, operator())).rejects.toThrow("died");
    expect(await status(email, FORMER)).toBe(401);
    expect(await isVoid(token)).toBe(true);
    expect(await status(email, NEW)).toBe(200);
    expect(await waiting()).toBe(0);
  });

  it("is set even if the log shows its event only at the second read", async () => {
    const { email, id } = await newAccount();
    const append: EventStore["append"] = async (stream, ...batch) => {
      await fixture.api.store.append(stream, ...batch);
      throw new RevisionConflict(stream, 1);
    };
    const store = withMethods(fixture.api.store, { append });
    const { accounts } = await openAccounts(fixture, { store });
    await accounts.resetPassword(email, NEW, operator());
    expect(await waiting()).toBe(0);
    expect(await status(email, NEW)).toBe(200);
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordReset"]);
  });

  it("is that of the later event, whichever of two is requested first", async () => {
    const { email, id } = await newAccount();
    const { accounts } = await dyingAfter();
    await expect(accounts.resetPassword(email, "First-of-two-1", operator())).rejects.toThrow();
    const store = new CredentialChangeStore(fixture.db);
    const [first] = await store.waiting({ accountId: id });
    if (!first) throw new Error("nothing waits");
    // Another process overtakes this one between its event and its change.
    const overtaking = await openAccounts(fixture, {
      changeStore: Object.assign(new CredentialChangeStore(fixture.db), {
        waiting: async () => [],
      }),
    });
    await overtaking.accounts.resetPassword(email, NEW, operator());
    await store.apply(first, { revision: 1, drops: false }, operator().now);
    expect(await typesOf(id)).toEqual(["AccountAdded", "PasswordReset", "PasswordReset"]);
    expect([await status(email, "First-of-two-1"), await status(email, NEW)]).toEqual([401, 200]);
  });
});

describe("a confirmation by the owner that is applied late", () => {
  it("keeps the second factor and the profile, though a later password is applied before it", async () => {
    const { id } = await newAccount();
    const store = new CredentialChangeStore(fixture.db);
    const factor = randomUUID();
    await fixture.db.query(
      "update command.account set confirmed = false, factor_id = $2, factor_revision = 3 where id = $1",
      [id, factor],
    );
    const row = async () => {
      const { rows } = await fixture.db.query(
        "select confirmed, factor_id, profile_revision from command.account where id = $1",
        [id],
      );
      return rows[0];
    };
    const before = await row();
    const preparedAt = new Date().toISOString();
    const own = {
      commandId: "own",
      correlationId: "one",
      accountId: id,
      confirms: true,
      keepsSessions: true,
      preparedAt,
    };
    const set = { ...own, commandId: "set", passwordHash: "x", forgetsDevices: true };
    for (const change of [own, set]) expect(await store.prepare(change)).toBe(true);
    await store.apply(set, { revision: 5, drops: false }, preparedAt);
    await store.apply(own, { revision: 4, drops: false }, preparedAt);
    expect(await row()).toEqual({ ...before, confirmed: true });
    expect(before.factor_id).toBe(factor);
  });

  it("drops both where its event says so", async () => {
    const { id } = await newAccount();
    const store = new CredentialChangeStore(fixture.db);
    await fixture.db.query("update command.account set factor_id = $2 where id = $1", [
      id,
      randomUUID(),
    ]);
    const preparedAt = new Date().toISOString();
    const attempt = { commandId: "drop", correlationId: "one" };
    const change = { ...attempt, accountId: id, confirms: true, preparedAt };
    await store.prepare({ ...change, passwordHash: "", forgetsDevices: true });
    await store.apply(attempt, { revision: 7, profileRevision: 7, drops: true }, preparedAt);
    const { rows } = await fixture.db.query(
      "select factor_id, profile_revision, factor_revision from command.account where id = $1",
      [id],
    );
    expect(rows[0]).toEqual({ factor_id: null, profile_revision: 7, factor_revision: 7 });
  });
});

describe("signing out of everything", () => {
  const everywhere = (id: string) => ({
    ...browser(new Date()),
    actor: { id, role: "user" as const, sessionId: id },
  });

  it("ends nothing if its event was never stored", async () => {
    const { email, id } = await newAccount();
    const { token } = (await login(email, FORMER)).json().data;
    const { sessions } = await dyingBefore();
    await expect(sessions.signOut("all", everywhere(id))).rejects.toThrow("died");
    expect(await isVoid(token)).toBe(false);
    expect(await typesOf(id)).toEqual(["AccountAdded"]);
  });

  it("is completed by the next process that starts if its event is stored", async () => {
    const { email, id } = await newAccount();
    const { token } = (await login(email, FORMER)).json().data;
    const { sessions } = await dyingAfter();
    await expect(sessions.signOut("all", everywhere(id))).rejects.toThrow("died");
    expect(await typesOf(id)).toEqual(["AccountAdded", "SessionsEnded"]);
    const another = await fixture.another();
    await another.start();
    await expect.poll(() => isVoid(token)).toBe(true);
  });
});

describe("adding an account", () => {
  const added = { ...profile, password: FORMER };

  it("without an event reserves only the address, and the next attempt completes it", async () => {
    const account = { ...added, email: "half@registry.example" };
    const { accounts } = await dyingBefore();
    await expect(accounts.add(account, operator())).rejects.toThrow("died");
    expect(await status(account.email, FORMER)).toBe(401);
    const again = await fixture.api.accounts.add({ ...account, password: NEW }, operator());
    expect(again).not.toBeNull();
    expect([await status(account.email, FORMER), await status(account.email, NEW)]).toEqual([
      401, 200,
    ]);
  });

  it("that nobody completes frees the address after a day", async () => {
    const account = { ...added, email: "given-up@registry.example" };
    const { accounts } = await dyingBefore();
    await expect(accounts.add(account, operator())).rejects.toThrow("died");
    const rows = () => fixture.db.query("select id from command.account where status = 'adding'");
    expect((await rows()).rowCount).toBe(1);
    const { changes } = await openAccounts(fixture);
    await changes.settle(new Date(Date.now() + 25 * 3_600_000).toISOString());
    expect((await rows()).rowCount).toBe(0);
  });

  it("with a stored event creates the account, with the password of that event", async () => {
    const account = { ...added, email: "stands@registry.example" };
    const { accounts } = await dyingAfter();
    await expect(accounts.add(account, operator())).rejects.toThrow("died");
    expect(await fixture.api.accounts.add({ ...account, password: NEW }, operator())).toBeNull();
    expect([await status(account.email, NEW), await status(account.email, FORMER)]).toEqual([
      401, 200,
    ]);
  });

  it("by two processes at once creates one account, with the password of the one that succeeds", async () => {
    const email = "at-once@registry.example";
    let both = (): void => undefined;
    const met = new Promise<void>((resolve) => {
      let arrived = 0;
      both = () => {
        arrived += 1;
        if (arrived === 2) resolve();
      };
    });
    // Both have prepared their change before either appends.
    const append: EventStore["append"] = async (...batch) => {
      both();
      await met;
      return fixture.api.store.append(...batch);
    };
    const processes = await Promise.all(
      [1, 2].map(() =>
        openAccounts(fixture, { store: withMethods(fixture.api.store, { append }) }),
      ),
    );
    const passwords = ["Process-one-1", "Process-two-2"];
    const results = await Promise.all(
      processes.map(({ accounts }, i) =>
        accounts.add({ ...profile, email, password: passwords[i] ?? "" }, operator()),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const expected = results.map((made) => (made ? 200 : 401));
    expect(await Promise.all(passwords.map((password) => status(email, password)))).toEqual(
      expected,
    );
  });
});

describe("an account that is closed and opened again", () => {
  const row = async (id: string) => {
    const text = "select status from command.account where id = $1";
    return (await fixture.db.query(text, [id])).rows[0]?.status;
  };

  it("is as its last event says, in whatever order the changes are applied", async () => {
    const now = new Date().toISOString();
    const store = new CredentialChangeStore(fixture.db);
    const attempt = (id: string, step: number) => ({
      commandId: `${id}-${step}`,
      correlationId: "one",
    });
    const reopening = { reopens: true, passwordHash: "", keepsStatus: true };
    const steps = [
      { revision: 5, status: "closed", change: { closes: true } },
      { revision: 6, status: "active", change: reopening },
      { revision: 7, status: "closed", change: { closes: true } },
    ];
    for (const order of [
      [0, 1],
      [1, 0],
      [0, 2, 1],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const { id: accountId } = await newAccount();
      for (const step of order) {
        const { change } = steps[step] as (typeof steps)[number];
        await store.prepare({ ...change, ...attempt(accountId, step), accountId, preparedAt: now });
      }
      for (const step of order) {
        const { revision } = steps[step] as (typeof steps)[number];
        await store.apply(attempt(accountId, step), { revision, drops: false }, now);
      }
      const last = steps[Math.max(...order)];
      expect(await row(accountId), order.join()).toBe(last?.status);
    }
  });
});
