import { describe, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import {
  accountAdded,
  accountBanned,
  accountClosed,
  accountInvited,
  emailConfirmed,
  link,
  passwordChanged,
  passwordResetRequested,
  profileEdited,
  roleChanged,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import {
  ADMIN,
  admins,
  ban,
  confirmed,
  given,
  moment,
  notifying,
  registered,
  TOMORROW,
  unbanned,
  YESTERDAY,
} from "../testing/account-decisions.fixture.ts";

describe("a ban", () => {
  it("ends all sessions, and notifies admins only for a staff account", () => {
    given(registered, confirmed)
      .when(ban)
      .gives(accountBanned(TOMORROW, "Made reports up"), sessionsEnded("banned"));
    given(accountAdded("admin"))
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
        sessionsEnded("banned"),
      );
  });

  it("is replaced by a later one, but not repeated", () => {
    const account = given(registered, confirmed, accountBanned(TOMORROW, "Made reports up"));
    account.when(ban).gives();
    account
      .when({ ...ban, until: undefined })
      .gives(
        { type: "AccountBanned", data: { account: { reason: "Made reports up" } } },
        sessionsEnded("banned"),
      );
  });

  it("must end in the future, within ten years", () => {
    given(registered)
      .when({ ...ban, until: moment.now })
      .isRefused("invalid_request");
    given(registered)
      .when({ ...ban, until: "2036-11-22T10:00:00.001Z" })
      .isRefused("invalid_request");
  });

  it("is lifted by staff once", () => {
    const unban = { type: "UnbanAccount", ...notifying } as const;
    given(registered, accountBanned()).when(unban).gives(unbanned);
    given(registered).when(unban).gives();
    given(accountAdded("admin"), accountBanned())
      .when(unban)
      .gives({ type: "AccountUnbanned", data: { by: "staff", told: admins } });
  });

  it("ends by itself when the latest one expires", () => {
    const end = { type: "EndBan", admins } as const;
    const over: UserEvent = { type: "AccountUnbanned", data: { by: "end" } };
    given(registered, accountBanned(YESTERDAY)).when(end).gives(over);
    given(registered, accountBanned(TOMORROW)).when(end).gives();
    given(registered, accountBanned()).when(end).gives();
    given(registered, accountBanned(YESTERDAY), accountBanned(TOMORROW)).when(end).gives();
    given(registered, accountBanned(YESTERDAY), unbanned).when(end).gives();
  });

  it("survives confirming the address and a new password, unless the operator resets it", () => {
    const end = { type: "UnbanAccount", ...notifying } as const;
    given(registered, accountBanned(), emailConfirmed(true), passwordChanged("reset_link"))
      .when(end)
      .gives(unbanned);
    given(registered, accountBanned(), { type: "PasswordReset", data: {} }).when(end).gives();
  });
});

describe("a decision by staff", () => {
  it("can't be about the admin who recently gave them their role, either", () => {
    const granter = { ownerId: "granter", by: [ADMIN, "granter"], seen: undefined, admins };
    given(accountAdded("admin"))
      .when({ ...ban, ...granter })
      .isRefused("own_account");
    given(accountAdded("admin"))
      .when({ type: "DeleteAccount", ...granter })
      .isRefused("own_account");
  });

  it("can't be about their own account, except for names and phone", () => {
    const own = { ownerId: ADMIN, by: [ADMIN], seen: undefined, admins };
    given(accountAdded("admin"))
      .when({ ...ban, ...own })
      .isRefused("own_account");
    given(accountAdded("admin"))
      .when({ type: "ChangeAccountRole", role: "user", ...own })
      .isRefused("own_account");
    given(accountAdded("admin"))
      .when({ type: "EditAccount", edit: {}, role: "user", ...own })
      .isRefused("own_account");
    given(accountAdded("admin"))
      .when({ type: "DeleteAccount", ...own })
      .isRefused("own_account");
    given(accountAdded("admin"))
      .when({ type: "EditAccount", edit: { first_name: "Ada" }, role: undefined, ...own })
      .gives(profileEdited(["first_name"], { first_name: "Ada", last_name: "Holt" }));
  });

  it("overwrites nothing that someone else decided in the meantime", () => {
    const role = { type: "ChangeAccountRole", role: "admin", ...notifying } as const;
    const account = given(registered, confirmed, accountBanned(), unbanned);
    account.when({ ...role, seen: 2 }).isRefused("account_changed");
    account
      .when({ ...role, seen: 3 })
      .gives(roleChanged("user", "admin", admins), sessionsEnded("role_changed"));
    // Changes to settings and links by the owner do not count.
    const asked = passwordResetRequested(link("reset-0"));
    given(registered, confirmed, asked)
      .when({ ...role, seen: 1 })
      .gives(roleChanged("user", "admin", admins), sessionsEnded("role_changed"));
  });

  it("requires an existing, open account", () => {
    given().when(ban).isRefused("account_not_found");
    given(registered, { type: "AccountErased", data: {} }).when(ban).isRefused("account_not_found");
    given(registered, accountClosed("admin", TOMORROW)).when(ban).isRefused("account_closed");
    given(registered, accountClosed("owner", moment.now)).when(ban).isRefused("account_closed");
    given(registered, accountClosed("admin", TOMORROW))
      .when({ type: "UnbanAccount", ...notifying })
      .isRefused("account_closed");
  });
});

describe("a role", () => {
  it("ends all sessions when it changes, and only then", () => {
    given(accountAdded("admin"))
      .when({ type: "ChangeAccountRole", role: "user", ...notifying })
      .gives(roleChanged("admin", "user", admins), sessionsEnded("role_changed"));
    given(accountAdded("admin"))
      .when({ type: "ChangeAccountRole", role: "admin", ...notifying })
      .gives();
  });

  it("can be edited together with names, unless someone else gave it in the meantime", () => {
    const edit = { type: "EditAccount", edit: {}, role: "admin", ...notifying } as const;
    given(registered, confirmed)
      .when(edit)
      .gives(roleChanged("user", "admin", admins), sessionsEnded("role_changed"));
    given(accountAdded("admin")).when(edit).isRefused("account_changed");
  });

  it("of staff requires a confirmed or invited address", () => {
    const role = { type: "ChangeAccountRole", role: "auditor", ...notifying } as const;
    const edit = { type: "EditAccount", edit: {}, role: "admin", ...notifying } as const;
    for (const command of [role, edit]) {
      given(registered).when(command).isRefused("account_unconfirmed");
      given(registered, accountBanned(), unbanned).when(command).isRefused("account_unconfirmed");
    }
    given(registered, emailConfirmed(true))
      .when(role)
      .gives(roleChanged("user", "auditor", admins), sessionsEnded("role_changed"));
    const invited = accountInvited("user", link("invitation", TOMORROW));
    given(invited)
      .when(role)
      .gives(roleChanged("user", "auditor", admins), sessionsEnded("role_changed"));
    given(invited, roleChanged("user", "auditor", admins))
      .when({ ...role, role: "user" })
      .gives(roleChanged("auditor", "user", admins), sessionsEnded("role_changed"));
  });
});

describe("an invitation", () => {
  const account = {
    email: "ada@shop.example",
    first_name: "Ada",
    last_name: "Min",
    blind: { email: "keyed hash" },
  };
  it("has a link for seven days, and notifies the admins of a new staff member", () => {
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
    passwordChanged("invitation", "invitation"),
    sessionsEnded("email_confirmed"),
  ];

  it("sets a password, confirms the address and keeps the names", () => {
    given(invited(TOMORROW))
      .when(set("invitation"))
      .gives(...byInvitation);
    given(invited(TOMORROW), ...byInvitation)
      .when({ type: "EditAccount", edit: { phone: "555" }, role: undefined, ...notifying })
      .gives(profileEdited(["phone"], { first_name: "Ada", last_name: "Min", phone: "555" }));
  });

  it("is the only way to take over the account, and expires with its link", () => {
    const forgot = { type: "RequestPasswordReset", device: "unknown" } as const;
    const again = passwordResetRequested(link("invitation", TOMORROW));
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

  it("is void once someone registers the address: the new account inherits nothing", () => {
    const replaced: UserEvent = { type: "AccountReplaced", data: { replaced_by: "next" } };
    given(invited(TOMORROW)).when({ type: "ReplaceAccount", by: "next" }).gives(replaced);
    given(invited(TOMORROW), replaced).when(set("invitation")).isRefused("link_invalid");
  });
});

it("a ban cannot be evaded by registering the address again", () => {
  given(registered, accountBanned()).when({ type: "ReplaceAccount", by: "next" }).gives();
});
