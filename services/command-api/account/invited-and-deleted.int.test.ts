import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { accountModerationCalls } from "../testing/account-moderation.fixture.ts";
import { refusal, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";

const fixture = forFile(() => startCommandApi());

const HOUR_MS = 3_600_000;
const { member, command, ban, login, works, eventsOf, typesOf, setPassword } =
  accountModerationCalls(() => fixture);

describe("a deleted account", () => {
  it("is closed immediately and erased soon, or kept if it is a staff account", async () => {
    const [ann, ada] = [await member(), await member("auditor")];
    for (const { id } of [ann, ada]) {
      const removed = await command("DELETE", `/${id}`, {});
      expect(removed.json(), removed.body).toMatchObject({ data: { status: "deactivated" } });
    }
    expect([await works(ann), await works(ada)]).toEqual([false, false]);
    expect(refusal(await login(ann.email))).toEqual([401, "invalid_credentials"]);
    await fixture.api.closing.eraseDue(Date.now() + HOUR_MS);
    expect((await typesOf(ann.id)).at(-1)).toBe("AccountErased");
    expect((await typesOf(ada.id)).at(-1)).toBe("AccountClosed");
    expect(refusal(await command("DELETE", `/${ann.id}`, {}))).toEqual([404, "account_not_found"]);
    expect(refusal(await ban(ada.id))).toEqual([409, "account_closed"]);
  });

  it("loses its admin role, and the other admins are notified", async () => {
    const bob = await member("admin");
    const removed = await command("DELETE", `/${bob.id}`, {});
    expect(removed.json(), removed.body).toMatchObject({
      data: { status: "deactivated", role: "user" },
    });
    const events = (await eventsOf(bob.id)).slice(-2);
    const admins = await fixture.api.accountStore.activeAdmins();
    expect(admins).not.toContain(bob.id);
    expect(events).toMatchObject([
      { type: "AccountRoleChanged", data: { from: "admin", to: "user" } },
      { type: "AccountClosed", data: { by: "admin" } },
    ]);
    expect(events[0].data.told.toSorted()).toEqual(admins.toSorted());
    const row = "select role, status from command.account where id = $1";
    expect((await fixture.db.query(row, [bob.id])).rows).toEqual([
      { role: "user", status: "closed" },
    ]);
  });

  it("of staff can be reopened by staff: its owner signs in as a user, and a ban stays", async () => {
    const [ada, bob, ann] = [await member("auditor"), await member("admin"), await member()];
    await ban(bob.id);
    for (const { id } of [ada, bob, ann]) await command("DELETE", `/${id}`, {});
    const reopen = (id: string) => command("POST", `/${id}/reopen`, {});
    const opened = await reopen(ada.id);
    expect(opened.json(), opened.body).toMatchObject({
      data: { status: "active", role: "user" },
      message: "Account reopened",
    });
    expect(await works(ada)).toBe(false);
    expect((await login(ada.email)).json().data.user).toMatchObject({ role: "user" });
    expect((await reopen(bob.id)).json().data).toMatchObject({ status: "banned", role: "user" });
    expect(refusal(await login(bob.email))).toEqual([403, "account_banned"]);
    expect(refusal(await reopen(ann.id))).toEqual([409, "account_closed"]);
    expect(refusal(await login(ann.email))).toEqual([401, "invalid_credentials"]);
    const events = await typesOf(ada.id);
    expect((await reopen(ada.id)).statusCode).toBe(200);
    expect(await typesOf(ada.id)).toEqual(events);
    const admins = await fixture.api.accountStore.activeAdmins();
    expect((await eventsOf(ada.id)).find(({ type }) => type === "AccountReopened")).toMatchObject({
      data: { told: admins },
    });
  });
});

describe("an invited user", () => {
  const invite = (email: string, role = "auditor", key?: string) =>
    command("POST", "", { email, first_name: "Ada", last_name: "Min", role }, key ? { key } : {});
  const invitationOf = (id: string) =>
    fixture.linkOf(streams.user(id), "reset-password", "AccountInvited");

  it("sets a password with the link, and has the role and names that staff entered", async () => {
    const email = `${randomUUID()}@shop.example`;
    const key = randomUUID();
    const invited = await invite(email, "auditor", key);
    expect(invited.statusCode, invited.body).toBe(200);
    const { id, status } = invited.json().data;
    expect(status).toBe("pending");
    expect((await invite(email, "auditor", key)).json().data.id).toBe(id);
    expect(refusal(await login(email, ""))[0]).toBe(400);
    expect((await setPassword(await invitationOf(id), PASSWORD)).statusCode).toBe(200);
    const { user } = (await login(email)).json().data;
    expect(user).toMatchObject({ id, role: "auditor", first_name: "Ada", confirmed: true });
    expect(refusal(await invite(email))).toEqual([409, "email_taken"]);
    expect(JSON.stringify(await eventsOf(id))).not.toMatch(/Ada|shop\.example/);
  });

  it("no longer exists once someone registers the address or the link expires", async () => {
    const [one, two] = [`${randomUUID()}@shop.example`, `${randomUUID()}@shop.example`];
    const [first, second] = [
      (await invite(one)).json().data.id,
      (await invite(two)).json().data.id,
    ];
    const registered = await fixture.call("POST", "/prod/api/auth/register", {
      body: registration(one),
    });
    expect(registered.json().data.user).toMatchObject({ role: "user", first_name: "Rae" });
    expect(refusal(await setPassword(await invitationOf(first), PASSWORD))).toEqual([
      400,
      "link_invalid",
    ]);
    await fixture.api.registration.expire(Date.now() + 6 * 24 * HOUR_MS);
    expect(await typesOf(second)).toEqual(["AccountInvited"]);
    await fixture.api.registration.expire(Date.now() + 7 * 24 * HOUR_MS + 60_000);
    expect(await typesOf(second)).toEqual(["AccountInvited", "AccountExpired"]);
  });

  it("replaces an unconfirmed account", async () => {
    const email = `${randomUUID()}@shop.example`;
    const first = (await invite(email, "user")).json().data.id;
    const second = (await invite(email, "admin")).json().data.id;
    expect(second).not.toBe(first);
    expect(await typesOf(first)).toEqual(["AccountInvited", "AccountReplaced"]);
    expect(refusal(await setPassword(await invitationOf(first), PASSWORD))).toEqual([
      400,
      "link_invalid",
    ]);
  });
});
