import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { accountClosed, accountRegistered, emailConfirmed } from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const moment = { now: "2026-11-21T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const linkId = moment.newId;
const aDayLater = "2026-11-22T10:00:00.000Z";

const givenNothing = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
const profile = {
  email: "dana@registry.example",
  first_name: "Dana",
  last_name: "Ruiz",
  blind: { email: "keyed hash" },
};
const addedAs = (role: "user" | "admin" | "auditor") => ({ role, account: profile });
const added = (role: "user" | "admin" | "auditor" = "user"): UserEvent => ({
  type: "AccountAdded",
  data: addedAs(role),
});
/** Starts with an account that was added, followed by these events. */
const given = (...events: UserEvent[]) => givenNothing(added(), ...events);

const reset: UserEvent = { type: "PasswordReset", data: {} };
const erased: UserEvent = { type: "AccountErased", data: {} };
const requested = (link_id: string, expires_at = aDayLater): UserEvent => ({
  type: "DeviceConfirmationRequested",
  data: { link: { link_id, expires_at } },
});
const confirmed = (link_id: string): UserEvent => ({ type: "DeviceConfirmed", data: { link_id } });

describe("credentials", () => {
  const add = { type: "AddAccount", account: addedAs("auditor") } as const;

  it("are set when an account is created", () => {
    givenNothing().when(add).gives(added("auditor"));
    given().when(add).gives();
    given(erased).when(add).gives();
  });

  it("can be reset by the operator any number of times, on an account that was fully added", () => {
    given().when({ type: "ResetPassword" }).gives(reset);
    given(reset).when({ type: "ResetPassword" }).gives(reset);
    givenNothing().when({ type: "ResetPassword" }).gives();
  });

  it("end all sessions when their owner signs out everywhere", () => {
    const ended: UserEvent = { type: "SessionsEnded", data: { cause: "signed_out" } };
    given().when({ type: "SignOutEverywhere" }).gives(ended);
    given(ended).when({ type: "SignOutEverywhere" }).gives(ended);
    givenNothing().when({ type: "SignOutEverywhere" }).gives();
  });
});

it("exports an account's data only to a valid session", () => {
  const get = { type: "ExportAccountData", own: { id: "session", accountRevision: 0 } } as const;
  given().when(get).gives({ type: "AccountDataExported", data: {} });
  given({ type: "SessionsEnded", data: { cause: "signed_out" } })
    .when(get)
    .isRefused("invalid_token");
  given(erased).when(get).isRefused("invalid_token");
});

describe("a sign-in link", () => {
  const request = { type: "RequestDeviceConfirmation" } as const;
  const links = [0, 1, 2, 3, 4].map((i) => requested(`link-${i}`));

  it("works for a day", () => {
    given().when(request).gives(requested(linkId, aDayLater));
  });

  it("is not sent while five are valid", () => {
    given(...links.slice(1))
      .when(request)
      .gives(requested(linkId));
    given(...links)
      .when(request)
      .gives();
  });

  it("frees its place when it is opened or expires", () => {
    given(...links, confirmed("link-0"))
      .when(request)
      .gives(requested(linkId));
    const expired = requested("link-0", moment.now);
    given(expired, ...links.slice(1))
      .when(request)
      .gives(requested(linkId));
  });

  it("is sent only to accounts whose profile is readable", () => {
    givenNothing().when(request).gives();
    given(erased).when(request).gives();
    const keyDestroyed: UserEvent = { type: "AccountAdded", data: { role: "user", account: null } };
    givenNothing(keyDestroyed).when(request).gives();
  });

  it("is sent only to a confirmed address of an open account", () => {
    const pending = accountRegistered();
    givenNothing(pending).when(request).gives();
    givenNothing(pending, emailConfirmed()).when(request).gives(requested(linkId));
    const erase_at = "2026-12-21T10:00:00.000Z";
    given(accountClosed("admin", erase_at)).when(request).gives();
  });

  it("makes a browser trusted once", () => {
    const open = { type: "ConfirmDevice", linkId } as const;
    given(requested(linkId)).when(open).gives(confirmed(linkId));
    given(requested(linkId), confirmed(linkId)).when(open).isRefused("link_invalid");
  });

  it("works only for the account that requested it", () => {
    const open = { type: "ConfirmDevice", linkId } as const;
    given(requested("link-0")).when(open).isRefused("link_invalid");
    given(requested(linkId), erased).when(open).isRefused("link_invalid");
    givenNothing().when(open).isRefused("link_invalid");
  });
});

describe("erasing", () => {
  const erase = { type: "EraseAccount" } as const;

  it("happens once per account", () => {
    given().when(erase).gives(erased);
    given(erased).when(erase).gives();
    givenNothing().when(erase).isRefused("account_not_found");
  });

  it.each(["admin", "auditor"] as const)("is refused for the role %s", (role) => {
    givenNothing(added(role)).when(erase).isRefused("staff_account");
  });

  it("removes the profile and the links", () => {
    expect(given(requested(linkId), erased).state).toMatchObject({
      profile: null,
      deviceConfirmations: [],
    });
  });
});
