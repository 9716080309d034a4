import { describe, expect, it } from "vitest";
import {
  accountClosed,
  accountRegistered,
  emailConfirmationRequested,
  emailConfirmed,
  link,
  passwordChanged,
  passwordResetRequested,
  profileEdited,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import type { UserEvent } from "../index.ts";
import { type AccountState, evolveAccount } from "./account-fold.ts";

const stateAfter = (...events: UserEvent[]) =>
  events.reduce<AccountState | undefined>(evolveAccount, undefined) as AccountState;
const added: UserEvent = {
  type: "AccountAdded",
  data: {
    role: "admin",
    account: {
      email: "dana@registry.example",
      first_name: "Dana",
      last_name: "Ruiz",
      blind: { email: "keyed hash" },
    },
  },
};
const account = { email: "new@shop.example", blind: { email: "keyed hash" } };
const changed = (n: number, former_email = "rae@shop.example"): UserEvent => ({
  type: "EmailChanged",
  data: {
    link_id: `change-${n}`,
    undo_link: link(`undo-${n}`),
    account: { ...account, email: `n${n}@shop.example`, former_email },
  },
});
const undone = (n: number, two_factor: "kept" | "dropped" = "kept"): UserEvent => ({
  type: "EmailChangeUndone",
  data: {
    link_id: `undo-${n}`,
    two_factor,
    account: { email: "rae@shop.example", blind: account.blind },
  },
});
const enabled: UserEvent = {
  type: "TwoFactorEnabled",
  data: { factor_id: "factor", method: "totp", codes_id: "codes", recovery_codes: 10 },
};
/** Events that give an account one of everything. */
const everything = [
  accountRegistered(),
  emailConfirmationRequested(link("confirm-1")),
  passwordResetRequested(link("reset-0")),
  profileEdited(["bio"], { first_name: "Rae", last_name: "Holt", bio: "Sells lamps" }),
  { type: "DeviceConfirmationRequested", data: { link: link("device-0") } },
  {
    type: "EmailChangeRequested",
    data: { link: link("change-0"), account: { email: "n@x.example" } },
  },
  enabled,
  { type: "NotificationsSet", data: { by: "owner", weekly_summary: true } },
] as const satisfies UserEvent[];

describe("the address", () => {
  it("is unconfirmed after a registration, and confirmed when the operator added the account", () => {
    expect(stateAfter(accountRegistered())).toMatchObject({ confirmed: false, role: "user" });
    expect(stateAfter(added)).toMatchObject({ confirmed: true, role: "admin" });
  });

  it("is confirmed by its link without any other change", () => {
    const before = stateAfter(...everything);
    expect(stateAfter(...everything, emailConfirmed())).toEqual({
      ...before,
      revision: before.revision + 1,
      factsRevision: before.revision + 1,
      confirmed: true,
      emailConfirmations: [],
    });
  });

  it("voids everything earlier when it is confirmed outside the account's sessions", () => {
    const confirmed = stateAfter(...everything, emailConfirmed(true));
    expect(confirmed).toEqual({
      role: "user",
      wasStaff: false,
      revision: everything.length,
      factsRevision: everything.length,
      profile: { email: "rae@shop.example", first_name: "", last_name: "" },
      confirmed: true,
      over: undefined,
      ends: [],
      formerEmails: [],
      deviceConfirmations: [],
      emailConfirmations: [],
      passwordResets: [],
      undos: [],
      notifications: { decisions: true, same_person: false, weekly_summary: false },
    });
  });

  it("voids links emailed to the previous address when it changes", () => {
    const state = stateAfter(...everything, changed(0));
    expect(state).toMatchObject({
      profile: { email: "n0@shop.example", first_name: "Rae" },
      emailConfirmations: [],
      passwordResets: [],
      deviceConfirmations: [],
      undos: [{ formerEmail: "rae@shop.example", revision: everything.length }],
    });
    expect(state.emailChange).toBeUndefined();
  });

  it("loses later changes when a change is undone, and the second factor if it was set up since", () => {
    const twice = [...everything, changed(0), changed(1, "n0@shop.example")];
    expect(stateAfter(...twice, undone(0)).undos).toEqual([]);
    expect(stateAfter(...twice, undone(1)).undos).toHaveLength(1);
    expect(stateAfter(...twice, undone(0)).profile?.email).toBe("rae@shop.example");
    expect(stateAfter(...twice, undone(0)).secondFactor).toBeDefined();
    expect(stateAfter(...twice, undone(0, "dropped")).secondFactor).toBeUndefined();
  });
});

describe("previous addresses", () => {
  const formerAfter = (...events: UserEvent[]) => stateAfter(...events).formerEmails;

  it("are the confirmed ones, each once, including those of an undone change", () => {
    expect(formerAfter(added)).toEqual([]);
    const dana = "dana@registry.example";
    expect(formerAfter(added, changed(0))).toEqual([dana]);
    expect(formerAfter(added, changed(0), changed(1))).toEqual([dana, "n0@shop.example"]);
    expect(formerAfter(added, changed(0), undone(0))).toEqual([dana, "n0@shop.example"]);
    const again = [added, changed(0), changed(1), changed(0), changed(1)];
    expect(formerAfter(...again)).toEqual([dana, "n0@shop.example", "n1@shop.example"]);
  });

  it("exclude unconfirmed addresses, and are cleared when the account ends", () => {
    expect(formerAfter(accountRegistered(), changed(0))).toEqual([]);
    const moved = [accountRegistered(), emailConfirmed(), changed(0)];
    expect(formerAfter(...moved)).toEqual(["rae@shop.example"]);
    expect(formerAfter(...moved, { type: "AccountErased", data: {} })).toEqual([]);
  });
});

describe("a password", () => {
  it("voids the links that would set it", () => {
    expect(stateAfter(...everything, passwordChanged()).passwordResets).toEqual([]);
    expect(stateAfter(...everything, { type: "PasswordReset", data: {} }).passwordResets).toEqual(
      [],
    );
  });

  it("that was set with a reset link also voids other pending links", () => {
    const state = stateAfter(...everything, passwordChanged("reset_link", "reset-0"));
    expect(state).toMatchObject({ passwordResets: [], deviceConfirmations: [] });
    expect(state.emailChange).toBeUndefined();
    expect(stateAfter(...everything, passwordChanged()).emailChange).toBeDefined();
  });
});

it("every event that ends sessions is recorded, with the session that it keeps", () => {
  const ends = stateAfter(
    accountRegistered(),
    sessionsEnded("password_changed", "kept"),
    { type: "PasswordReset", data: {} },
    sessionsEnded("signed_out"),
  ).ends;
  expect(ends).toEqual([{ revision: 1, kept: "kept" }, { revision: 2 }, { revision: 3 }]);
  const closed = accountClosed("owner", "2026-11-22T11:00:00.000Z");
  expect(stateAfter(accountRegistered(), closed)).toMatchObject({
    ends: [{ revision: 1 }],
    closed: { eraseAt: "2026-11-22T11:00:00.000Z" },
  });
});

it.each([
  ["replaced", { type: "AccountReplaced", data: { replaced_by: "other" } }],
  ["expired", { type: "AccountExpired", data: {} }],
  ["erased", { type: "AccountErased", data: {} }],
] as const)("an account that is %s keeps no data about its owner", (over, event) => {
  const state = stateAfter(...everything, event);
  expect(state).toMatchObject({ over, profile: null, passwordResets: [], ends: [{}] });
  expect(state.secondFactor).toBeUndefined();
  expect(JSON.stringify(state)).not.toMatch(/Rae|shop/);
  // Links of a replaced account confirm the address for its successor.
  expect(state.emailConfirmations).toHaveLength(over === "replaced" ? 2 : 0);
});

it("a profile holds the values of the last edit, and the address", () => {
  const state = stateAfter(...everything, profileEdited(["bio", "phone"], { first_name: "Ray" }));
  expect(state.profile).toEqual({ email: "rae@shop.example", first_name: "Ray", last_name: "" });
});

it("notification settings change independently", () => {
  const off: UserEvent = {
    type: "NotificationsSet",
    data: { by: "unsubscribe_link", decisions: false },
  };
  expect(stateAfter(...everything, off).notifications).toEqual({
    decisions: false,
    same_person: false,
    weekly_summary: true,
  });
});

it("a recovery code is marked as used, and a new set has none used", () => {
  const used: UserEvent = { type: "RecoveryCodeUsed", data: { codes_id: "codes", code: 3 } };
  expect(stateAfter(...everything, used).secondFactor).toMatchObject({ codes: 10, used: [3] });
  const replaced: UserEvent = {
    type: "RecoveryCodesReplaced",
    data: { codes_id: "more", recovery_codes: 10 },
  };
  const { secondFactor } = stateAfter(...everything, used, replaced);
  expect(secondFactor).toMatchObject({ factorId: "factor", codesId: "more", used: [] });
});

it("has no profile for an account without its key", () => {
  const null_ = { account: null };
  const state = stateAfter(
    { type: "AccountRegistered", data: { terms_version: "1", link: link("l"), ...null_ } },
    { type: "ProfileEdited", data: { fields: ["bio"], ...null_ } },
    { type: "EmailConfirmed", data: { by: "link", dropped: true, ...null_ } },
  );
  expect(state).toMatchObject({ profile: null, confirmed: true });
});
