import { beforeEach, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope } from "../kernel/envelope.ts";
import { browser, openAccounts } from "../testing/accounts.fixture.ts";
import { chargeback, refusal, startCommandApi } from "../testing/command-api.fixture.ts";
import { OTHER, PASSWORD, registrationCalls } from "../testing/registrations.fixture.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { DEVICE_COOKIE } from "./device.store.ts";

const fixture = forFile(() => startCommandApi());

let count = 0;
let email = "";
beforeEach(() => {
  count += 1;
  email = `rae${count}@shop.example`;
});

const {
  send,
  form,
  register,
  signIn,
  works,
  settled,
  eventsOf,
  typesOf,
  confirmLink,
  stored,
  rowOf,
} = registrationCalls(
  () => fixture,
  () => email,
);

describe("registering", () => {
  it("returns a session and a device cookie, and the account can be used", async () => {
    const answer = await send(
      "auth/register",
      form(PASSWORD, { company_name: "Lamps", phone: " ", website: "https://lamps.example" }),
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.cookies[0]).toMatchObject({ name: DEVICE_COOKIE, httpOnly: true });
    const { user, token, refreshToken } = answer.json().data;
    expect(user).toMatchObject({
      first_name: "Rae",
      last_name: "Holt",
      email,
      company: "Lamps",
      website: "https://lamps.example",
      role: "user",
      confirmed: false,
    });
    expect(user).not.toHaveProperty("phone");
    expect(refreshToken).toBeTruthy();
    expect(await works(token)).toBe(true);
    const again = await signIn();
    expect(again.json().data.user).toEqual(user);
    const [registered] = await eventsOf(user.id);
    expect(registered).toMatchObject({
      type: "AccountRegistered",
      metadata: { command: "RegisterAccount", actor: { id: "visitor" } },
    });
    // Ciphertext may contain three such letters by chance, but neither quotes nor dots.
    expect(JSON.stringify(registered)).not.toMatch(/"(Rae|Holt|Lamps)"|(shop|lamps)\.example/);
  });

  it("reports problems by field, and rejects weak passwords and unknown fields", async () => {
    const before = await stored();
    const empty = await send("auth/register", {});
    expect(empty.statusCode).toBe(400);
    expect(Object.keys(empty.json().error.fields)).toEqual([
      "first_name",
      "last_name",
      "email",
      "password",
      "confirmPassword",
    ]);
    const common = await send("auth/register", form("Password1"));
    expect(common.json().error.fields).toEqual({
      password: expect.stringMatching(/commonly used password\. Add more words/),
    });
    const label = "d".repeat(63);
    // 320 characters each; in the second, each part has its maximum length.
    const long = [
      `${"r".repeat(320 - "@shop.example".length)}@shop.example`,
      `${"r".repeat(64)}@${label}.${label}.${label}.${label}`,
    ];
    for (const address of long) expect(address).toHaveLength(320);
    for (const address of ["r", "r@", ...long]) {
      const refused = await send("auth/register", form(PASSWORD, { email: address }));
      expect(refused.json().error.fields).toEqual({ email: "Please enter a valid email" });
    }
    const admin = await send("auth/register", form(PASSWORD, { role: "admin" }));
    expect(admin.statusCode).toBe(400);
    expect(await stored()).toEqual(before);
  });

  it("stores markup as plain text, and rejects it as an address, website or password", async () => {
    const markup = "<script>alert(1)</script>";
    const free = { first_name: markup, last_name: markup, phone: markup, company_name: markup };
    const { user } = await register(PASSWORD, free);
    expect(user).toMatchObject({
      first_name: markup,
      last_name: markup,
      phone: markup,
      company: markup,
    });
    const before = await stored();
    const everywhere = form(markup, { ...free, email: markup, website: markup });
    const refused = await send("auth/register", everywhere);
    expect(refused.statusCode).toBe(400);
    expect(Object.keys(refused.json().error.fields).toSorted()).toEqual([
      "email",
      "password",
      "website",
    ]);
    expect((await send("auth/register", form(PASSWORD, { last_name: "a\nb" }))).statusCode).toBe(
      400,
    );
    expect(await stored()).toEqual(before);
  });

  it("a confirmed address is refused, and notifies its owner once a day", async () => {
    const { user, token } = await register();
    await send(`verify-email/${await confirmLink(user.id)}`, {}, token);
    for (const _ of ["once", "again"]) {
      const answer = await send("auth/register", form(OTHER));
      expect(answer.statusCode).toBe(409);
      expect(answer.json().error.code).toBe("email_taken");
      await settled();
    }
    expect(await typesOf(user.id)).toEqual([
      "AccountRegistered",
      "EmailConfirmed",
      "RegistrationAttempted",
    ]);
    expect((await signIn()).statusCode).toBe(200);
    const staff = await send("auth/register", form(OTHER, { email: "dana@registry.example" }));
    expect(staff.json().error.code).toBe("email_taken");
  });

  it("an unconfirmed address again replaces the account: its key is destroyed, and its reports stay", async () => {
    const first = await register();
    const report = { ...chargeback, reporter_email: email };
    const submitted = await send("reports/submit", report, first.token);
    const second = await register(OTHER, { first_name: "Real" });
    expect(second.user.id).not.toBe(first.user.id);
    expect(await works(first.token)).toBe(false);
    expect((await send("auth/refresh", { refreshToken: first.refreshToken })).statusCode).toBe(401);
    expect((await signIn()).statusCode).toBe(401);
    expect((await signIn(OTHER)).json().data.user.first_name).toBe("Real");
    const replaced = (await eventsOf(first.user.id)).at(-1);
    expect(replaced).toMatchObject({
      type: "AccountReplaced",
      data: { replaced_by: second.user.id },
    });
    const key = subjects.account(first.user.id);
    const reporter = subjects.reporter(submitted.json().data.id);
    const keys = await fixture.api.keys.get([key, reporter]);
    expect(keys.get(key)?.state).toBe("destroyed");
    expect(keys.get(reporter)?.state).toBe("present");
    expect(await fixture.api.keys.ownedBy(first.user.id)).toEqual([]);
    expect(await rowOf(first.user.id)).toBeUndefined();
  });

  it("concurrently leaves one account, and returns either a session or a conflict", async () => {
    const answers = await Promise.all(
      ["Aa-first-1x", "Aa-second-1x", "Aa-third-1x"].map((password) =>
        send("auth/register", form(password)),
      ),
    );
    // No one has confirmed it, so the answer must not say that the address has an account.
    for (const answer of answers)
      if (answer.statusCode !== 200) expect(refusal(answer)).toEqual([409, "conflict"]);
    const { rows } = await fixture.db.query(
      "select status, confirmed from command.account where id = any($1)",
      [answers.flatMap((answer) => answer.json().data?.user.id ?? [])],
    );
    expect(rows).toEqual([{ status: "active", confirmed: false }]);
  });

  it("again with the same Idempotency-Key signs in to the account of the first time", async () => {
    const key = { "idempotency-key": "0123456789abcdef" };
    const first = await send("auth/register", form(), undefined, key);
    const again = await send("auth/register", form(), undefined, key);
    const { id } = first.json().data.user;
    expect(again.json().data.user.id).toBe(id);
    expect(await typesOf(id)).toEqual(["AccountRegistered"]);
    const guessed = await send("auth/register", form(OTHER), undefined, key);
    expect(guessed.json().data.user.id).not.toBe(id);
  });
});

describe("an address that is never confirmed", () => {
  const DAY_MS = 24 * 3_600_000;
  it("is available after thirty days, and its account is gone; reports stay", async () => {
    const { user, token } = await register();
    const report = (await send("reports/submit", chargeback, token)).json().data.id;
    const confirmed = await register(PASSWORD, { email: `c${email}` });
    await send(`verify-email/${await confirmLink(confirmed.user.id)}`, {}, confirmed.token);
    await fixture.api.registration.expire(Date.now() + 29 * DAY_MS);
    expect(await rowOf(user.id)).toBeDefined();
    await fixture.api.registration.expire(Date.now() + 31 * DAY_MS);
    expect(await rowOf(user.id)).toBeUndefined();
    expect(await typesOf(user.id)).toEqual(["AccountRegistered", "AccountExpired"]);
    const [key, reporter] = [subjects.account(user.id), subjects.reporter(report)];
    const keys = await fixture.api.keys.get([key, reporter]);
    expect(keys.get(key)?.state).toBe("destroyed");
    expect(keys.get(reporter)?.state).toBe("present");
    expect(await rowOf(confirmed.user.id)).toBeDefined();
    await register();
  });

  it("is also cleaned up if a process crashed after its event", async () => {
    const { user } = await register();
    const dying = await openAccounts(fixture);
    const caller = browser(new Date());
    await dying.handler.execute(
      accountAggregate(user.id),
      { type: "ExpireAccount" },
      newEnvelope(caller),
    );
    // Registering completes it, as housekeeping would.
    const second = await register(OTHER);
    expect(second.user.id).not.toBe(user.id);
    const key = subjects.account(user.id);
    expect(await fixture.keyState(key)).toBe("destroyed");
  });
});
