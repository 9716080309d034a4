import { describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { ACCOUNT_CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { found, ofAccounts, registration } from "./support/canaries.ts";
import { startSystem } from "./support/in-process.ts";
import { leaks as leaksOf, mailsIn, rowsOf } from "./support/traces.ts";

const system = forFile(() => startSystem());

async function send(method: "POST" | "PUT" | "GET", url: string, body?: object, token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  return system.call(method, `/prod/api/${url}`, { ...(body ? { body } : {}), headers });
}

/** The canaries that each table holds in plain text. */
const leaks = async () => leaksOf(await rowsOf(system.db), ofAccounts);
const mails = () => mailsIn(system.mailFolder);
const address = found(ACCOUNT_CANARIES.email, ofAccounts);
/** Staff search accounts by name, so one table holds names in plain text. */
const names = found(`${ACCOUNT_CANARIES.first_name} ${ACCOUNT_CANARIES.last_name}`, ofAccounts).map(
  (name) => `users."user": ${name}`,
);

describe("a canary in every field of an account", () => {
  it("is in no log, in no table but for names in the users' table, and in no email but for the address", async () => {
    const registered = await send("POST", "auth/register", registration);
    expect(registered.statusCode, registered.body).toBe(200);
    const { token, user } = registered.json().data;
    const { job_title, bio } = ACCOUNT_CANARIES;
    const edited = await send("PUT", "auth/profile", { job_title, bio }, token);
    expect(edited.statusCode, edited.body).toBe(200);
    await send("POST", "auth/forgot-password", { email: registration.email });
    await send("POST", "auth/resend-verification", {}, token);
    const { email, password } = registration;
    const wrong = { email, password: `${password}-wrong` };
    expect((await send("POST", "auth/login", wrong)).statusCode).toBe(401);
    const change = { currentPassword: wrong.password, password, confirmPassword: password };
    expect((await send("POST", "auth/change-password", change, token)).statusCode).toBe(403);
    await system.commandApi.background.finish();
    await expect.poll(mails).toContain("verify-email");
    await expect.poll(mails).toContain("reset-password");
    const profile = await system.call("GET", "/prod/api/auth/profile", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(profile.json().data.user.id).toBe(user.id);
    await expect.poll(async () => (await leaks()).sort()).toEqual(names.sort());
    expect(found(system.logged(), ofAccounts)).toEqual([]);
    expect(found(await mails(), ofAccounts).sort()).toEqual([...address].sort());
  }, 60_000);

  it("is gone, including from queued emails, once the address is registered again", async () => {
    const { rows } = await system.db.query<{ id: string }>(
      "select id from command.account where not confirmed",
    );
    const again = { ...registration, first_name: "Other", last_name: "Other" };
    const second = await send("POST", "auth/register", again);
    expect(second.statusCode, second.body).toBe(200);
    const key = subjects.account(rows[0]?.id ?? "");
    expect((await system.commandApi.keys.get([key])).get(key)?.state).toBe("destroyed");
    await expect
      .poll(async () => {
        const { rows: waiting } = await system.db.query(
          "select from outbox.mail where account_id = $1",
          [rows[0]?.id],
        );
        return waiting.length;
      })
      .toBe(0);
    await expect.poll(leaks).toEqual([]);
  }, 60_000);
});
