import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { streams, type UserEvent } from "#contracts/events/index.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { mailKinds, mailsTriggeredBy } from "#contracts/mail/mail-kinds.ts";
import type { MailWriter } from "#mail-templates/writing/mail-writer.ts";
import {
  accountBanned,
  accountClosed,
  accountInvited,
  accountRegistered,
  emailConfirmationRequested,
  emailConfirmed,
  link,
  passwordChanged,
  passwordResetRequested,
  profileEdited,
  roleChanged,
  twoFactorReset,
} from "#test-kit/account-events.ts";
import type { EventWriter } from "#test-kit/event-writer.ts";
import type { LinkPurpose } from "#vault/links/one-time-link.ts";
import { links, newMailWriter } from "./testing/mail-writer.fixture.ts";

const AT = "2026-11-21T10:00:00.000Z";
const FUTURE = "2999-01-01T00:00:00.000Z";
const CANARY = "Canary <b>&";

let writer: MailWriter;
let log: EventWriter;
let id: string;
beforeEach(() => {
  ({ log, writer } = newMailWriter());
  id = randomUUID();
});

const registered = (link_id = randomUUID()) =>
  accountRegistered({
    link: link(link_id, FUTURE),
    account: { first_name: CANARY, last_name: CANARY, company: CANARY },
  });

/** Appends the events and writes the email that the last one asks for. */
async function write(kind: MailKind, ...events: UserEvent[]) {
  const { revision } = await log.append(streams.user(id), events);
  return writer.write({ id: "mail-1", kind, ownerId: id, revision, at: AT });
}
async function written(kind: MailKind, ...events: UserEvent[]) {
  const found = await write(kind, ...events);
  if ("drop" in found) throw new Error(`${kind} was dropped: ${found.drop}`);
  // Security emails and requested emails are always sent.
  expect(found.mail.unsubscribeUrl).toBeUndefined();
  expect(found.mail.text).not.toMatch(/unsubscribe|stop mails/i);
  return { ...found, words: [found.mail.subject, found.mail.text, found.mail.html].join("\n") };
}
const tokenIn = (text: string, path: string) =>
  new RegExp(`http://registry.example/${path}/([\\w-]{96})`).exec(text)?.[1] ?? "";
const reads = (token: string, purpose: LinkPurpose) => links.readToken(token, purpose, AT);

const tells = [
  "registration_attempted",
  "password_changed",
  "new_device",
  "two_factor_on",
  "two_factor_off",
  "two_factor_reset",
  "two_factor_reset_told",
  "recovery_codes_replaced",
  "recovery_code_used",
  "account_kept",
] as const;
const accountKinds = (Object.keys(mailKinds) as MailKind[]).filter(
  (kind) => mailKinds[kind].owner === "account",
);

describe("emails to an unconfirmed account", () => {
  it("contain a link and nothing that the registrant wrote", async () => {
    const linkId = randomUUID();
    const mail = await written("account_confirmation", registered(linkId));
    expect(mail.words).not.toContain("Canary");
    expect(mail.mail.to).toBe("rae@shop.example");
    const token = tokenIn(mail.mail.text, "verify-email");
    expect(reads(token, "confirm-account")).toMatchObject({ aggregateId: id, linkId });
    expect(reads(token, "verify-email")).toBe("forged");
  });

  it("count toward the cap for strangers; a link requested again counts separately", async () => {
    const first = await written("account_confirmation", registered());
    const again = await written(
      "account_confirmation",
      emailConfirmationRequested(link(randomUUID(), FUTURE)),
    );
    const reset = await written(
      "password_reset",
      passwordResetRequested(link(randomUUID(), FUTURE), "mail", "known"),
    );
    const counts = [first, again, reset].map(({ countsFor }) => countsFor);
    expect(new Set(counts).size).toBe(3);
    expect(counts).not.toContain(undefined);
    expect(reset.words).not.toContain("Canary");
  });

  it("count toward the strangers' cap even as a sign-in link", async () => {
    const data = { link: link(randomUUID(), FUTURE) };
    const first = await written("account_confirmation", registered());
    const pending = await written("sign_in_link", { type: "DeviceConfirmationRequested", data });
    expect(pending.countsFor).toBeDefined();
    expect(pending.countsFor).toBe(first.countsFor);
  });

  it.each(tells)("are not sent: %s", async (kind) => {
    expect(await write(kind, registered(), passwordChanged())).toEqual({ drop: "superseded" });
  });
});

describe("emails to an account's owner", () => {
  it.each(tells)("greet the owner and contain no link that does anything: %s", async (kind) => {
    const mail = await written(
      kind,
      registered(),
      emailConfirmed(false, "link", randomUUID()),
      passwordChanged(),
    );
    expect(mail.mail.text).toContain(`Hello ${CANARY},`);
    expect(mail.mail.html).not.toContain("<b>");
    expect(mail.mail.text).not.toMatch(/[\w-]{96}/);
    expect(!!mail.countsFor).toBe(kind === "registration_attempted");
    if (kind !== "registration_attempted")
      expect(mail.mail.text).toContain("November 21, 2026 at 10:00 AM (UTC)");
  });

  it("tell an admin what happened to another account, without naming anyone", async () => {
    const event = twoFactorReset([id]);
    const { revision } = await log.append(streams.user(randomUUID()), [registered(), event]);
    // The admin's own history has another event at that revision, which asked for a warning once.
    const asked = { link: link(randomUUID(), FUTURE), account: { email: "other@shop.example" } };
    await log.append(streams.user(id), [
      registered(),
      { type: "EmailChangeRequested", data: asked },
      { type: "EmailChangeWithdrawn", data: {} },
      emailConfirmed(false, "link", randomUUID()),
    ]);
    for (const at of [revision, revision + 5]) {
      const kind = "two_factor_reset_told" as const;
      const mail = await writer.write({ id: "mail-1", kind, ownerId: id, revision: at, at: AT });
      expect(mail).toMatchObject({ mail: { to: "rae@shop.example" } });
      expect(JSON.stringify(mail)).toContain("http://registry.example/admin/audit-logs");
      expect(JSON.stringify(mail)).not.toContain("Lost phone");
    }
  });

  it("link to setting a password; a link requested from a known browser is not capped", async () => {
    const linkId = randomUUID();
    const asked = passwordResetRequested(link(linkId, FUTURE), "mail", "known");
    const mail = await written(
      "password_reset",
      registered(),
      emailConfirmed(false, "link", randomUUID()),
      asked,
    );
    const token = tokenIn(mail.mail.text, "reset-password");
    expect(reads(token, "reset-password")).toMatchObject({ aggregateId: id, linkId });
    expect(mail.countsFor).toBeUndefined();
    const stranger = passwordResetRequested(link(randomUUID(), FUTURE));
    expect((await written("password_reset", stranger)).countsFor).toBeDefined();
  });

  it("are dropped when their link was used, voided or expired", async () => {
    const asked = (expires_at: string) => passwordResetRequested(link(randomUUID(), expires_at));
    expect(
      await write(
        "password_reset",
        registered(),
        emailConfirmed(false, "link", randomUUID()),
        asked(AT),
      ),
    ).toEqual({
      drop: "superseded",
    });
    const { revision } = await log.append(streams.user(id), [asked(FUTURE)]);
    await log.append(streams.user(id), [passwordChanged()]);
    const row = { id: "mail-1", kind: "password_reset", ownerId: id, revision, at: AT } as const;
    const lease = { attempts: 1, lease: randomUUID(), isTakenOver: false };
    expect(await writer.write({ ...row, ...lease })).toEqual({ drop: "superseded" });
  });
});

describe("emails about a change of address", () => {
  const OTHER = "rae.holt@shop.example";
  const confirmed = () => [registered(), emailConfirmed(false, "link", randomUUID())];
  const requested = (link_id = randomUUID()): UserEvent => ({
    type: "EmailChangeRequested",
    data: { link: link(link_id, FUTURE), account: { email: OTHER } },
  });
  const changed = (undo_link = link(randomUUID(), FUTURE)): UserEvent => ({
    type: "EmailChanged",
    data: {
      link_id: randomUUID(),
      undo_link,
      account: { email: OTHER, blind: { email: "hash" }, former_email: "rae@shop.example" },
    },
  });

  it("ask the new address to confirm, in fixed words that count toward the strangers' cap", async () => {
    const linkId = randomUUID();
    const mail = await written("email_change", ...confirmed(), requested(linkId));
    expect(mail.mail.to).toBe(OTHER);
    expect(mail.words).not.toMatch(/Canary|rae@shop/);
    const token = tokenIn(mail.mail.text, "change-email");
    expect(reads(token, "change-email")).toMatchObject({ aggregateId: id, linkId });
    expect(mail.countsFor).toBeDefined();
  });

  it("warn the current address without naming another one", async () => {
    const mail = await written("email_change_warning", ...confirmed(), requested());
    expect([mail.mail.to, mail.countsFor]).toEqual(["rae@shop.example", undefined]);
    expect(mail.words).not.toMatch(/rae\.holt/);
    expect(mail.mail.text).not.toMatch(/[\w-]{96}/);
  });

  it("let the previous address undo it without naming another one", async () => {
    const undo = link(randomUUID(), FUTURE);
    const mail = await written("email_changed", ...confirmed(), requested(), changed(undo));
    expect([mail.mail.to, mail.countsFor]).toEqual(["rae@shop.example", undefined]);
    expect(mail.words).not.toMatch(/rae\.holt/);
    const token = tokenIn(mail.mail.text, "undo-email-change");
    expect(reads(token, "undo-email-change")).toMatchObject({ linkId: undo.link_id });
  });

  it("let the oldest previous address restore a deleted account, and state the deadline", async () => {
    const [first, second] = [link(randomUUID(), FUTURE), link(randomUUID(), FUTURE)];
    const over = link(randomUUID(), AT);
    const closed = accountClosed("owner", "2026-11-28T10:00:00.000Z");
    const changes = [changed(over), changed(first), changed(second)];
    const mail = await written("account_deleted_undo", ...confirmed(), ...changes, closed);
    expect([mail.mail.to, mail.countsFor]).toEqual(["rae@shop.example", undefined]);
    expect(mail.words).not.toMatch(/rae\.holt/);
    expect(mail.words).toContain("on November 28, 2026");
    const token = tokenIn(mail.mail.text, "undo-email-change");
    expect(reads(token, "undo-email-change")).toMatchObject({ linkId: first.link_id });
    const owners = await written("account_deleted", closed);
    expect(owners.mail.to).toBe(OTHER);
    expect(owners.words).toContain("on November 28, 2026");
    // The link of the change itself works as well.
    expect((await written("email_changed", changed(second))).mail.to).toBe("rae@shop.example");
  });

  it("do not reach previous addresses of a deleted account when nothing can be undone", async () => {
    const closed = accountClosed("owner", "2026-11-28T10:00:00.000Z");
    const undo = changed(link(randomUUID(), AT));
    expect(await write("account_deleted_undo", ...confirmed(), undo, closed)).toEqual({
      drop: "superseded",
    });
    const { mail, words } = await written("account_deleted", closed);
    expect(words).toContain("on November 28, 2026 at 10:00 AM (UTC)");
    expect(mail.text).toContain("http://registry.example/login");
    // Restored by a sign-in, so the earlier email is late.
    const kept: UserEvent = { type: "AccountReopened", data: { by: "owner" } };
    expect((await written("account_kept", kept)).mail.to).toBe(mail.to);
    expect(await write("account_deleted", { type: "AccountDataExported", data: {} })).toEqual({
      drop: "superseded",
    });
    expect(await write("account_kept", closed)).toEqual({ drop: "superseded" });
  });

  it("do not reach an unconfirmed address", async () => {
    expect(await write("email_change_warning", registered(), requested())).toEqual({
      drop: "superseded",
    });
    const undo = link(randomUUID(), AT);
    expect(await write("email_changed", requested(), changed(undo))).toEqual({
      drop: "superseded",
    });
  });

  it("are dropped when late: the warning would go to the new address", async () => {
    const { revision } = await log.append(streams.user(id), [...confirmed(), requested()]);
    await log.append(streams.user(id), [changed()]);
    for (const kind of ["email_change", "email_change_warning"] as const) {
      const late = await writer.write({ id: "mail-1", kind, ownerId: id, revision, at: AT });
      expect(late).toEqual({ drop: "superseded" });
    }
  });
});

it.each(accountKinds)("sends no email once the account has ended: %s", async (kind) => {
  const over: UserEvent = { type: "AccountReplaced", data: { replaced_by: randomUUID() } };
  expect(await write(kind, registered(), over)).toEqual({ drop: "erased" });
});

describe("emails about staff decisions", () => {
  const confirmed = () => [registered(), emailConfirmed(false, "link", randomUUID())];

  it("name the operator for changed settings, otherwise the support address that is set", async () => {
    const alarm = (await written("settings_changed", ...confirmed())).mail;
    expect(alarm.answersToSender).toBe(true);
    for (const text of [alarm.text, alarm.html]) {
      expect(text).toContain("Questions: operator@registry.example");
      expect(text).not.toContain("support@registry.example");
    }
    const other = (await written("password_changed", passwordChanged())).mail;
    expect(other).not.toHaveProperty("answersToSender");
    expect(other.text).toContain("Questions: support@registry.example");
  });

  const unbanned: UserEvent = { type: "AccountUnbanned", data: { by: "end" } };

  it("tell the owner why and until when the account is banned, and when the ban ends", async () => {
    const banned = accountBanned("2026-12-21T10:00:00.000Z", "Made <b>reports</b> up");
    const { words, mail, countsFor } = await written("account_banned", ...confirmed(), banned);
    expect(words).toContain("can't sign in again until December 21, 2026 at 10:00 AM (UTC).");
    expect(mail.text).toContain("Reason: Made <b>reports</b> up");
    expect(mail.html).toContain("Made &lt;b&gt;reports");
    expect(countsFor).toBeUndefined();
    // Once the ban is lifted, the email about it is late and the one about its end applies.
    expect(await write("account_banned", unbanned)).toEqual({ drop: "superseded" });
    const over = await written("account_unbanned", { type: "AccountDataExported", data: {} });
    expect(over.mail.text).toContain("http://registry.example/login");
    expect(await write("account_unbanned", accountBanned())).toEqual({ drop: "superseded" });
    // Signing in would undo the deletion.
    expect(await write("account_unbanned", accountClosed("owner"))).toEqual({ drop: "superseded" });
    expect((await written("account_banned", accountBanned())).words).toContain("no end date");
  });

  it("are not sent to an unconfirmed address", async () => {
    const found = await write("account_banned", registered(), accountBanned());
    expect(found).toEqual({ drop: "superseded" });
  });

  it("invite with a link that sets a password, in fixed words, while the link is valid", async () => {
    const asked = link(randomUUID(), FUTURE);
    const invited = accountInvited("admin", asked, { first_name: CANARY, last_name: CANARY });
    const { words, mail, countsFor } = await written("account_invited", invited);
    expect(words).not.toContain("Canary");
    const token = tokenIn(mail.text, "reset-password");
    expect(reads(token, "reset-password")).toMatchObject({
      aggregateId: id,
      linkId: asked.link_id,
    });
    expect(mail.text).toContain(`/reset-password/${token}?invited`);
    expect(countsFor).toBeDefined();
    const replaced: UserEvent = { type: "AccountReplaced", data: { replaced_by: randomUUID() } };
    expect(await write("account_invited", replaced)).toMatchObject({ drop: expect.any(String) });
  });

  const profile = { first_name: CANARY, last_name: CANARY, phone: "555" };
  const EDITED = profileEdited(["phone"], profile);
  const UNSEATED = roleChanged("admin", "user");
  const removed = accountClosed("admin");

  it("tell the owner about staff's edits to the profile, not the owner's own, and quote nothing", async () => {
    expect(mailsTriggeredBy(EDITED, "other")).toEqual([{ kind: "profile_edited" }]);
    expect(mailsTriggeredBy(EDITED, "owner")).toEqual([]);
    const { mail, countsFor } = await written("profile_edited", ...confirmed(), EDITED);
    expect(mail.text).toContain("http://registry.example/account-settings");
    expect(mail.text).toContain("November 21, 2026 at 10:00 AM (UTC)");
    expect(mail.text).not.toContain("555");
    expect(countsFor).toBeUndefined();
  });

  it("tell the owner once that the account is closed, and nothing more about role or profile", async () => {
    expect(await written("role_changed", ...confirmed(), UNSEATED)).toBeDefined();
    expect(await write("role_changed", UNSEATED, removed)).toEqual({ drop: "superseded" });
    expect(await write("profile_edited", EDITED)).toEqual({ drop: "superseded" });
    expect((await written("account_removed", removed)).words).toContain(
      "An admin closed your account",
    );
  });

  it("tell the owner that the account is open again, unless it has since been closed or banned", async () => {
    const told = [randomUUID()];
    const reopened: UserEvent = { type: "AccountReopened", data: { by: "admin", told } };
    expect(mailsTriggeredBy(reopened, "other")).toEqual([
      { kind: "account_reopened" },
      { kind: "staff_changed", account: told[0] },
    ]);
    const { mail, words } = await written("account_reopened", ...confirmed(), removed, reopened);
    expect(words).toContain("An admin reopened your account");
    expect(mail.text).toContain("http://registry.example/login");
    expect(await write("account_reopened", accountBanned())).toEqual({ drop: "superseded" });
    expect(await write("account_reopened", unbanned, removed)).toEqual({ drop: "superseded" });
  });

  it("tell admins about new staff, without a name", () => {
    const told = [randomUUID()];
    expect(mailsTriggeredBy(roleChanged("user", "admin", told), "other")).toEqual([
      { kind: "role_changed" },
      { kind: "staff_changed", account: told[0] },
    ]);
    const plain = { type: "AccountUnbanned", data: { by: "staff" } } as const;
    expect(mailsTriggeredBy(plain, "other")).toEqual([{ kind: "account_unbanned" }]);
    const kinds = (closed: UserEvent) => mailsTriggeredBy(closed, "other").map(({ kind }) => kind);
    expect(kinds(removed)).toEqual(["account_removed"]);
    expect(kinds(accountClosed("owner", FUTURE))).toEqual([
      "account_deleted",
      "account_deleted_undo",
    ]);
  });
});
