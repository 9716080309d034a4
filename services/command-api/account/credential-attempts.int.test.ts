import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { StoreUnavailable } from "#event-store/errors.ts";
import type { EventStore } from "#event-store/port.ts";
import { type CommandEnvelope, systemCaller } from "../kernel/envelope.ts";
import { openAccounts, withMethods } from "../testing/accounts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { CredentialChangeStore } from "./credential-change.store.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

type Role = "user" | "admin";
async function newAccount(role: Role = "user") {
  const email = `${randomUUID()}@registry.example`;
  const account = { email, password: PASSWORD, role, firstName: "Ada", lastName: "Min" };
  const id = (await fixture.api.accounts.add(account, systemCaller(new Date().toISOString())))?.id;
  return { id: id ?? "", email };
}
/** A request of the admin. */
const sent = (key: string, body: object, by: string = randomUUID(), inMs = 0): CommandEnvelope => {
  const caller = systemCaller(new Date(Date.now() + inMs).toISOString());
  return { caller: { ...caller, actor: { id: by, role: "admin" } }, id: key, ids: [key], body };
};
async function typesOf(id: string): Promise<string[]> {
  const { rows } = await fixture.db.query(
    "select type from event_log.event where stream = $1 order by revision",
    [streams.user(id)],
  );
  return rows.map(({ type }) => type);
}
/** The role that the table has, which must be that of the log. */
async function roleOf(id: string): Promise<string> {
  const { handler, changes } = await openAccounts(fixture);
  await changes.settle(new Date().toISOString());
  const { rows } = await fixture.db.query("select role from command.account where id = $1", [id]);
  expect(rows[0].role).toBe((await handler.load(accountAggregate(id)))?.state.role);
  const left = "select from command.credential_change where account_id = $1";
  expect((await fixture.db.query(left, [id])).rowCount).toBe(0);
  return rows[0].role;
}
function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { give, given };
}
const openWith = (append: EventStore["append"]) =>
  openAccounts(fixture, { store: withMethods(fixture.api.store, { append }) });
const login = async (email: string) =>
  (
    await fixture.call("POST", "/prod/api/auth/login", { body: { email, password: PASSWORD } })
  ).json().data;

const ROLE = { role: "admin" } as const;
const NAME = { first_name: "Ida" };
const reused = { code: "idempotency_key_reused" };

describe("two requests with different bodies under one Idempotency-Key", () => {
  it("change what the one says whose event is in the log, though the other is noted first", async () => {
    const { id } = await newAccount();
    const [noted, released] = [signal(), signal()];
    const stalled = await openWith(async (...batch) => {
      noted.give();
      await released.given;
      return fixture.api.store.append(...batch);
    });
    const key = randomUUID();
    const first = stalled.standings.edit(id, ROLE, sent(key, ROLE));
    const refused = expect(first).rejects.toMatchObject(reused);
    await noted.given;
    const { standings } = await openAccounts(fixture);
    await standings.edit(id, NAME, sent(key, NAME));
    released.give();
    await refused;
    expect(await typesOf(id)).toEqual(["AccountAdded", "ProfileEdited"]);
    expect(await roleOf(id)).toBe("user");
  });

  it("leave the note of the one whose event is in the log when the other is refused", async () => {
    const { id } = await newAccount();
    const [appended, refused, arrived] = [signal(), signal(), signal()];
    const early = new CredentialChangeStore(fixture.db);
    const slow = Object.assign(new CredentialChangeStore(fixture.db), {
      apply: async (...change: Parameters<CredentialChangeStore["apply"]>) => {
        appended.give();
        await refused.given;
        return early.apply(...change);
      },
    });
    // It has not found the event of the other one yet.
    const late = Object.assign(new CredentialChangeStore(fixture.db), {
      prepare: async (change: Parameters<CredentialChangeStore["prepare"]>[0]) => {
        arrived.give();
        await appended.given;
        return early.prepare(change);
      },
    });
    const [one, two] = [
      await openAccounts(fixture, { changeStore: slow }),
      await openAccounts(fixture, { changeStore: late }),
    ];
    const key = randomUUID();
    const other = { role: "admin", ...NAME } as const;
    const second = two.standings.edit(id, other, sent(key, other));
    await arrived.given;
    const first = one.standings.edit(id, ROLE, sent(key, ROLE));
    await expect(second).rejects.toMatchObject(reused);
    refused.give();
    await first;
    expect(await typesOf(id)).toEqual(["AccountAdded", "AccountRoleChanged", "SessionsEnded"]);
    expect(await roleOf(id)).toBe("admin");
  });

  it("change nothing by the one that is noted after the other was applied", async () => {
    const { id } = await newAccount();
    const [applied, arrived] = [signal(), signal()];
    const store = new CredentialChangeStore(fixture.db);
    const late = Object.assign(new CredentialChangeStore(fixture.db), {
      prepare: async (change: Parameters<CredentialChangeStore["prepare"]>[0]) => {
        arrived.give();
        await applied.given;
        return store.prepare(change);
      },
      // The process dies before it can take the note back.
      drop: () => Promise.reject(new Error("died")),
    });
    const dying = await openAccounts(fixture, { changeStore: late });
    const key = randomUUID();
    const second = dying.standings.edit(id, ROLE, sent(key, ROLE));
    await arrived.given;
    const { standings } = await openAccounts(fixture);
    await standings.edit(id, NAME, sent(key, NAME));
    applied.give();
    await expect(second).rejects.toThrow("died");
    expect(await roleOf(id)).toBe("user");
  });
});

describe("a request that is sent again after an outage", () => {
  it("is done once, though it notes something else by then", async () => {
    const { id } = await newAccount();
    const body = { ...ROLE, ...NAME };
    const key = randomUUID();
    const broken = await openWith(() => Promise.reject(new StoreUnavailable("away")));
    await expect(broken.standings.edit(id, body, sent(key, body))).rejects.toThrow();
    const { standings } = await openAccounts(fixture);
    await standings.changeRole(id, "admin", sent(randomUUID(), ROLE));
    await standings.edit(id, body, sent(key, body));
    expect(await typesOf(id)).toEqual([
      "AccountAdded",
      "AccountRoleChanged",
      "SessionsEnded",
      "ProfileEdited",
    ]);
    expect(await roleOf(id)).toBe("admin");
  });
});

describe("a repeat that is overtaken by the same request", () => {
  it("is answered by what that one did, and ends no session that it would have ended", async () => {
    const { id, email } = await newAccount();
    const [noted, released] = [signal(), signal()];
    const stalled = await openWith(async (...batch) => {
      noted.give();
      await released.given;
      return fixture.api.store.append(...batch);
    });
    const body = { ...ROLE, ...NAME };
    const key = randomUUID();
    const first = stalled.standings.edit(id, body, sent(key, body));
    await noted.given;
    const { standings } = await openAccounts(fixture);
    await standings.changeRole(id, "admin", sent(randomUUID(), ROLE));
    const { refreshToken } = await login(email);
    const second = await standings.edit(id, body, sent(key, body));
    released.give();
    expect(await first).toEqual(second);
    const refreshed = await fixture.call("POST", "/prod/api/auth/refresh", {
      body: { refreshToken },
    });
    expect(refreshed.statusCode, refreshed.body).toBe(200);
    expect(await roleOf(id)).toBe("admin");
  });
});

describe("a change that a process of an earlier version noted", () => {
  it("is applied by its command alone", async () => {
    const { id } = await newAccount();
    const changeStore = Object.assign(new CredentialChangeStore(fixture.db), {
      apply: () => Promise.reject(new Error("died")),
    });
    const { standings } = await openAccounts(fixture, { changeStore });
    const key = randomUUID();
    await expect(standings.edit(id, ROLE, sent(key, ROLE))).rejects.toThrow("died");
    const former = "update command.credential_change set command_id = $2 where account_id = $1";
    expect((await fixture.db.query(former, [id, key])).rowCount).toBe(1);
    expect(await roleOf(id)).toBe("admin");
  });
});

describe("names", () => {
  const admin = async () => (await newAccount("admin")).id;

  it("are shown at the sign-in after staff changed them together with the role", async () => {
    const { id, email } = await newAccount();
    const { standings } = await openAccounts(fixture);
    const body = { ...NAME, role: "auditor" } as const;
    await standings.edit(id, body, sent(randomUUID(), body, await admin()));
    expect((await login(email)).user).toMatchObject({ first_name: "Ida", role: "auditor" });
    await standings.edit(id, { role: "user" }, sent(randomUUID(), {}, await admin()));
    expect((await login(email)).user).toMatchObject({ first_name: "Ida", last_name: "Min" });
  });

  it("are, too, where the process died after the event", async () => {
    const { id, email } = await newAccount();
    const changeStore = Object.assign(new CredentialChangeStore(fixture.db), {
      apply: () => Promise.reject(new Error("died")),
    });
    const { standings } = await openAccounts(fixture, { changeStore });
    const body = { ...NAME, role: "auditor" } as const;
    const envelope = sent(randomUUID(), body, await admin());
    await expect(standings.edit(id, body, envelope)).rejects.toThrow("died");
    expect((await login(email)).user).toMatchObject({ first_name: "Ida", role: "auditor" });
  });
});

describe("a decision that failed", () => {
  it("takes away the admin at whom it was aimed for ten minutes at most", async () => {
    const [one, two] = [await newAccount("admin"), await newAccount("admin")];
    await fixture.db.query(
      "update command.account set status = 'adding' where role = 'admin' and id <> all($1::uuid[])",
      [[one.id, two.id]],
    );
    onTestFinished(async () => {
      await fixture.db.query(
        "update command.account set status = 'active' where status = 'adding'",
      );
    });
    const broken = await openWith(() => Promise.reject(new StoreUnavailable("away")));
    await expect(
      broken.standings.changeRole(two.id, "user", sent(randomUUID(), {}, one.id)),
    ).rejects.toThrow("away");
    const { standings } = await openAccounts(fixture);
    const demoted = (minutes: number) =>
      standings.changeRole(
        one.id,
        "user",
        sent(randomUUID(), { minutes }, two.id, minutes * 60_000),
      );
    await expect(demoted(9)).rejects.toMatchObject({ code: "last_admin" });
    expect(await demoted(11)).toMatchObject({ role: "user" });
    expect(await fixture.api.accountStore.activeAdmins()).toEqual([two.id]);
  });
});
