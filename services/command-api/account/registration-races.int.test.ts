import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { browser, openAccounts } from "../testing/accounts.fixture.ts";
import { chargeback, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { CredentialStore } from "./credential.store.ts";
import { Credentials } from "./credentials.ts";

const PASSWORD = "Lamp-light-42";
const OTHER = "Other-light-43";
const KEY = { "idempotency-key": "0123456789abcdef" };

const fixture = forFile(() => startCommandApi());

let count = 0;
let email = "";
beforeEach(() => {
  count += 1;
  email = `rae${count}@shop.example`;
});

const send = (url: string, payload: object, headers: Record<string, string> = {}) =>
  fixture.api.app.inject({ method: "POST", url: `/prod/api/${url}`, headers, payload });
const register = (password = PASSWORD, headers: Record<string, string> = {}) =>
  send("auth/register", registration(email, { password, confirmPassword: password }), headers);
const eventsOf = (id: string) => fixture.events(streams.user(id));
const lastLink = (id: string, type: string, purpose: "confirm-account" | "reset-password") =>
  fixture.linkOf(streams.user(id), purpose, type);
const setPassword = (token: string) =>
  send("auth/reset-password", { token, password: OTHER, confirmPassword: OTHER });
const openSessions = async (id: string) =>
  (
    await fixture.db.query(
      "select id from command.session where account_id = $1 and ended_at is null",
      [id],
    )
  ).rows.length;

describe("a registration whose address someone else confirms in the meantime", () => {
  it("gets no session if the owner sets a password while the repeat's is verified", async () => {
    const { id } = (await register(PASSWORD, KEY)).json().data.user;
    await send("auth/forgot-password", { email });
    await fixture.api.background.finish();
    const token = await lastLink(id, "PasswordResetRequested", "reset-password");
    const at = Credentials.prototype.at;
    const read = vi.spyOn(Credentials.prototype, "at").mockImplementationOnce(async function (
      this: Credentials,
      ...args
    ) {
      const asBefore = await at.apply(this, args);
      expect((await setPassword(token)).statusCode).toBe(200);
      return asBefore;
    });
    const again = await register(PASSWORD, KEY);
    expect(read.mock.calls[0]?.[0]).toBe(id);
    expect(again.statusCode).toBe(409);
    expect(again.json().error.code).toBe("conflict");
    expect(await openSessions(id)).toBe(0);
    expect((await send("auth/login", { email, password: OTHER })).statusCode).toBe(200);
  });

  it("gets no session if the owner does so before the first one begins", async () => {
    const delivered = CredentialStore.prototype.delivered;
    let id = "";
    vi.spyOn(CredentialStore.prototype, "delivered").mockImplementationOnce(async function (
      this: CredentialStore,
      ...args
    ) {
      await delivered.apply(this, args);
      const { rows } = await fixture.db.query(
        "select id from command.account order by created_at desc, id limit 1",
      );
      id = rows[0].id;
      const link = await lastLink(id, "AccountRegistered", "confirm-account");
      const confirmed = await send(`verify-email/${link}`, { start_over: true });
      expect((await setPassword(confirmed.json().data.reset_token)).statusCode).toBe(200);
    });
    const answer = await register();
    expect(answer.statusCode).toBe(409);
    expect((await eventsOf(id)).map(({ type }) => type).slice(0, 6)).toEqual([
      "AccountRegistered",
      "EmailConfirmed",
      "PasswordResetRequested",
      "SessionsEnded",
      "PasswordChanged",
      "SessionsEnded",
    ]);
    expect(await openSessions(id)).toBe(0);
  });

  it("does not bypass a second factor when sent again", async () => {
    const { id } = (await register(PASSWORD, KEY)).json().data.user;
    await fixture.db.query(
      "update command.account set factor_id = gen_random_uuid() where id = $1",
      [id],
    );
    const again = await register(PASSWORD, KEY);
    expect(again.json().data.user.id).not.toBe(id);
  });
});

const { account: accountKey } = subjects;
const rowOf = async (id: string) =>
  (await fixture.db.query("select * from command.account where id = $1", [id])).rows[0];
const linkOf = (id: string) => lastLink(id, "AccountRegistered", "confirm-account");
const opens = async (link: string) =>
  (await send(`verify-email/${link}`, { start_over: true })).statusCode === 200;

describe("an account that is replaced by others", () => {
  it("keeps its links for the owner of the address after several concurrent registrations", async () => {
    for (let round = 0; round < 6; round += 1) {
      email = `crowd${round}@shop.example`;
      const mine = await linkOf((await register()).json().data.user.id);
      const answers = await Promise.all([1, 2, 3].map(() => register(OTHER)));
      // No one has confirmed the address, so the answer must not say that it has an account.
      for (const answer of answers)
        expect([answer.statusCode, answer.json().error?.code]).toSatisfy(
          ([status, code]) => status === 200 || (status === 409 && code === "conflict"),
        );
      expect(await opens(mine)).toBe(true);
    }
  });

  it("leaves its links to its successor if the process crashed after its event", async () => {
    const { id } = (await register()).json().data.user;
    const mine = await linkOf(id);
    const by = randomUUID();
    const { handler } = await openAccounts(fixture);
    const caller = browser(new Date());
    const command = { type: "ReplaceAccount", by } as const;
    await handler.execute(accountAggregate(id), command, newEnvelope(caller));
    expect((await register(OTHER)).json().data.user.id).toBe(by);
    expect(await opens(mine)).toBe(true);
    expect(await rowOf(by)).toMatchObject({ confirmed: true, password_hash: "" });
  });

  it("lets no one in if its key could not be destroyed", async () => {
    const { user, token } = (await register()).json().data;
    vi.spyOn(fixture.api.keys, "destroy").mockRejectedValueOnce(new Error("died"));
    expect((await register(OTHER)).statusCode).toBe(500);
    expect((await send("auth/login", { email, password: PASSWORD })).statusCode).toBe(401);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await send("reports/submit", chargeback, bearer)).statusCode).toBe(401);
    expect(await rowOf(user.id)).toBeUndefined();
  });

  it("does not prevent the operator from adding an account", async () => {
    const { user, token } = (await register()).json().data;
    const mine = await linkOf(user.id);
    const staff = { email, password: OTHER, role: "admin", firstName: "B", lastName: "O" } as const;
    const now = new Date().toISOString();
    const added = await fixture.api.accounts.add(staff, systemCaller(now));
    expect(await rowOf(added?.id ?? "")).toMatchObject({ role: "admin", confirmed: true });
    expect(await rowOf(user.id)).toBeUndefined();
    const bearer = { authorization: `Bearer ${token}` };
    expect((await send("auth/resend-verification", {}, bearer)).statusCode).toBe(401);
    expect((await send("auth/login", { email, password: OTHER })).statusCode).toBe(200);
    expect(await opens(mine)).toBe(false);
    expect(await fixture.api.accounts.add(staff, systemCaller(now))).toBeNull();
  });

  it("is cleaned up by housekeeping if a process crashed after its event", async () => {
    const { id } = (await register()).json().data.user;
    const { handler } = await openAccounts(fixture);
    const command = { type: "ReplaceAccount", by: randomUUID() } as const;
    await handler.execute(accountAggregate(id), command, newEnvelope(browser(new Date())));
    await fixture.api.registration.expire(Date.now() + 31 * 24 * 3_600_000);
    expect(await rowOf(id)).toBeUndefined();
    const found = await fixture.api.keys.get([accountKey(id)]);
    expect(found.get(accountKey(id))?.state).toBe("destroyed");
  });
});

describe("addresses that are never confirmed", () => {
  it("cannot sign in once expired, even if the key could not be destroyed", async () => {
    const { id } = (await register()).json().data.user;
    vi.spyOn(fixture.api.keys, "destroy").mockRejectedValueOnce(new Error("died"));
    const later = Date.now() + 31 * 24 * 3_600_000;
    await expect(fixture.api.registration.expire(later)).rejects.toThrow("died");
    expect(await rowOf(id)).toBeUndefined();
  });

  it("are each checked once, even if many cannot expire", async () => {
    const { id } = (await register()).json().data.user;
    const { rowCount } = await fixture.db.query(
      `insert into command.account
         (id, email_sealed, email_blind, password_hash, role, status, confirmed, created_at)
       select gen_random_uuid(), email_sealed, 'many-' || n, '', role, status, false,
         created_at - interval '1 day'
       from command.account, generate_series(1, 500) n where id = $1`,
      [id],
    );
    expect(rowCount).toBe(500);
    await fixture.api.registration.expire(Date.now() + 31 * 24 * 3_600_000);
    expect(await rowOf(id)).toBeUndefined();
    await fixture.db.query("delete from command.account where email_blind like 'many-%'");
  });
});

describe("registering while signed in", () => {
  it("does not mention the other account in the new one's history", async () => {
    const { token, user } = (await register()).json().data;
    email = `second-${email}`;
    const bearer = { authorization: `Bearer ${token}` };
    const second = (await register(PASSWORD, bearer)).json().data.user.id;
    const events = await eventsOf(second);
    expect(events[0].metadata.actor).toEqual({ id: "visitor", role: "visitor" });
    expect(JSON.stringify(events)).not.toContain(user.id);
  });
});
