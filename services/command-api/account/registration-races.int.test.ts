import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { createOneTimeLinks, type OneTimeLinks } from "#vault/links/one-time-link.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { CredentialChangeStore } from "./credential-change.store.ts";

/** Runs once, after the next password was compared. */
const hook: { compared?: (() => Promise<void>) | undefined } = {};
vi.mock("#services/command-api/account/passwords.ts", async (load) => {
  const real = await load<typeof import("./passwords.ts")>();
  return {
    ...real,
    verifyPassword: async (...args: Parameters<typeof real.verifyPassword>) => {
      const isRight = await real.verifyPassword(...args);
      const { compared } = hook;
      hook.compared = undefined;
      await compared?.();
      return isRight;
    },
  };
});

const PASSWORD = "Lamp-light-42";
const OTHER = "Other-light-43";
const KEY = { "idempotency-key": "0123456789abcdef" };

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

const send = (url: string, payload: object, headers: Record<string, string> = {}) =>
  fixture.api.app.inject({ method: "POST", url: `/prod/api/${url}`, headers, payload });
const register = (password = PASSWORD, headers: Record<string, string> = {}) =>
  send(
    "auth/register",
    { first_name: "Rae", last_name: "Holt", email, password, confirmPassword: password },
    headers,
  );
async function eventsOf(id: string) {
  const { rows } = await fixture.db.query(
    "select type, data, metadata from event_log.event where stream = $1 order by revision",
    [streams.user(id)],
  );
  return rows;
}
async function lastLink(id: string, type: string, purpose: "confirm-account" | "reset-password") {
  const event = (await eventsOf(id)).findLast((each) => each.type === type);
  const { link_id: linkId, expires_at: expiresAt } = event.data.link;
  return links.makeToken(purpose, { aggregateId: id, linkId, expiresAt });
}
const setPassword = (token: string) =>
  send("auth/reset-password", { token, password: OTHER, confirmPassword: OTHER });
const openSessions = async (id: string) =>
  (
    await fixture.db.query(
      "select id from command.session where account_id = $1 and ended_at is null",
      [id],
    )
  ).rows.length;

describe("a registration whose address is confirmed by somebody else meanwhile", () => {
  it("gets no session when the owner sets a password while the repeat's is compared", async () => {
    const { id } = (await register(PASSWORD, KEY)).json().data.user;
    await send("auth/forgot-password", { email });
    await fixture.api.background.finish();
    const token = await lastLink(id, "PasswordResetRequested", "reset-password");
    hook.compared = async () => {
      expect((await setPassword(token)).statusCode).toBe(200);
    };
    const again = await register(PASSWORD, KEY);
    expect(hook.compared).toBeUndefined();
    expect(again.statusCode).toBe(409);
    expect(again.json().error.code).toBe("conflict");
    expect(await openSessions(id)).toBe(0);
    expect((await send("auth/login", { email, password: OTHER })).statusCode).toBe(200);
  });

  it("gets no session when the owner does so before the first one begins", async () => {
    const apply = CredentialChangeStore.prototype.apply;
    let id = "";
    vi.spyOn(CredentialChangeStore.prototype, "apply").mockImplementationOnce(async function (
      this: CredentialChangeStore,
      ...args
    ) {
      await apply.apply(this, args);
      const { rows } = await fixture.db.query(
        "select id from command.account order by created_at desc, id limit 1",
      );
      id = rows[0].id;
      const link = await lastLink(id, "AccountRegistered", "confirm-account");
      const confirmed = await send(`verify-email/${link}`, {});
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

  it("does not pass over a second factor by being sent again", async () => {
    const { id } = (await register(PASSWORD, KEY)).json().data.user;
    await fixture.db.query(
      "update command.account set factor_id = gen_random_uuid() where id = $1",
      [id],
    );
    const again = await register(PASSWORD, KEY);
    expect(again.json().data.user.id).not.toBe(id);
  });
});
