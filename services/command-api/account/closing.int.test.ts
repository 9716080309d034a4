import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { chargeback, type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { CredentialChangeStore } from "./credential-change.store.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const PASSWORD = "Correct-horse-9";
const HOUR_MS = 3_600_000;

async function member(email: string, role: "user" | "admin" = "user"): Promise<string> {
  const added = await fixture.api.accounts.add(
    { email, password: PASSWORD, role, firstName: "Ann", lastName: "Bo" },
    systemCaller(new Date().toISOString()),
  );
  return added?.id ?? "";
}
const login = (email: string, password = PASSWORD) =>
  fixture.call("POST", "/prod/api/auth/login", { body: { email, password } });
async function signIn(email: string) {
  const { token, refreshToken } = (await login(email)).json().data;
  return { headers: { authorization: `Bearer ${token}` }, refreshToken };
}
type Headers = Readonly<Record<string, string>>;
const send = (method: "POST" | "DELETE", url: string, headers: Headers, payload: object) =>
  fixture.api.app.inject({ method, url, headers, payload });
const close = (headers: Headers) => send("DELETE", "/prod/api/auth/account", headers, {});

async function types(stream: string): Promise<string[]> {
  const { rows } = await fixture.db.query<{ type: string }>(
    "select type from event_log.event where stream = $1 order by revision",
    [stream],
  );
  return rows.map(({ type }) => type);
}
async function keyOf(id: string) {
  const subject = subjects.account(id);
  return (await fixture.api.keys.get([subject])).get(subject)?.state;
}

describe("an owner who deletes the account", () => {
  it("is signed out everywhere at once, and signs in as somebody unknown would", async () => {
    const id = await member("ann@shop.example");
    const [one, other] = [await signIn("ann@shop.example"), await signIn("ann@shop.example")];
    expect((await close(one.headers)).statusCode).toBe(200);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountClosed");
    for (const { headers, refreshToken } of [one, other]) {
      expect((await close(headers)).statusCode).toBe(401);
      const refresh = { body: { refreshToken } };
      expect((await fixture.call("POST", "/prod/api/auth/refresh", refresh)).statusCode).toBe(401);
    }
    const [closed, unknown] = [await login("ann@shop.example"), await login("nobody@shop.example")];
    expect([closed.statusCode, closed.json()]).toEqual([unknown.statusCode, unknown.json()]);
  });

  it("is erased when the time has come and not before; reports stay without a reporter", async () => {
    const id = await member("bea@shop.example");
    const { headers } = await signIn("bea@shop.example");
    const sent = await send("POST", "/prod/api/reports/submit", headers, chargeback);
    const report = sent.json().data.id;
    await close(headers);
    await fixture.api.closing.eraseDue(Date.now());
    expect(await keyOf(id)).toBe("present");
    await fixture.api.closing.eraseDue(Date.now() + HOUR_MS);
    expect(await keyOf(id)).toBe("destroyed");
    expect((await types(`user-${id}`)).slice(-2)).toEqual(["AccountClosed", "AccountErased"]);
    expect(await types(`report-${report}`)).toEqual(["ReportSubmitted", "ReporterErased"]);
    const { rowCount } = await fixture.db.query("select from command.account where id = $1", [id]);
    expect(rowCount).toBe(0);
    // The address is free again.
    expect(await member("bea@shop.example")).not.toBe(id);
  });

  it("gets no link for a password, and none counts that was asked for before", async () => {
    const id = await member("cas@shop.example");
    const { headers } = await signIn("cas@shop.example");
    const forgot = () =>
      fixture.call("POST", "/prod/api/auth/forgot-password", {
        body: { email: "cas@shop.example" },
      });
    await close(headers);
    expect((await forgot()).statusCode).toBe(200);
    await fixture.api.background.settled();
    expect(await types(`user-${id}`)).not.toContain("PasswordResetRequested");
    const register = {
      first_name: "Eve",
      last_name: "Fox",
      email: "cas@shop.example",
      password: PASSWORD,
      confirmPassword: PASSWORD,
    };
    const again = await fixture.call("POST", "/prod/api/auth/register", { body: register });
    expect([again.statusCode, again.json().error.code]).toEqual([409, "email_taken"]);
  });

  it("is out even where the process died after the event", async () => {
    const id = await member("dan@shop.example");
    const { headers } = await signIn("dan@shop.example");
    const died = vi
      .spyOn(CredentialChangeStore.prototype, "apply")
      .mockRejectedValueOnce(new Error("died"));
    onTestFinished(() => died.mockRestore());
    expect((await close(headers)).statusCode).toBe(500);
    expect((await types(`user-${id}`)).at(-1)).toBe("AccountClosed");
    expect((await login("dan@shop.example")).statusCode).toBe(401);
    expect((await close(headers)).statusCode).toBe(401);
    await fixture.api.closing.eraseDue(Date.now() + HOUR_MS);
    expect(await keyOf(id)).toBe("destroyed");
  });

  it("is no member of staff", async () => {
    const id = await member("eli@registry.example", "admin");
    const { headers } = await signIn("eli@registry.example");
    expect((await close(headers)).statusCode).toBe(403);
    expect(await types(`user-${id}`)).not.toContain("AccountClosed");
    expect((await login("eli@registry.example")).statusCode).toBe(200);
  });
});
