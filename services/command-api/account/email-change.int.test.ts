import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { emailChangeCalls } from "../testing/email-changes.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";

const fixture = forFile(() => startCommandApi());

const calls = emailChangeCalls(() => fixture);
const { ask, change, confirm, linkOf, login, member, pending, someAddress } = calls;
const { send, signIn, typesOf } = calls;

const isIn = async (token: string) =>
  (await send("prove", { password: PASSWORD }, token)).statusCode === 200;

describe("asking to change the address", () => {
  it("gets the same answer whether the address is free, another account's, or unconfirmed", async () => {
    const [ann, bea, eve] = [await member(), await member(), await pending()];
    const answers = [];
    for (const email of [someAddress(), bea.email, eve.email]) {
      const { statusCode, body } = await ask(ann.token, email);
      answers.push({ statusCode, body });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(200);
    // The owner of an address learns of it only from their own email.
    expect(await typesOf(bea.id)).toEqual(["AccountAdded"]);
    expect((await typesOf(ann.id)).slice(1)).toEqual(Array(3).fill("EmailChangeRequested"));
  });

  it("requires a recent password check and a valid address other than the current one", async () => {
    const ann = await member();
    expect((await ask(ann.token, "no address")).statusCode).toBe(400);
    const same = await ask(ann.token, ann.email.toUpperCase());
    expect([same.statusCode, same.json().error.fields]).toEqual([
      400,
      { email: "This is already your email address" },
    ]);
    await fixture.db.query(
      "update command.session set proved_at = now() - interval '16 minutes' where account_id = $1",
      [ann.id],
    );
    expect(refusal(await ask(ann.token, someAddress()))).toEqual([403, "proof_required"]);
    expect(await typesOf(ann.id)).toEqual(["AccountAdded"]);
  });

  it("sends at most five emails a day", async () => {
    const limited = await startCommandApi({ limits: "on" });
    onTestFinished(() => limited.close());
    const asked = () =>
      limited.call("POST", "/prod/api/auth/change-email", {
        as: "user",
        body: { email: someAddress() },
      });
    for (let n = 0; n < 5; n += 1) expect((await asked()).statusCode).toBe(200);
    expect((await asked()).statusCode).toBe(429);
  });
});

describe("the link to a new address", () => {
  it("moves the account to it: the old address cannot sign in, and other sessions end", async () => {
    const ann = await member();
    const other = await signIn(ann.email);
    const moved = await change(ann);
    expect((await typesOf(ann.id)).slice(1)).toEqual([
      "EmailChangeRequested",
      "EmailChanged",
      "SessionsEnded",
    ]);
    expect((await login(moved.email)).statusCode).toBe(200);
    expect(refusal(await login(ann.email))).toEqual([401, "invalid_credentials"]);
    expect([await isIn(moved.token), await isIn(ann.token), await isIn(other)]).toEqual([
      true,
      false,
      false,
    ]);
    for (const table of ["command.account", "command.credential_outbox", "event_log.event"]) {
      const { rows } = await fixture.db.query(`select * from ${table}`);
      expect(JSON.stringify(rows)).not.toContain(moved.email);
    }
    // The previous address is available again.
    expect((await pending(ann.email)).id).not.toBe(ann.id);
    // It works for a staff account too.
    expect((await login((await change(await member("admin"))).email)).statusCode).toBe(200);
  });

  it("works only in a session of the account", async () => {
    const [ann, bea] = [await member(), await member()];
    await ask(ann.token, someAddress());
    const link = await linkOf(ann.id);
    expect((await confirm(link)).statusCode).toBe(401);
    expect(refusal(await confirm(link, bea.token))).toEqual([400, "link_invalid"]);
    const visitor = await fixture.call("POST", `/prod/api/verify-email/${link}`, { body: {} });
    expect(visitor.statusCode).toBe(400);
    expect(await typesOf(ann.id)).not.toContain("EmailChanged");
    // It was not used up.
    expect((await confirm(link, ann.token)).statusCode).toBe(200);
  });

  it("is refused for an address that another account has confirmed, and changes nothing", async () => {
    const [ann, bea] = [await member(), await member()];
    await ask(ann.token, bea.email);
    expect(refusal(await confirm(await linkOf(ann.id), ann.token))).toEqual([409, "email_taken"]);
    expect((await typesOf(ann.id)).at(-1)).toBe("EmailChangeRequested");
    expect([(await login(ann.email)).statusCode, await isIn(bea.token)]).toEqual([200, true]);
  });

  it("takes the address from an unconfirmed account, which ends", async () => {
    const [ann, eve] = [await member(), await pending()];
    await change(ann, eve.email);
    expect((await typesOf(eve.id)).at(-1)).toBe("AccountReplaced");
    expect(await isIn(eve.token)).toBe(false);
    const { rows } = await fixture.db.query<{ id: string }>(
      "select id from command.account where id = any($1::uuid[])",
      [[ann.id, eve.id]],
    );
    expect(rows).toEqual([{ id: ann.id }]);
    expect((await login(eve.email)).json().data.user.id).toBe(ann.id);
  });

  it("gives it to one of two accounts that open their links at the same time", async () => {
    const email = someAddress();
    const both = [await member(), await member()];
    for (const { token } of both) await ask(token, email);
    const answers = await Promise.all(
      both.map(async ({ id, token }) => confirm(await linkOf(id), token)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const winner = both[answers.findIndex(({ statusCode }) => statusCode === 200)];
    expect((await login(email)).json().data.user.id).toBe(winner?.id);
  });

  it("wins against a concurrent registration of the address", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [ann, email] = [await member(), someAddress()];
      await ask(ann.token, email);
      const [confirmed] = await Promise.all([
        confirm(await linkOf(ann.id), ann.token),
        fixture.call("POST", "/prod/api/auth/register", {
          body: registration(email),
        }),
      ]);
      // Registering an address proves nothing: the link may be refused only while that is in progress.
      expect([200, 409]).toContain(confirmed.statusCode);
      if (confirmed.statusCode === 409) {
        expect((await confirm(await linkOf(ann.id), ann.token)).statusCode).toBe(200);
      }
      expect((await login(email)).json().data.user.id).toBe(ann.id);
    }
  });
});

describe("an account with an unconfirmed address", () => {
  it("has its new address confirmed by the link, and the previous one cannot undo that", async () => {
    const eve = await pending();
    const moved = await change(eve);
    expect((await typesOf(eve.id)).slice(1)).toEqual([
      "EmailChangeRequested",
      "EmailChanged",
      "EmailConfirmed",
      "SessionsEnded",
    ]);
    const user = (await login(moved.email)).json().data.user;
    expect(user).toMatchObject({ id: eve.id, confirmed: true, first_name: "Eve" });
    // A mistyped address is a stranger's, who must not get the account.
    expect(refusal(await calls.undo(await calls.undoOf(eve.id)))).toEqual([400, "link_invalid"]);
    const again = await pending(eve.email);
    expect(again.id).not.toBe(eve.id);
    expect(await isIn(moved.token)).toBe(true);
  });
});

describe("a process that crashes while an address changes", () => {
  it("leaves the event for the next process to append", async () => {
    const [ann, email] = [await member(), someAddress()];
    await ask(ann.token, email);
    const link = await linkOf(ann.id);
    const { store } = fixture.api;
    const append = store.append.bind(store);
    const died = vi.spyOn(store, "append").mockImplementation((stream, ...rest) => {
      // Only the account's stream fails: the service appends to others too.
      if (stream !== streams.user(ann.id)) return append(stream, ...rest);
      return Promise.reject(new Error("died"));
    });
    onTestFinished(() => died.mockRestore());
    expect((await confirm(link, ann.token)).statusCode).toBe(500);
    died.mockRestore();
    expect(await typesOf(ann.id)).not.toContain("EmailChanged");
    const register = (address: string) =>
      fixture.call("POST", "/prod/api/auth/register", { body: registration(address) });
    expect(refusal(await register(email))).toEqual([409, "email_taken"]);
    expect(await typesOf(ann.id)).toContain("EmailChanged");
    expect((await register(ann.email)).statusCode).toBe(200);
    expect((await login(email)).json().data.user.id).toBe(ann.id);
  });
});

describe("a request to change the address", () => {
  const withdraw = (token?: string) =>
    fixture.call("DELETE", "/prod/api/auth/change-email", { body: {}, token });

  it("can be withdrawn only by its owner: its link is void, and the address stays", async () => {
    const ann = await member();
    await ask(ann.token, someAddress());
    const link = await linkOf(ann.id);
    expect((await withdraw()).statusCode).toBe(401);
    expect((await withdraw(ann.token)).json()).toEqual({
      success: true,
      message: "Your email address stays the same. The link no longer works.",
    });
    expect((await typesOf(ann.id)).at(-1)).toBe("EmailChangeWithdrawn");
    expect(refusal(await confirm(link, ann.token))).toEqual([400, "link_invalid"]);
  });
});
