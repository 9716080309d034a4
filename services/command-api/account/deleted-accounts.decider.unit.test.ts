import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import {
  accountAdded,
  accountBanned,
  accountClosed,
  accountInvited,
  emailConfirmed,
  link,
  passwordResetRequested,
  roleChanged,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  ADMIN,
  admins,
  ban,
  confirmed,
  given,
  moment,
  notifying,
  OWNER,
  registered,
  TOMORROW,
  unbanned,
  YESTERDAY,
} from "../testing/account-decisions.fixture.ts";
import { decideAccount } from "./account.decider.ts";

describe("a staff account that staff closed", () => {
  const reopen = { type: "ReopenAccount", ...notifying } as const;
  const reopened: UserEvent = { type: "AccountReopened", data: { by: "admin", told: admins } };
  const unseated = roleChanged("auditor", "user", admins);

  it("is reopened once, with everything but its role and its old links", () => {
    given(accountAdded("auditor"), unseated, accountClosed("admin")).when(reopen).gives(reopened);
    given(accountAdded("auditor"), unseated, accountClosed("admin"), reopened).when(reopen).gives();
    given(accountAdded("auditor")).when(reopen).gives();
    const asked = passwordResetRequested(link("reset-0", TOMORROW));
    const left = [
      accountAdded("auditor"),
      accountBanned(),
      asked,
      unseated,
      accountClosed("admin"),
      reopened,
    ];
    const state = left.reduce<AccountState | undefined>(evolveAccount, undefined);
    expect(state).toMatchObject({ role: "user", wasStaff: true, banned: {}, passwordResets: [] });
    expect(state?.closed).toBeUndefined();
  });

  it("stays closed if it is being erased, or if the request refers to an older revision", () => {
    given(registered, confirmed, accountClosed("admin", TOMORROW))
      .when(reopen)
      .isRefused("account_closed");
    given(registered, confirmed, accountClosed("owner", TOMORROW))
      .when(reopen)
      .isRefused("account_closed");
    given(accountAdded("auditor"), accountClosed("owner")).when(reopen).isRefused("account_closed");
    given(accountAdded("auditor"), unseated, accountClosed("admin"))
      .when({ ...reopen, seen: 1 })
      .isRefused("account_changed");
    given().when(reopen).isRefused("account_not_found");
  });
});

describe("an account that its owner deleted and can still reopen", () => {
  const waiting = given(registered, confirmed, accountClosed("owner", TOMORROW));
  const again = given(
    registered,
    confirmed,
    accountClosed("owner", TOMORROW),
    accountBanned(TOMORROW),
  );
  const back = { type: "TakeBackAccount", accountRevision: 9 } as const;

  it("can be banned like any other, and is not reopened until the ban ends", () => {
    waiting.when(ban).gives(accountBanned(TOMORROW, "Made reports up"), sessionsEnded("banned"));
    waiting
      .when({ ...ban, by: [], seen: 2, until: undefined, reasonCode: "repeat_infringer" })
      .gives(
        {
          type: "AccountBanned",
          data: { reason_code: "repeat_infringer", account: { reason: "Made reports up" } },
        },
        sessionsEnded("banned"),
      );
    again.when(back).gives();
    again.when({ type: "UnbanAccount", ...notifying }).gives(unbanned);
    const over: UserEvent = { type: "AccountUnbanned", data: { by: "end" } };
    const late = given(
      registered,
      confirmed,
      accountClosed("owner", TOMORROW),
      accountBanned(YESTERDAY),
    );
    late.when({ type: "EndBan", admins }).gives(over);
    given(registered, confirmed, accountClosed("owner", TOMORROW), accountBanned(YESTERDAY), over)
      .when(back)
      .gives({ type: "AccountReopened", data: { by: "owner" } });
    again.when({ type: "EraseAccount", isDue: true }).gives();
  });

  it("does not lose its ban to a registration with its address", () => {
    given(registered, accountClosed("owner", TOMORROW), accountBanned())
      .when({ type: "ReplaceAccount", by: "other" })
      .gives();
  });

  it("can be deleted by staff permanently, and gets no new role or name", () => {
    waiting
      .when({ type: "DeleteAccount", ...notifying })
      .gives(accountClosed("admin", "2026-11-22T10:30:00.000Z"));
    waiting
      .when({ type: "ChangeAccountRole", role: "auditor", ...notifying })
      .isRefused("account_closed");
    waiting
      .when({ type: "EditAccount", edit: {}, role: undefined, ...notifying })
      .isRefused("account_closed");
    waiting.when({ type: "ReopenAccount", ...notifying }).isRefused("account_closed");
  });

  it("can have its second factor reset, and its notifications turned off with their link", () => {
    const enabled: UserEvent = {
      type: "TwoFactorEnabled",
      data: { factor_id: "factor", method: "totp", codes_id: "codes", recovery_codes: 10 },
    };
    const reset = { type: "ResetTwoFactor", by: "admin", told: [] } as const;
    given(registered, confirmed, enabled, accountClosed("owner", TOMORROW))
      .when(reset)
      .gives(
        { type: "TwoFactorReset", data: { factor_id: "factor" } },
        sessionsEnded("two_factor_changed"),
      );
    given(registered, confirmed, enabled, accountClosed("admin", TOMORROW))
      .when(reset)
      .isRefused("account_not_found");
    const email = "rae@shop.example";
    waiting
      .when({ type: "SetNotifications", email, set: { decisions: false } })
      .gives({ type: "NotificationsSet", data: { by: "unsubscribe_link", decisions: false } });
  });
});

describe("a deleted account", () => {
  const remove = { type: "DeleteAccount", ...notifying } as const;
  const SOON = "2026-11-22T10:30:00.000Z";
  it("is erased soon, unless it is or was a staff account", () => {
    given(registered, confirmed).when(remove).gives(accountClosed("admin", SOON));
    given(accountAdded("auditor"))
      .when(remove)
      .gives(roleChanged("auditor", "user", admins), accountClosed("admin"));
    given(accountAdded("admin"), roleChanged("admin", "user", admins))
      .when(remove)
      .gives(accountClosed("admin"));
    given(accountAdded("admin"), roleChanged("admin", "user", admins))
      .when({ type: "EraseAccount" })
      .isRefused("staff_account");
    const late = { ...moment, now: "2030-01-01T00:00:00.000Z" };
    givenFor({ decide: decideAccount, evolve: evolveAccount, moment: late })(
      accountAdded("admin"),
      accountClosed("admin"),
    )
      .when({ type: "EraseAccount", isDue: true })
      .gives();
  });

  it("notifies the other admins, if there are any", () => {
    const toOthers = roleChanged("admin", "user", [ADMIN]);
    given(accountAdded("admin"))
      .when({ ...remove, admins: [OWNER, ADMIN] })
      .gives(toOthers, accountClosed("admin"));
    const last = roleChanged("admin", "user");
    given(accountAdded("admin"))
      .when({ ...remove, admins: [OWNER] })
      .gives(last, accountClosed("admin"));
  });

  it("is erased soon if its staff invitation was never accepted, since it never acted", () => {
    const invited = accountInvited("auditor", link("invitation", TOMORROW));
    const toUser = roleChanged("auditor", "user", admins);
    given(invited).when(remove).gives(toUser, accountClosed("admin", SOON));
    given(invited).when({ type: "EraseAccount" }).gives({ type: "AccountErased", data: {} });
    given(invited, toUser, accountClosed("admin", SOON))
      .when({ type: "EraseAccount" })
      .gives({ type: "AccountErased", data: {} });
    // An account that is no longer an auditor when it accepts never acts as one.
    given(invited, toUser, emailConfirmed(false, "invitation"))
      .when(remove)
      .gives(accountClosed("admin", SOON));
    given(invited, emailConfirmed(false, "invitation"), toUser)
      .when(remove)
      .gives(accountClosed("admin"));
  });

  it("is not reopened by undoing a change of address if staff closed it", () => {
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
    given(registered, confirmed, changed, accountClosed("admin", TOMORROW))
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
    const anHour = link(moment.newId, "2026-11-22T11:00:00.000Z");
    const asked = passwordResetRequested(anHour, "answer");
    const over = sessionsEnded("account_recovered");
    given(registered, confirmed, changed, accountClosed("owner", TOMORROW))
      .when(undo)
      .gives(undone, asked, over);
    // A banned owner gets the address back, and stays banned.
    const banned = [registered, confirmed, changed, accountBanned()];
    given(...banned)
      .when(undo)
      .gives(undone, asked, over);
    given(...banned, undone)
      .when({ type: "UnbanAccount", ...notifying })
      .gives(unbanned);
  });
});
