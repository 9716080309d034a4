import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import {
  accountBanned,
  accountInvited,
  accountRegistered,
  emailConfirmed,
  link,
} from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const moment = { now: "2026-11-22T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
const [ADMIN, OWNER] = ["admin", "owner"];
const TOMORROW = "2026-11-23T10:00:00.000Z";
const YESTERDAY = "2026-11-21T10:00:00.000Z";
const admins = [ADMIN, "second"];
const by = { ownerId: OWNER, by: [ADMIN], seen: undefined };
const telling = { ...by, admins };
const registered = accountRegistered();
const confirmed = emailConfirmed();
const staff = (role: "admin" | "auditor" = "admin"): UserEvent => ({
  type: "AccountAdded",
  data: {
    role,
    account: { email: "a@b.example", first_name: "A", last_name: "B", blind: { email: "h" } },
  },
});
const closed = (how: "owner" | "admin", erase_at?: string): UserEvent => ({
  type: "AccountClosed",
  data: { by: how, ...(erase_at ? { erase_at } : {}) },
});
const ended = (cause: "banned" | "role_changed"): UserEvent => ({
  type: "SessionsEnded",
  data: { cause },
});
const unbanned: UserEvent = { type: "AccountUnbanned", data: { by: "staff" } };
type Role = "user" | "admin" | "auditor";
const roleChanged = (from: Role, to: Role): UserEvent => ({
  type: "AccountRoleChanged",
  data: { from, to, told: admins },
});
const ban = {
  type: "BanAccount",
  reason: "Made reports up",
  reasonCode: undefined,
  until: TOMORROW,
  ...telling,
} as const;

describe("an account of staff that staff closed", () => {
  const reopen = { type: "ReopenAccount", ...telling } as const;
  const reopened: UserEvent = { type: "AccountReopened", data: { by: "admin", told: admins } };
  const unseated = roleChanged("auditor", "user");

  it("is opened again once, with what it had but its role, and without links of before", () => {
    given(staff("auditor"), unseated, closed("admin")).when(reopen).gives(reopened);
    given(staff("auditor"), unseated, closed("admin"), reopened).when(reopen).gives();
    given(staff("auditor")).when(reopen).gives();
    const asked: UserEvent = {
      type: "PasswordResetRequested",
      data: { link: link("reset-0", TOMORROW), delivery: "mail", device: "known" },
    };
    const left = [staff("auditor"), accountBanned(), asked, unseated, closed("admin"), reopened];
    const state = left.reduce<AccountState | undefined>(evolveAccount, undefined);
    expect(state).toMatchObject({ role: "user", wasStaff: true, banned: {}, passwordResets: [] });
    expect(state?.closed).toBeUndefined();
  });

  it("stays closed where it is being erased, or its sender saw an older one", () => {
    given(registered, confirmed, closed("admin", TOMORROW))
      .when(reopen)
      .isRefused("account_closed");
    given(registered, confirmed, closed("owner", TOMORROW))
      .when(reopen)
      .isRefused("account_closed");
    given(staff("auditor"), closed("owner")).when(reopen).isRefused("account_closed");
    given(staff("auditor"), unseated, closed("admin"))
      .when({ ...reopen, seen: 1 })
      .isRefused("account_changed");
    given().when(reopen).isRefused("account_not_found");
  });
});

describe("a ban", () => {
  it("ends all sessions, and tells admins only where it is of staff", () => {
    given(registered, confirmed)
      .when(ban)
      .gives(accountBanned(TOMORROW, "Made reports up"), ended("banned"));
    given(staff())
      .when({ ...ban, until: undefined, reasonCode: "repeat_infringer" })
      .gives(
        {
          type: "AccountBanned",
          data: {
            reason_code: "repeat_infringer",
            told: admins,
            account: { reason: "Made reports up" },
          },
        },
        ended("banned"),
      );
  });

  it("is replaced by a later one, and is not decided twice", () => {
    const account = given(registered, confirmed, accountBanned(TOMORROW, "Made reports up"));
    account.when(ban).gives();
    account
      .when({ ...ban, until: undefined })
      .gives(
        { type: "AccountBanned", data: { account: { reason: "Made reports up" } } },
        ended("banned"),
      );
  });

  it("ends in the future, within ten years", () => {
    given(registered)
      .when({ ...ban, until: moment.now })
      .isRefused("invalid_request");
    given(registered)
      .when({ ...ban, until: "2036-11-22T10:00:00.001Z" })
      .isRefused("invalid_request");
  });

  it("is lifted by staff once", () => {
    const unban = { type: "UnbanAccount", ...telling } as const;
    given(registered, accountBanned()).when(unban).gives(unbanned);
    given(registered).when(unban).gives();
    given(staff(), accountBanned())
      .when(unban)
      .gives({ type: "AccountUnbanned", data: { by: "staff", told: admins } });
  });

  it("ends by itself when its time is over, the time of the last one", () => {
    const end = { type: "EndBan", admins } as const;
    const over: UserEvent = { type: "AccountUnbanned", data: { by: "end" } };
    given(registered, accountBanned(YESTERDAY)).when(end).gives(over);
    given(registered, accountBanned(TOMORROW)).when(end).gives();
    given(registered, accountBanned()).when(end).gives();
    given(registered, accountBanned(YESTERDAY), accountBanned(TOMORROW)).when(end).gives();
    given(registered, accountBanned(YESTERDAY), unbanned).when(end).gives();
  });

  it("stays when the address is confirmed, taken back or gets a password, but for the operator's", () => {
    const end = { type: "UnbanAccount", ...telling } as const;
    const password: UserEvent = { type: "PasswordChanged", data: { by: "reset_link" } };
    given(registered, accountBanned(), emailConfirmed(true), password).when(end).gives(unbanned);
    given(registered, accountBanned(), { type: "PasswordReset", data: {} }).when(end).gives();
  });
});

describe("what staff decide", () => {
  it("is not about who gave them their role lately, either", () => {
    const granter = { ownerId: "granter", by: [ADMIN, "granter"], seen: undefined, admins };
    given(staff())
      .when({ ...ban, ...granter })
      .isRefused("own_account");
    given(staff())
      .when({ type: "DeleteAccount", ...granter })
      .isRefused("own_account");
  });

  it("is never about one's own account, but for names and phone", () => {
    const own = { ownerId: ADMIN, by: [ADMIN], seen: undefined, admins };
    given(staff())
      .when({ ...ban, ...own })
      .isRefused("own_account");
    given(staff())
      .when({ type: "ChangeAccountRole", role: "user", ...own })
      .isRefused("own_account");
    given(staff())
      .when({ type: "EditAccount", edit: {}, role: "user", ...own })
      .isRefused("own_account");
    given(staff())
      .when({ type: "DeleteAccount", ...own })
      .isRefused("own_account");
    given(staff())
      .when({ type: "EditAccount", edit: { first_name: "Ada" }, role: undefined, ...own })
      .gives({
        type: "ProfileEdited",
        data: { fields: ["first_name"], account: { first_name: "Ada", last_name: "B" } },
      });
  });

  it("overwrites nothing that somebody else decided meanwhile", () => {
    const role = { type: "ChangeAccountRole", role: "admin", ...telling } as const;
    const account = given(registered, confirmed, accountBanned(), unbanned);
    account.when({ ...role, seen: 2 }).isRefused("account_changed");
    account.when({ ...role, seen: 3 }).gives(roleChanged("user", "admin"), ended("role_changed"));
    // What the owner does with settings and links is no decision of staff.
    const asked: UserEvent = {
      type: "PasswordResetRequested",
      data: { link: link("reset-0"), delivery: "mail", device: "known" },
    };
    given(registered, confirmed, asked)
      .when({ ...role, seen: 1 })
      .gives(roleChanged("user", "admin"), ended("role_changed"));
  });

  it("needs an account that is there", () => {
    given().when(ban).isRefused("account_not_found");
    given(registered, { type: "AccountErased", data: {} }).when(ban).isRefused("account_not_found");
    given(registered, closed("admin", TOMORROW)).when(ban).isRefused("account_closed");
    given(registered, closed("owner", moment.now)).when(ban).isRefused("account_closed");
    given(registered, closed("admin", TOMORROW))
      .when({ type: "UnbanAccount", ...telling })
      .isRefused("account_closed");
  });
});

describe("an account that its owner deleted, while it can be taken back", () => {
  const waiting = given(registered, confirmed, closed("owner", TOMORROW));
  const again = given(registered, confirmed, closed("owner", TOMORROW), accountBanned(TOMORROW));
  const back = { type: "TakeBackAccount", accountRevision: 9 } as const;

  it("is banned as any other is, and not taken back until the ban ends", () => {
    waiting.when(ban).gives(accountBanned(TOMORROW, "Made reports up"), ended("banned"));
    waiting
      .when({ ...ban, by: [], seen: 2, until: undefined, reasonCode: "repeat_infringer" })
      .gives(
        {
          type: "AccountBanned",
          data: { reason_code: "repeat_infringer", account: { reason: "Made reports up" } },
        },
        ended("banned"),
      );
    again.when(back).gives();
    again.when({ type: "UnbanAccount", ...telling }).gives(unbanned);
    const over: UserEvent = { type: "AccountUnbanned", data: { by: "end" } };
    const late = given(registered, confirmed, closed("owner", TOMORROW), accountBanned(YESTERDAY));
    late.when({ type: "EndBan", admins }).gives(over);
    given(registered, confirmed, closed("owner", TOMORROW), accountBanned(YESTERDAY), over)
      .when(back)
      .gives({ type: "AccountReopened", data: { by: "owner" } });
    again.when({ type: "EraseAccount", isDue: true }).gives();
  });

  it("leaves no ban by a registration of its address", () => {
    given(registered, closed("owner", TOMORROW), accountBanned())
      .when({ type: "ReplaceAccount", by: "other" })
      .gives();
  });

  it("is deleted by staff for good, and gets no other role or name", () => {
    waiting
      .when({ type: "DeleteAccount", ...telling })
      .gives(closed("admin", "2026-11-22T10:30:00.000Z"));
    waiting
      .when({ type: "ChangeAccountRole", role: "auditor", ...telling })
      .isRefused("account_closed");
    waiting
      .when({ type: "EditAccount", edit: {}, role: undefined, ...telling })
      .isRefused("account_closed");
    waiting.when({ type: "ReopenAccount", ...telling }).isRefused("account_closed");
  });

  it("loses its second factor where its owner lost it, and its notifications by their link", () => {
    const enabled: UserEvent = {
      type: "TwoFactorEnabled",
      data: { factor_id: "factor", method: "totp", codes_id: "codes", recovery_codes: 10 },
    };
    const reset = { type: "ResetTwoFactor", by: "admin", told: [] } as const;
    given(registered, confirmed, enabled, closed("owner", TOMORROW))
      .when(reset)
      .gives(
        { type: "TwoFactorReset", data: { factor_id: "factor" } },
        { type: "SessionsEnded", data: { cause: "two_factor_changed" } },
      );
    given(registered, confirmed, enabled, closed("admin", TOMORROW))
      .when(reset)
      .isRefused("account_not_found");
    const email = "rae@shop.example";
    waiting
      .when({ type: "SetNotifications", email, set: { decisions: false } })
      .gives({ type: "NotificationsSet", data: { by: "unsubscribe_link", decisions: false } });
  });
});

describe("a role", () => {
  it("ends all sessions, and the same one changes nothing", () => {
    given(staff())
      .when({ type: "ChangeAccountRole", role: "user", ...telling })
      .gives(roleChanged("admin", "user"), ended("role_changed"));
    given(staff())
      .when({ type: "ChangeAccountRole", role: "admin", ...telling })
      .gives();
  });

  it("comes with names, once: who gave it meanwhile ended the sessions", () => {
    const edit = { type: "EditAccount", edit: {}, role: "admin", ...telling } as const;
    given(registered, confirmed)
      .when(edit)
      .gives(roleChanged("user", "admin"), ended("role_changed"));
    given(staff()).when(edit).isRefused("account_changed");
  });

  it("of staff is given to no address that nobody confirmed, but to an invited one", () => {
    const role = { type: "ChangeAccountRole", role: "auditor", ...telling } as const;
    const edit = { type: "EditAccount", edit: {}, role: "admin", ...telling } as const;
    for (const command of [role, edit]) {
      given(registered).when(command).isRefused("account_unconfirmed");
      given(registered, accountBanned(), unbanned).when(command).isRefused("account_unconfirmed");
    }
    given(registered, emailConfirmed(true))
      .when(role)
      .gives(roleChanged("user", "auditor"), ended("role_changed"));
    const invited = accountInvited("user", link("invitation", TOMORROW));
    given(invited).when(role).gives(roleChanged("user", "auditor"), ended("role_changed"));
    given(invited, roleChanged("user", "auditor"))
      .when({ ...role, role: "user" })
      .gives(roleChanged("auditor", "user"), ended("role_changed"));
  });
});

describe("a deleted account", () => {
  const remove = { type: "DeleteAccount", ...telling } as const;
  const SOON = "2026-11-22T10:30:00.000Z";
  it("is erased soon, unless it is or was of staff", () => {
    given(registered, confirmed).when(remove).gives(closed("admin", SOON));
    given(staff("auditor")).when(remove).gives(roleChanged("auditor", "user"), closed("admin"));
    given(staff(), roleChanged("admin", "user")).when(remove).gives(closed("admin"));
    given(staff(), roleChanged("admin", "user"))
      .when({ type: "EraseAccount" })
      .isRefused("staff_account");
    const late = { ...moment, now: "2030-01-01T00:00:00.000Z" };
    givenFor({ decide: decideAccount, evolve: evolveAccount, moment: late })(
      staff(),
      closed("admin"),
    )
      .when({ type: "EraseAccount", isDue: true })
      .gives();
  });

  it("tells the other admins where its role is of staff, and nobody otherwise", () => {
    const toOthers: UserEvent = {
      type: "AccountRoleChanged",
      data: { from: "admin", to: "user", told: [ADMIN] },
    };
    given(staff())
      .when({ ...remove, admins: [OWNER, ADMIN] })
      .gives(toOthers, closed("admin"));
    const last: UserEvent = { type: "AccountRoleChanged", data: { from: "admin", to: "user" } };
    given(staff())
      .when({ ...remove, admins: [OWNER] })
      .gives(last, closed("admin"));
  });

  it("is erased soon where nobody accepted the invitation to staff: it never acted", () => {
    const invited = accountInvited("auditor", link("invitation", TOMORROW));
    const toUser = roleChanged("auditor", "user");
    given(invited).when(remove).gives(toUser, closed("admin", SOON));
    given(invited).when({ type: "EraseAccount" }).gives({ type: "AccountErased", data: {} });
    given(invited, toUser, closed("admin", SOON))
      .when({ type: "EraseAccount" })
      .gives({ type: "AccountErased", data: {} });
    // Anyone who is no auditor anymore before accepting never acts as one.
    given(invited, toUser, emailConfirmed(false, "invitation"))
      .when(remove)
      .gives(closed("admin", SOON));
    given(invited, emailConfirmed(false, "invitation"), toUser).when(remove).gives(closed("admin"));
  });

  it("is not opened again by the undo of a change of address, where staff closed it", () => {
    const changed: UserEvent = {
      type: "EmailChanged",
      data: {
        link_id: "change-0",
        undo_link: link("undo-0", TOMORROW),
        account: {
          email: "thief@shop.example",
          blind: { email: "hash" },
          former_email: "rae@shop.example",
        },
      },
    };
    const undo = {
      type: "UndoEmailChange",
      linkId: "undo-0",
      blind: { email: "keyed hash" },
    } as const;
    given(registered, confirmed, changed, closed("admin", TOMORROW))
      .when(undo)
      .isRefused("link_invalid");
    const undone: UserEvent = {
      type: "EmailChangeUndone",
      data: {
        link_id: "undo-0",
        two_factor: "kept",
        account: { email: "rae@shop.example", blind: { email: "keyed hash" } },
      },
    };
    const asked: UserEvent = {
      type: "PasswordResetRequested",
      data: {
        link: { link_id: moment.newId, expires_at: "2026-11-22T11:00:00.000Z" },
        delivery: "answer",
        device: "unknown",
      },
    };
    const over: UserEvent = { type: "SessionsEnded", data: { cause: "account_recovered" } };
    given(registered, confirmed, changed, closed("owner", TOMORROW))
      .when(undo)
      .gives(undone, asked, over);
    // A banned owner gets the address back, and stays banned.
    const banned = [registered, confirmed, changed, accountBanned()];
    given(...banned)
      .when(undo)
      .gives(undone, asked, over);
    given(...banned, undone)
      .when({ type: "UnbanAccount", ...telling })
      .gives(unbanned);
  });
});

describe("an invitation", () => {
  const account = {
    email: "ada@shop.example",
    first_name: "Ada",
    last_name: "Min",
    blind: { email: "keyed hash" },
  };
  it("has a link for seven days, and tells the admins of a new member of staff", () => {
    const invite = { type: "InviteAccount", role: "admin", account, admins } as const;
    const invited = link(moment.newId, "2026-11-29T10:00:00.000Z");
    given()
      .when(invite)
      .gives({
        type: "AccountInvited",
        data: { role: "admin", link: invited, told: admins, account },
      });
    given()
      .when({ ...invite, role: "user" })
      .gives(accountInvited("user", invited, account));
  });

  const set = (linkId: string) =>
    ({ type: "SetPassword", linkId, blind: { email: "keyed hash" } }) as const;
  const invited = (expires_at: string) =>
    accountInvited("admin", link("invitation", expires_at), account);
  const byInvitation: UserEvent[] = [
    {
      type: "EmailConfirmed",
      data: {
        by: "invitation",
        link_id: "invitation",
        dropped: false,
        account: { email: "ada@shop.example", blind: { email: "keyed hash" } },
      },
    },
    { type: "PasswordChanged", data: { by: "invitation", link_id: "invitation" } },
    { type: "SessionsEnded", data: { cause: "email_confirmed" } },
  ];

  it("sets a password, confirms the address and keeps the names", () => {
    given(invited(TOMORROW))
      .when(set("invitation"))
      .gives(...byInvitation);
    given(invited(TOMORROW), ...byInvitation)
      .when({ type: "EditAccount", edit: { phone: "555" }, role: undefined, ...telling })
      .gives({
        type: "ProfileEdited",
        data: {
          fields: ["phone"],
          account: { first_name: "Ada", last_name: "Min", phone: "555" },
        },
      });
  });

  it("is the only way to make the account one's own, and ends with its link", () => {
    const forgot = { type: "RequestPasswordReset", device: "unknown" } as const;
    const again: UserEvent = {
      type: "PasswordResetRequested",
      data: { link: link("invitation", TOMORROW), delivery: "mail", device: "unknown" },
    };
    given(invited(TOMORROW)).when(forgot).gives(again);
    given(invited(TOMORROW), again)
      .when(set("invitation"))
      .gives(...byInvitation);
    given(invited(YESTERDAY)).when(forgot).gives();
    given(invited(YESTERDAY)).when(set("invitation")).isRefused("link_invalid");
    given(invited(TOMORROW))
      .when({
        type: "ConfirmEmail",
        linkId: "former",
        ofReplaced: { email: "ada@shop.example" },
        blind: { email: "keyed hash" },
      })
      .isRefused("link_invalid");
    given(invited(TOMORROW)).when({ type: "ExpireAccount" }).gives();
    given(invited(YESTERDAY))
      .when({ type: "ExpireAccount" })
      .gives({ type: "AccountExpired", data: {} });
  });

  it("is void once somebody registers the address: the new account has nothing of it", () => {
    const replaced: UserEvent = { type: "AccountReplaced", data: { replaced_by: "next" } };
    given(invited(TOMORROW)).when({ type: "ReplaceAccount", by: "next" }).gives(replaced);
    given(invited(TOMORROW), replaced).when(set("invitation")).isRefused("link_invalid");
  });
});

it("nobody gets out of a ban by registering the address again", () => {
  given(registered, accountBanned()).when({ type: "ReplaceAccount", by: "next" }).gives();
});
