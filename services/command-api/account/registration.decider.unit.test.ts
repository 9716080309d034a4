import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import {
  accountRegistered,
  emailConfirmationRequested,
  emailConfirmed,
  link,
  passwordChanged,
  passwordResetRequested,
  profileEdited,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const newId = "11111111-1111-4111-8111-111111111111";
const moment = { now: "2026-11-21T10:00:00.000Z", newId };
const anHourLater = "2026-11-21T11:00:00.000Z";
const aDayLater = "2026-11-22T10:00:00.000Z";
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });

const blind = { email: "keyed hash" };
const account = { email: "rae@shop.example", first_name: "Rae", last_name: "Holt", blind };
const own = { id: "session", accountRevision: 0 };
const confirm = { type: "ConfirmEmail", linkId: "confirm-0", blind } as const;
const replaced: UserEvent = { type: "AccountReplaced", data: { replaced_by: "other" } };
const expired: UserEvent = { type: "AccountExpired", data: {} };
const added: UserEvent = { type: "AccountAdded", data: { role: "user", account } };
const registered = accountRegistered();

describe("registering", () => {
  const register = { type: "RegisterAccount", account, termsVersion: TERMS_VERSION } as const;

  it("is the first event, with a link for a day and the current terms", () => {
    given()
      .when(register)
      .gives({
        type: "AccountRegistered",
        data: { terms_version: TERMS_VERSION, link: link(newId, aDayLater), account },
      });
    for (const there of [registered, added]) given(there).when(register).gives();
  });

  it("again replaces only an account with an unconfirmed address", () => {
    const replace = { type: "ReplaceAccount", by: "other" } as const;
    given(registered).when(replace).gives(replaced);
    for (const history of [
      [],
      [added],
      [registered, emailConfirmed()],
      [registered, replaced],
      [registered, expired],
    ])
      given(...history)
        .when(replace)
        .gives();
  });

  it("a confirmed address notifies its owner once a day", () => {
    const note = { type: "NoteRegistration" } as const;
    const noted = (quiet_until: string): UserEvent => ({
      type: "RegistrationAttempted",
      data: { quiet_until },
    });
    given(added).when(note).gives(noted(aDayLater));
    given(added, noted(aDayLater)).when(note).gives();
    given(added, noted(moment.now)).when(note).gives(noted(aDayLater));
    given(registered).when(note).gives();
    given().when(note).gives();
  });

  it("expires if it is never confirmed", () => {
    given(registered).when({ type: "ExpireAccount" }).gives(expired);
    for (const history of [[], [added], [registered, emailConfirmed()], [registered, replaced]])
      given(...history)
        .when({ type: "ExpireAccount" })
        .gives();
  });
});

describe("confirming the address", () => {
  const elsewhere: UserEvent[] = [
    emailConfirmed(true),
    passwordResetRequested(link(newId, anHourLater), "answer"),
    sessionsEnded("email_confirmed"),
  ];

  it("from a session of the account changes nothing else", () => {
    given(registered)
      .when({ ...confirm, own })
      .gives(emailConfirmed());
  });

  it("from elsewhere drops what was set before, ends sessions and returns a link for the password", () => {
    given(registered)
      .when({ ...confirm, startsOver: true })
      .gives(...elsewhere);
    given(registered).when(confirm).isRefused("password_required");
    given(registered)
      .when({ ...confirm, ofReplaced: { email: account.email } })
      .isRefused("password_required");
    given(registered)
      .when({ ...confirm, own, ofReplaced: { email: account.email } })
      .gives(emailConfirmed());
  });

  it("accepts any valid link of this account, once", () => {
    const again = emailConfirmationRequested(link("confirm-1"));
    given(registered, again)
      .when({ ...confirm, own })
      .gives(emailConfirmed());
    given(registered)
      .when({ ...confirm, linkId: "confirm-1" })
      .isRefused("link_invalid");
    for (const after of [emailConfirmed(), emailConfirmed(true), replaced, expired])
      given(registered, after).when(confirm).isRefused("link_invalid");
    given().when(confirm).isRefused("link_invalid");
    given(registered, emailConfirmed())
      .when({ ...confirm, ofReplaced: { email: account.email } })
      .isRefused("link_invalid");
  });

  it("rejects a link of a replaced account that had another address", () => {
    const elsewhereThan = (email: string | null) =>
      ({ ...confirm, startsOver: true, ofReplaced: { email } }) as const;
    given(registered).when(elsewhereThan("eve@shop.example")).isRefused("link_invalid");
    given().when(elsewhereThan(account.email)).isRefused("link_invalid");
    for (const email of [account.email.toUpperCase(), null])
      given(registered)
        .when(elsewhereThan(email))
        .gives(...elsewhere);
  });

  it("can be requested again while fewer than five links are valid", () => {
    const request = { type: "RequestEmailConfirmation", own } as const;
    const links = [1, 2, 3, 4].map((n) => emailConfirmationRequested(link(`confirm-${n}`)));
    const asked = emailConfirmationRequested(link(newId, aDayLater));
    given(registered, ...links.slice(1))
      .when(request)
      .gives(asked);
    given(registered, ...links)
      .when(request)
      .gives();
    given(registered, emailConfirmed()).when(request).gives();
  });
});

describe("a link to set a password", () => {
  const request = (device: "known" | "unknown") =>
    ({ type: "RequestPasswordReset", device }) as const;
  const links = (device: "known" | "unknown") =>
    [0, 1, 2].map((n) => passwordResetRequested(link(`${device}-${n}`), "mail", device));

  it("is sent while fewer than three are valid, counted separately for known browsers", () => {
    const asked = (device: "known" | "unknown") =>
      passwordResetRequested(link(newId, anHourLater), "mail", device);
    given(added).when(request("unknown")).gives(asked("unknown"));
    given(added, ...links("unknown"))
      .when(request("unknown"))
      .gives();
    given(added, ...links("unknown"))
      .when(request("known"))
      .gives(asked("known"));
    given(added, ...links("known"))
      .when(request("known"))
      .gives();
    given().when(request("known")).gives();
    // Before the address is confirmed, the log does not record whether the browser is known.
    given(registered)
      .when(request("known"))
      .gives(passwordResetRequested(link(newId, anHourLater), "mail", "unknown"));
    given(registered, replaced).when(request("known")).gives();
  });

  const set = { type: "SetPassword", linkId: "reset", blind } as const;
  const asked = passwordResetRequested(link("reset"));

  it("works once, and only for this purpose", () => {
    given(added, asked)
      .when(set)
      .gives(passwordChanged("reset_link", "reset"), sessionsEnded("password_changed"));
    given(added, asked, passwordChanged()).when(set).isRefused("link_invalid");
    given(added, asked, { type: "PasswordReset", data: {} }).when(set).isRefused("link_invalid");
    given(registered)
      .when({ ...set, linkId: "confirm-0" })
      .isRefused("link_invalid");
    given(registered, asked)
      .when({ ...confirm, linkId: "reset" })
      .isRefused("link_invalid");
    given(added, passwordResetRequested(link("reset", moment.now)))
      .when(set)
      .isRefused("link_invalid");
    given().when(set).isRefused("link_invalid");
  });

  it("confirms an unconfirmed address, and drops what was set before", () => {
    given(registered, asked)
      .when(set)
      .gives(
        emailConfirmed(true, "reset_link", "reset"),
        passwordChanged("reset_link", "reset"),
        sessionsEnded("email_confirmed"),
      );
  });
});

describe("a change by the owner", () => {
  const change = { type: "ChangePassword", own } as const;

  it("keeps the session in which the password was changed", () => {
    given(added)
      .when(change)
      .gives(passwordChanged(), sessionsEnded("password_changed", "session"));
  });

  it.each([
    [change],
    [{ type: "EditProfile", own, edit: { company: "Lamps" } }],
    [{ type: "RequestEmailConfirmation", own }],
    [{ ...confirm, own }],
  ] as const)("is refused after the session has ended: $type", (command) => {
    given(registered, sessionsEnded("signed_out")).when(command).isRefused("invalid_token");
    given(registered, sessionsEnded("password_changed", "other"))
      .when(command)
      .isRefused("invalid_token");
    given(registered, replaced).when(command).isRefused("invalid_token");
    given().when(command).isRefused("invalid_token");
    // A session that was kept, or that began afterwards.
    const kept = given(registered, sessionsEnded("password_changed", "session"));
    expect(kept.when(command).events).not.toEqual([]);
    const later = given(registered, sessionsEnded("signed_out"));
    const begun = { ...command, own: { ...own, accountRevision: 1 } };
    expect(later.when(begun).events).not.toEqual([]);
  });

  it("records only the fields that differ", () => {
    const edit = { company: "Lamps", last_name: "Holt", phone: null, bio: "Sells\nlamps" };
    given(registered)
      .when({ type: "EditProfile", own, edit })
      .gives(
        profileEdited(["company", "bio"], {
          first_name: "Rae",
          last_name: "Holt",
          company: "Lamps",
          bio: "Sells\nlamps",
        }),
      );
    given(registered)
      .when({ type: "EditProfile", own, edit: { last_name: "Holt" } })
      .gives();
  });
});
