import { beforeEach, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope } from "../kernel/envelope.ts";
import { browser, openAccounts } from "../testing/accounts.fixture.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { erasureFollower } from "../testing/erasure-follower.fixture.ts";
import {
  OTHER,
  PASSWORD,
  registrationCalls,
  START_OVER,
} from "../testing/registrations.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";

const fixture = forFile(() => startCommandApi());

let count = 0;
let email = "";
beforeEach(() => {
  count += 1;
  email = `rae${count}@shop.example`;
});

const { send, form, register, signIn, works, eventsOf, typesOf, confirmLink, rowOf } =
  registrationCalls(
    () => fixture,
    () => email,
  );

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

  it("without a session requires the password of the registration, and then keeps everything", async () => {
    const { user, token, refreshToken } = await register();
    const submitted = await send("reports/submit", chargeback, token);
    const link = `verify-email/${await confirmLink(user.id)}`;
    const before = await typesOf(user.id);
    const codeOf = async (body: object) => (await send(link, body)).json().error.code;
    expect(await codeOf({})).toBe("password_required");
    expect(await codeOf({ start_over: false })).toBe("password_required");
    expect(await codeOf({ password: OTHER })).toBe("wrong_password");
    expect(await typesOf(user.id)).toEqual(before);
    expect(await rowOf(user.id)).toMatchObject({ confirmed: false });
    const answer = await send(link, { password: PASSWORD });
    expect(answer.json().data).toEqual({ kind: "account", next: "done" });
    expect(await typesOf(user.id)).toEqual([...before, "EmailConfirmed"]);
    expect(await works(token)).toBe(true);
    expect((await send("auth/refresh", { refreshToken })).statusCode).toBe(200);
    expect((await signIn()).json().data.user).toMatchObject({ confirmed: true, first_name: "Rae" });
    const reporter = subjects.reporter(submitted.json().data.id);
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([reporter]);
    expect(await codeOf({ password: PASSWORD })).toBe("link_invalid");
  });

  it("counts a wrong password as a guess, but not a right one", async () => {
    const { user } = await register();
    const link = `verify-email/${await confirmLink(user.id)}`;
    const guesses = async () =>
      (await fixture.db.query("select sum(guesses)::int as n from command.password_guess")).rows[0]
        .n;
    const before = (await guesses()) ?? 0;
    await send(link, { password: OTHER });
    expect(await guesses()).toBe(before + 1);
    expect((await send(link, { password: PASSWORD })).statusCode).toBe(200);
    expect(await guesses()).toBe(before + 1);
  });

  it("without the password ends all sessions and drops what was set before", async () => {
    const { user, token, refreshToken } = await register();
    const submitted = await send("reports/submit", chargeback, token);
    const answer = await send(`verify-email/${await confirmLink(user.id)}`, START_OVER);
    const { next, reset_token } = answer.json().data;
    expect(next).toBe("set_password");
    expect(await works(token)).toBe(false);
    expect((await send("auth/refresh", { refreshToken })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(401);
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([]);
    const reporter = subjects.reporter(submitted.json().data.id);
    expect(await fixture.keyState(reporter)).toBe("present");
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

  it("rejects reports from an earlier session even before the tables have its end", async () => {
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

  it("repeated, keeps its owner's later reports and returns no used link", async () => {
    const { user, token } = await register();
    await send("reports/submit", chargeback, token);
    const url = `verify-email/${await confirmLink(user.id)}`;
    const key = { "idempotency-key": `confirm-${user.id}` };
    const first = await send(url, START_OVER, undefined, key);
    const { reset_token } = first.json().data;
    expect((await send(url, START_OVER, undefined, key)).json()).toEqual(first.json());
    const reset = { token: reset_token, password: OTHER, confirmPassword: OTHER };
    expect((await send("auth/reset-password", reset)).statusCode).toBe(200);
    const session = (await signIn(OTHER)).json().data;
    const { id } = (await send("reports/submit", chargeback, session.token)).json().data;
    const again = await send(url, START_OVER, undefined, key);
    expect(again.json().data).toEqual({ kind: "account", next: "done" });
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([subjects.reporter(id)]);
  });

  it("detaches earlier reports even if the process crashes right after", async () => {
    const { user, token } = await register();
    const former = (await send("reports/submit", chargeback, token)).json().data.id;
    const [{ data }] = await eventsOf(user.id);
    const process = await openAccounts(fixture);
    const change = { accountId: user.id, passwordHash: "", forgetsDevices: true };
    const linkId = data.link.link_id;
    const command = { type: "ConfirmEmail", linkId, startsOver: true } as const;
    await process.credentials.make(command, change, browser(new Date()));
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([subjects.reporter(former)]);
    await erasureFollower(fixture).run(new Date().toISOString());
    expect(await fixture.api.keys.ownedBy(user.id)).toEqual([]);
  });

  it("with a replaced account's link confirms its successor, and resets it", async () => {
    const mine = await register();
    const link = `verify-email/${await confirmLink(mine.user.id)}`;
    const stranger = await register(OTHER);
    const third = await register(OTHER, { first_name: "Third" });
    const answer = await send(link, START_OVER);
    expect(answer.json().data).toMatchObject({ kind: "account", next: "set_password" });
    for (const { token } of [stranger, third]) expect(await works(token)).toBe(false);
    expect(await rowOf(third.user.id)).toMatchObject({ confirmed: true, password_hash: "" });
    expect((await send(link, {})).json().error.code).toBe("link_invalid");
  });

  it("races with a replacement, and one of the two wins", async () => {
    const { user } = await register();
    const link = `verify-email/${await confirmLink(user.id)}`;
    const [confirmed, registered] = await Promise.all([
      send(link, START_OVER),
      send("auth/register", form(OTHER)),
    ]);
    const { rows } = await fixture.db.query(
      "select id, confirmed from command.account where email_blind = (select email_blind from command.account where id = any($1))",
      [[user.id, registered.json().data?.user.id ?? user.id]],
    );
    expect(rows).toHaveLength(1);
    // The link confirms whichever account has the address; in between, none has it.
    if (!rows[0].confirmed) expect((await send(link, START_OVER)).statusCode).toBe(200);
    else expect(confirmed.statusCode).toBe(200);
  });
});
