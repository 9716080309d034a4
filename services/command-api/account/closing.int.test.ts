import { describe, expect, it, onTestFinished, vi } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import {
  chargeback,
  PASSWORD,
  refusal,
  registration,
  startCommandApi,
} from "../testing/command-api.fixture.ts";
import { newBrowser, totpCode } from "../testing/two-factor.fixture.ts";

const fixture = forFile(() => startCommandApi());

const DAY_MS = 24 * 3_600_000;

const member = async (email: string, role: "user" | "admin" | "auditor" = "user") =>
  (await fixture.addAccount({ email, role })).id;
const login = (email: string, password = PASSWORD) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });
async function signIn(email: string) {
  const { token, refreshToken } = (await login(email)).json().data;
  return { headers: { authorization: `Bearer ${token}` }, refreshToken };
}
type Headers = Readonly<Record<string, string>>;
const send = (method: "POST" | "DELETE", url: string, headers: Headers, payload: object) =>
  fixture.api.app.inject({ method, url, headers, payload });
const close = (headers: Headers, body: object = { password: PASSWORD }) =>
  send("DELETE", "/prod/api/auth/account", headers, body);

const types = (stream: string) => fixture.types(stream);
const keyOf = (id: string) => fixture.keyState(subjects.account(id));

describe("an owner who deletes the account", () => {
  it("must give the password, and is signed out everywhere", async () => {
    const id = await member("ann@shop.example");
    const [one, other] = [await signIn("ann@shop.example"), await signIn("ann@shop.example")];
    expect((await close(one.headers, {})).statusCode).toBe(400);
    const wrong = await close(one.headers, { password: "Wrong-horse-9" });
    expect(refusal(wrong)).toEqual([403, "wrong_password"]);
    expect(await types(`user-${id}`)).not.toContain("AccountClosed");
    const closed = await close(one.headers);
    expect(closed.statusCode).toBe(200);
    expect(Date.parse(closed.json().data.erase_at) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountClosed");
    for (const { headers, refreshToken } of [one, other]) {
      expect((await close(headers)).statusCode).toBe(401);
      const refresh = { body: { refreshToken } };
      expect((await fixture.call("POST", "/prod/api/auth/refresh", refresh)).statusCode).toBe(401);
    }
    const [closedOne, unknown] = [
      await login("ann@shop.example", "Wrong-horse-9"),
      await login("nobody@shop.example"),
    ];
    expect([closedOne.statusCode, closedOne.json()]).toEqual([unknown.statusCode, unknown.json()]);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountClosed");
  });

  it("can reopen it by signing in within seven days", async () => {
    const id = await member("fay@shop.example");
    await close((await signIn("fay@shop.example")).headers);
    await fixture.api.closing.eraseDue(Date.now() + 6.9 * DAY_MS);
    const back = await login("fay@shop.example");
    expect(back.json().data).toMatchObject({ user: { id }, deletion_canceled: true });
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountReopened");
    expect((await login("fay@shop.example")).json().data).not.toHaveProperty("deletion_canceled");
    await fixture.api.closing.eraseDue(Date.now() + 8 * DAY_MS);
    const headers = { authorization: `Bearer ${back.json().data.token}` };
    expect((await close(headers)).statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7.1 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect((await login("fay@shop.example")).statusCode).toBe(401);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountClosed");
  });

  it("cannot reopen it while it is banned, but can when the ban has ended", async () => {
    const id = await member("hal@shop.example");
    await close((await signIn("hal@shop.example")).headers);
    const by = () => newEnvelope(systemCaller(new Date().toISOString()));
    const { accountModeration } = fixture.api;
    const until = new Date(Date.now() + DAY_MS).toISOString();
    expect(await accountModeration.ban(id, { reason: "Spam", until }, by())).toMatchObject({
      status: "banned",
    });
    const refused = await login("hal@shop.example");
    expect(refusal(refused)).toEqual([403, "account_banned"]);
    await accountModeration.ban(id, { reason: "Spam" }, by());
    await accountModeration.endDue(Date.now() + 2 * DAY_MS);
    expect((await login("hal@shop.example")).statusCode).toBe(403);
    await accountModeration.ban(id, { reason: "Spam", until }, by());
    await accountModeration.endDue(Date.now() + 2 * DAY_MS);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountUnbanned");
    expect((await login("hal@shop.example")).json().data).toHaveProperty("deletion_canceled");
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountReopened");
  });

  it("must also give the second factor, to delete it and to reopen it", async () => {
    const id = await member("gus@shop.example");
    const { headers } = await signIn("gus@shop.example");
    const setup = await send("POST", "/prod/api/auth/two-factor/setup", headers, {});
    const code = totpCode(setup.json().data.secret);
    const on = await send("POST", "/prod/api/auth/two-factor/confirm", headers, { code });
    const [first, second] = on.json().data.recovery_codes;
    const token = { authorization: `Bearer ${on.json().data.token}` };
    const without = await close(token);
    expect(refusal(without)).toEqual([403, "code_required"]);
    const wrong = await close(token, { password: PASSWORD, code: "AAAA-AAAA" });
    expect(refusal(wrong)).toEqual([403, "wrong_code"]);
    expect((await close(token, { password: PASSWORD, code: first })).statusCode).toBe(200);
    const home = newBrowser(fixture);
    const { challenge } = await home.login("gus@shop.example");
    expect(await types(`user-${id}`)).not.toContain("AccountReopened");
    expect(await home.finish(challenge, second)).toBe(200);
    expect(await types(`user-${id}`)).toContain("AccountReopened");
  });

  it("has it erased only when due; reports stay without a reporter", async () => {
    const id = await member("bea@shop.example");
    const { headers } = await signIn("bea@shop.example");
    const sent = await send("POST", "/prod/api/reports/submit", headers, chargeback);
    const report = sent.json().data.id;
    await close(headers);
    await fixture.api.closing.eraseDue(Date.now());
    expect(await keyOf(id)).toBe("present");
    await fixture.api.closing.eraseDue(Date.now() + 7.1 * DAY_MS);
    expect(await keyOf(id)).toBe("destroyed");
    expect((await types(`user-${id}`)).slice(-2)).toEqual(["AccountClosed", "AccountErased"]);
    expect(await types(`report-${report}`)).toEqual(["ReportSubmitted", "ReporterErased"]);
    const { rowCount } = await fixture.db.query("select from command.account where id = $1", [id]);
    expect(rowCount).toBe(0);
    // The address is available again.
    expect(await member("bea@shop.example")).not.toBe(id);
  });

  it("can set a new password, and keeps the address reserved", async () => {
    const id = await member("cas@shop.example");
    const { headers } = await signIn("cas@shop.example");
    const forgot = () =>
      fixture.call("POST", "/prod/api/auth/forgot-password", {
        body: { email: "cas@shop.example" },
      });
    await close(headers);
    expect((await forgot()).statusCode).toBe(200);
    await fixture.api.background.finish();
    expect(await types(`user-${id}`)).toContain("PasswordResetRequested");
    const body = registration("cas@shop.example");
    const again = await fixture.call("POST", "/prod/api/auth/register", { body });
    expect(refusal(again)).toEqual([409, "email_taken"]);
  });
});
