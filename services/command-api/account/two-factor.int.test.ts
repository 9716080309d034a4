import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import {
  newAccount,
  newBrowser,
  newProtectedAccount,
  totpCode,
} from "../testing/two-factor.fixture.ts";
import { DEVICE_FAILURES } from "./device.store.ts";
import { CODE_GUESSES } from "./factor-codes.ts";

const fixture = forFile(() => startCommandApi({ limits: "on", trustProxyHops: 1 }));
// Starts at the beginning of a time step, so that no code expires while a test runs.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** An account protected with the previous code, which leaves the current one for a sign-in. */
const protectedAccount = () => newProtectedAccount(fixture, -1);
const errorOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;

const eventsOf = (accountId: string) => fixture.events(streams.user(accountId));
const typesOf = async (accountId: string) => (await eventsOf(accountId)).map(({ type }) => type);

async function lastStart(accountId: string) {
  const { rows } = await fixture.db.query(
    `select data from event_log.event where type = 'SessionStarted' and data->>'account_id' = $1
     order by position desc limit 1`,
    [accountId],
  );
  return rows[0].data;
}

async function causesOfRefusals(): Promise<string[]> {
  const { rows } = await fixture.db.query(
    "select data->>'cause' as cause from event_log.event where type = 'SignInFailed' order by position",
  );
  return rows.map(({ cause }) => cause);
}

describe("setting up two-factor authentication", () => {
  it("requires no codes until it is confirmed with a code", async () => {
    const { id, email, home } = await newAccount(fixture);
    const setUp = (await home.send("POST", "two-factor/setup")).json().data;
    expect(setUp.uri).toContain(`secret=${setUp.secret}`);
    expect(decodeURIComponent(setUp.uri)).toContain(`otpauth://totp/The Registry:${email}?`);
    expect(errorOf(await home.send("POST", "two-factor/confirm", { code: "000000" }))).toBe(
      "wrong_code",
    );
    const away = newBrowser(fixture);
    expect((await away.login(email)).token).toBeDefined();
    expect(await typesOf(id)).toEqual(["AccountAdded"]);
    const code = totpCode(setUp.secret);
    const confirmed = (await home.send("POST", "two-factor/confirm", { code })).json().data;
    expect(new Set(confirmed.recovery_codes).size).toBe(10);
    expect(confirmed.recovery_codes[0]).toMatch(
      /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/,
    );
    const [, enabled, ended] = await eventsOf(id);
    expect([enabled.type, ended.type]).toEqual(["TwoFactorEnabled", "SessionsEnded"]);
    expect(enabled.data).toMatchObject({ method: "totp", recovery_codes: 10 });
    expect(ended.data.cause).toBe("two_factor_changed");
    // The other session has ended, and this one's old tokens are void.
    expect((await away.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(401);
    expect((await home.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(401);
    home.token = confirmed.token;
    expect((await home.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(200);
    expect(errorOf(await home.send("POST", "two-factor/setup"))).toBe("two_factor_on");
  });

  it("stores no readable secrets or codes in tables or log", async () => {
    const { secret, codes } = await protectedAccount();
    const { rows } = await fixture.db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('command', 'event_log')`,
    );
    for (const { name } of rows) {
      const all = await fixture.db.query(`select t::text as row from ${name} t`);
      const text = all.rows.map(({ row }) => row).join("\n");
      for (const value of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))])
        expect(text.includes(value), name).toBe(false);
    }
  });

  it("requires a recent password check, and expires after an hour", async () => {
    const { home } = await newAccount(fixture);
    const { secret } = (await home.send("POST", "two-factor/setup")).json().data;
    await fixture.db.query(
      "update command.second_factor set created_at = created_at - interval '61 minutes'",
    );
    const code = totpCode(secret);
    expect(errorOf(await home.send("POST", "two-factor/confirm", { code }))).toBe("wrong_code");
    await fixture.db.query("update command.session set proved_at = null");
    for (const [method, path] of [
      ["POST", "two-factor/setup"],
      ["POST", "two-factor/recovery-codes"],
      ["DELETE", "two-factor"],
    ] as const)
      expect(errorOf(await home.send(method, path))).toBe("proof_required");
  });

  it("in two tabs concurrently leaves one second factor, that of the code", async () => {
    const { id, email, home } = await newAccount(fixture);
    const first = (await home.send("POST", "two-factor/setup")).json().data.secret;
    vi.setSystemTime(Date.now() + 1);
    const second = (await home.send("POST", "two-factor/setup")).json().data.secret;
    const confirm = (secret: string) =>
      home.send("POST", "two-factor/confirm", { code: totpCode(secret, -1) });
    expect(errorOf(await confirm(first))).toBe("wrong_code");
    const both = await Promise.all([confirm(second), confirm(second)]);
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect((await typesOf(id)).filter((type) => type === "TwoFactorEnabled")).toHaveLength(1);
    const { challenge } = await home.login(email);
    expect(await home.finish(challenge, totpCode(second))).toBe(200);
  });
});

describe("signing in with a second factor", () => {
  it("requires a code from the authenticator after the password, which alone gives no token", async () => {
    const { id, email, secret } = await protectedAccount();
    const away = newBrowser(fixture);
    const challenged = await away.login(email);
    expect(Object.keys(challenged).sort()).toEqual(["challenge", "expires_at"]);
    expect(await away.finish(challenged.challenge, totpCode(secret))).toBe(200);
    expect((await away.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(200);
    expect(await lastStart(id)).toMatchObject({ method: "two_factor", device: "new" });
    // Even from a known browser.
    const again = await away.login(email);
    expect(again.token).toBeUndefined();
    expect(await away.finish(again.challenge, totpCode(secret, 1))).toBe(200);
    expect(await lastStart(id)).toMatchObject({ method: "two_factor", device: "known" });
  });

  it("takes each code once, including recovery codes, however they are typed", async () => {
    const { id, email, home, secret, codes } = await protectedAccount();
    const finish = async (code: string) => home.finish((await home.login(email)).challenge, code);
    // The code that turned it on.
    expect(await finish(totpCode(secret, -1))).toBe("wrong_code");
    expect(await finish(totpCode(secret))).toBe(200);
    expect(await finish(totpCode(secret))).toBe("wrong_code");
    expect(await finish(String(codes[3]).toLowerCase().replaceAll("-", " "))).toBe(200);
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: "RecoveryCodeUsed",
      data: { code: 4 },
      metadata: { actor: { id, role: "user" } },
    });
    const start = await lastStart(id);
    expect(start.method).toBe("recovery_code");
    expect(start.account_revision).toBe((await eventsOf(id)).length - 1);
    expect(await finish(String(codes[3]))).toBe("wrong_code");
    expect((await causesOfRefusals()).slice(-3)).toEqual([
      "code_reused",
      "code_reused",
      "code_reused",
    ]);
  });

  it("twice concurrently with the same code succeeds once", async () => {
    const { email, secret, codes } = await protectedAccount();
    for (const code of [totpCode(secret), String(codes[0])]) {
      const tabs = [newBrowser(fixture), newBrowser(fixture)];
      const challenges = await Promise.all(
        tabs.map(async (tab) => (await tab.login(email)).challenge),
      );
      const results = await Promise.all(tabs.map((tab, i) => tab.finish(challenges[i], code)));
      expect(results.sort()).toEqual([200, "wrong_code"]);
    }
  });

  it("rejects codes of another account", async () => {
    const [mine, theirs] = [await protectedAccount(), await protectedAccount()];
    const { challenge } = await mine.home.login(mine.email);
    expect(await mine.home.finish(challenge, totpCode(theirs.secret))).toBe("wrong_code");
    expect(await mine.home.finish(challenge, String(theirs.codes[0]))).toBe("wrong_code");
    expect(await mine.home.finish(challenge, totpCode(mine.secret))).toBe(200);
  });
});

describe("a challenge", () => {
  it("works once, in its own browser, for five minutes", async () => {
    const { email, home, secret, codes } = await protectedAccount();
    const { challenge } = await home.login(email);
    const thief = newBrowser(fixture);
    expect(await thief.finish(challenge, totpCode(secret))).toBe("challenge_invalid");
    expect(await home.finish(`${challenge.slice(1)}x`, totpCode(secret))).toBe("challenge_invalid");
    expect(await home.finish(challenge, totpCode(secret))).toBe(200);
    expect(await home.finish(challenge, String(codes[0]))).toBe("challenge_invalid");
    const late = (await home.login(email)).challenge;
    await fixture.db.query(
      "update command.sign_in_challenge set expires_at = expires_at - interval '5 minutes'",
    );
    expect(await home.finish(late, String(codes[0]))).toBe("challenge_invalid");
  });

  it("used concurrently with two codes succeeds once", async () => {
    const { email, home, secret, codes } = await protectedAccount();
    const { challenge } = await home.login(email);
    const results = await Promise.all([
      home.finish(challenge, totpCode(secret)),
      home.finish(challenge, String(codes[0])),
    ]);
    expect(results.sort()).toEqual([200, "challenge_invalid"]);
  });

  it.each([
    [
      "a new password",
      (email: string) => fixture.api.accounts.resetPassword(email, PASSWORD, caller()),
    ],
    [
      "a ban",
      (_email: string, id: string) =>
        fixture.db.query("update command.account set status = 'banned' where id = $1", [id]),
    ],
  ])("is void after %s", async (_what, change) => {
    const { id, email, home, secret, codes } = await protectedAccount();
    const { challenge } = await home.login(email);
    await change(email, id);
    expect(await home.finish(challenge, totpCode(secret))).toBe("challenge_invalid");
    expect(await home.finish(challenge, String(codes[0]))).toBe("challenge_invalid");
    expect(await typesOf(id)).not.toContain("RecoveryCodeUsed");
  });
});

describe("guessing codes", () => {
  it("from unknown devices stops after ten in an hour, and does not lock out known ones", async () => {
    const { email, home, secret } = await protectedAccount();
    const thief = newBrowser(fixture);
    const { challenge } = await thief.login(email);
    const results: (number | string)[] = [];
    for (let count = 0; count < CODE_GUESSES + 5; count += 1) {
      const each = newBrowser(fixture);
      each.cookie = thief.cookie;
      results.push(await each.finish(challenge, String(count).padStart(6, "0")));
    }
    expect(results.slice(0, CODE_GUESSES)).toEqual(Array(CODE_GUESSES).fill("wrong_code"));
    expect(new Set(results.slice(CODE_GUESSES))).toEqual(new Set(["link_required"]));
    // Not even the right one.
    expect(await thief.finish(challenge, totpCode(secret))).toBe("link_required");
    await fixture.api.background.finish();
    const known = await home.login(email);
    expect(await home.finish(known.challenge, totpCode(secret))).toBe(200);
  });

  it("from a known browser counts as unknown after twenty failures", async () => {
    const { email, home } = await protectedAccount();
    const { challenge } = await home.login(email);
    const results: (number | string)[] = [];
    for (let count = 0; count < DEVICE_FAILURES + CODE_GUESSES; count += 1) {
      const each = newBrowser(fixture);
      each.cookie = home.cookie;
      results.push(await each.finish(challenge, "abcdef"));
    }
    expect(results.at(-2)).toBe("wrong_code");
    expect(results.at(-1)).toBe("link_required");
  });
});

describe("with two-factor authentication on, its owner", () => {
  it("can turn it off: the password is enough, no codes remain, and other sessions end", async () => {
    const { id, email, home, secret, codes } = await protectedAccount();
    const away = newBrowser(fixture);
    await away.finish((await away.login(email)).challenge, totpCode(secret));
    const code = String(codes[0]);
    const { token } = (await home.send("DELETE", "two-factor", { code })).json().data;
    expect((await away.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(401);
    home.token = token;
    expect(errorOf(await home.send("DELETE", "two-factor"))).toBe("two_factor_off");
    expect(errorOf(await home.send("POST", "two-factor/recovery-codes"))).toBe("two_factor_off");
    expect((await away.login(email)).token).toBeDefined();
    expect((await typesOf(id)).slice(-2)).toEqual(["TwoFactorDisabled", "SessionsEnded"]);
    const left = "select from command.recovery_code where account_id = $1";
    expect((await fixture.db.query(left, [id])).rowCount).toBe(0);
  });

  it("can replace the recovery codes: the old ones are void, and sessions stay", async () => {
    const { email, home, codes } = await protectedAccount();
    const code = String(codes[1]);
    const answer = await home.send("POST", "two-factor/recovery-codes", { code });
    const others: string[] = answer.json().data.recovery_codes;
    expect((await home.send("POST", "prove", { password: PASSWORD })).statusCode).toBe(200);
    expect(others.filter((code) => codes.includes(code))).toEqual([]);
    const { challenge } = await home.login(email);
    expect(await home.finish(challenge, String(codes[0]))).toBe("wrong_code");
    expect(await home.finish(challenge, String(others[0]))).toBe(200);
  });

  it("must enter a code to weaken it, however recent the sign-in, and each code works once", async () => {
    const { id, home, codes } = await protectedAccount();
    const change = { email: "moved@registry.example" };
    const calls = [
      ["DELETE", "two-factor", {}],
      ["POST", "two-factor/recovery-codes", {}],
      ["POST", "change-email", change],
    ] as const;
    const before = await typesOf(id);
    for (const [method, path, body] of calls) {
      expect(errorOf(await home.send(method, path, body))).toBe("code_required");
      expect(errorOf(await home.send(method, path, { ...body, code: "abcdef" }))).toBe(
        "wrong_code",
      );
    }
    expect(await typesOf(id)).toEqual(before);
    const code = String(codes[0]);
    expect((await home.send("POST", "change-email", { ...change, code })).statusCode).toBe(200);
    expect(errorOf(await home.send("DELETE", "two-factor", { code }))).toBe("wrong_code");
    for (let count = 0; count < CODE_GUESSES; count += 1)
      await home.send("DELETE", "two-factor", { code: "abcdef" });
    const late = await home.send("DELETE", "two-factor", { code: String(codes[1]) });
    expect(errorOf(late)).toBe("too_many_requests");
  });

  it("keeps it through a password reset, and loses it with the account", async () => {
    const { id, email, home, secret } = await protectedAccount();
    await fixture.api.accounts.resetPassword(email, PASSWORD, caller());
    const { challenge } = await home.login(email);
    expect(await home.finish(challenge, totpCode(secret))).toBe(200);
    await fixture.api.accountEraser.erase(id, caller());
    for (const table of ["second_factor", "recovery_code", "sign_in_challenge"]) {
      const left = `select from command.${table} where account_id = $1`;
      expect((await fixture.db.query(left, [id])).rowCount, table).toBe(0);
    }
  });
});

const caller = () => systemCaller(new Date().toISOString());
