import { describe, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import {
  accountClosed,
  accountRegistered,
  emailConfirmed,
  link,
  passwordChanged,
  sessionsEnded,
} from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";

const newId = "11111111-1111-4111-8111-111111111111";
const moment = { now: "2026-11-21T10:00:00.000Z", newId };
const given = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });

const FORMER = "rae@shop.example";
const EMAIL = "holt@shop.example";
const blind = { email: "keyed hash" };
const own = { id: "22222222-2222-4222-8222-222222222222", accountRevision: 9 };
const member = [accountRegistered(), emailConfirmed()];
const requested = (id = "change", expires_at?: string): UserEvent => ({
  type: "EmailChangeRequested",
  data: { link: link(id, expires_at), account: { email: EMAIL } },
});
const changed = (undo = link("undo")): UserEvent => ({
  type: "EmailChanged",
  data: {
    link_id: "change",
    undo_link: undo,
    account: { email: EMAIL, blind, former_email: FORMER },
  },
});
const enabled: UserEvent = {
  type: "TwoFactorEnabled",
  data: { factor_id: "factor", method: "totp", codes_id: "codes", recovery_codes: 10 },
};
const closed = accountClosed("owner", "2026-11-21T10:30:00.000Z");
const confirm = { type: "ConfirmEmailChange", own, linkId: "change", blind } as const;
const undo = { type: "UndoEmailChange", linkId: "undo", blind } as const;
const ended = sessionsEnded("email_changed", own.id);

const undone = (two_factor: "kept" | "dropped"): UserEvent[] => [
  {
    type: "EmailChangeUndone",
    data: { link_id: "undo", two_factor, account: { email: FORMER, blind } },
  },
  {
    type: "PasswordResetRequested",
    data: {
      link: link(newId, "2026-11-21T11:00:00.000Z"),
      delivery: "answer",
      device: "unknown",
    },
  },
  sessionsEnded("account_recovered"),
];

describe("a change of address", () => {
  it("is requested with a link that is valid for a day", () => {
    const ask = { type: "RequestEmailChange", own, email: EMAIL } as const;
    given(...member)
      .when(ask)
      .gives(requested(newId, "2026-11-22T10:00:00.000Z"));
    given(...member, sessionsEnded("signed_out"))
      .when({ ...ask, own: { ...own, accountRevision: 0 } })
      .isRefused("invalid_token");
  });

  it("is confirmed by the most recent link, and can be undone for a week", () => {
    const aWeek = link(newId, "2026-11-28T10:00:00.000Z");
    given(...member, requested("other"), requested())
      .when(confirm)
      .gives(changed(aWeek), ended);
  });

  it("confirms an unconfirmed account too, and then cannot be undone", () => {
    const account = { email: EMAIL, blind };
    const atOnce = changed(link(newId, moment.now));
    given(accountRegistered(), requested())
      .when(confirm)
      .gives(
        atOnce,
        {
          type: "EmailConfirmed",
          data: { by: "link", link_id: "change", dropped: false, account },
        },
        ended,
      );
    given(accountRegistered(), requested(), changed(link("undo", moment.now)))
      .when(undo)
      .isRefused("link_invalid");
  });

  it.each<[string, UserEvent[]]>([
    ["was not asked for", []],
    ["has expired", [requested("change", moment.now)]],
    ["was asked for before another one", [requested(), requested("other")]],
    ["was withdrawn", [requested(), { type: "EmailChangeWithdrawn", data: {} }]],
    ["was used", [requested(), changed()]],
    ["is older than a password by a link", [requested(), passwordChanged("reset_link", "reset")]],
    ["was asked for before an undo", [changed(), requested(), ...undone("kept")]],
  ])("is not confirmed by a link that %s", (_, events) => {
    given(...member, ...events)
      .when(confirm)
      .isRefused("link_invalid");
  });
});

describe("a request to change the address", () => {
  const withdraw = { type: "WithdrawEmailChange", own } as const;
  it("is withdrawn in a valid session of the account, and is a no-op if there is none", () => {
    const withdrawn: UserEvent = { type: "EmailChangeWithdrawn", data: {} };
    given(...member, requested())
      .when(withdraw)
      .gives(withdrawn);
    given(...member, requested(), withdrawn)
      .when(withdraw)
      .gives();
    given(...member, requested(), changed())
      .when(withdraw)
      .gives();
    given(...member, requested(), sessionsEnded("signed_out"))
      .when({ ...withdraw, own: { ...own, accountRevision: 0 } })
      .isRefused("invalid_token");
  });
});

describe("an undo", () => {
  const replaced: UserEvent = {
    type: "RecoveryCodesReplaced",
    data: { codes_id: "others", recovery_codes: 10 },
  };

  it("recovers the account, with a link to set a password", () => {
    given(...member, requested(), changed())
      .when(undo)
      .gives(...undone("kept"));
  });

  // The change in `changed` was made a week before its undo link expires.
  const aWeek = changed(link("undo", "2026-11-28T10:00:00.000Z"));
  const long = { since: 2, at: "2026-11-14T10:00:00.000Z" };

  it("keeps a second factor from a week before the change, and drops a newer one", () => {
    given(...member, enabled, aWeek)
      .when({ ...undo, factor: long })
      .gives(...undone("kept"));
    given(...member, enabled, aWeek)
      .when({ ...undo, factor: { ...long, at: "2026-11-14T10:00:00.001Z" } })
      .gives(...undone("dropped"));
    given(...member, aWeek, enabled)
      .when({ ...undo, factor: { since: 3, at: moment.now } })
      .gives(...undone("dropped"));
  });

  it("drops a second factor that has new recovery codes since", () => {
    given(...member, enabled, replaced, aWeek)
      .when({ ...undo, factor: { since: 3, at: "2026-11-20T10:00:00.000Z" } })
      .gives(...undone("dropped"));
    given(...member, enabled, aWeek, replaced)
      .when({ ...undo, factor: { since: 4, at: moment.now } })
      .gives(...undone("dropped"));
  });

  it("does nothing if the second factor has changed since it was read", () => {
    given(...member, changed(), enabled)
      .when(undo)
      .gives();
    given(...member, enabled, replaced, changed())
      .when({ ...undo, factor: long })
      .gives();
    given(
      ...member,
      enabled,
      { type: "TwoFactorDisabled", data: { factor_id: "factor" } },
      changed(),
    )
      .when({ ...undo, factor: long })
      .gives();
  });

  it("restores the notification settings from before the change", () => {
    const set = (more: object): UserEvent => ({
      type: "NotificationsSet",
      data: { by: "owner", ...more },
    });
    const [first, ...rest] = undone("kept") as [UserEvent, ...UserEvent[]];
    const former = set({ weekly_summary: true });
    given(...member, former, changed(), set({ decisions: false }), set({ weekly_summary: false }))
      .when(undo)
      .gives(first, set({ decisions: true, weekly_summary: true }), ...rest);
    given(...member, former, changed(), set({ decisions: false }), set({ decisions: true }))
      .when(undo)
      .gives(first, ...rest);
  });

  it("reopens an account that was closed after the change", () => {
    given(...member, changed(), closed)
      .when(undo)
      .gives(...undone("kept"));
    const isDue = { type: "EraseAccount", isDue: true } as const;
    given(...member, changed(), closed, ...undone("kept"))
      .when(isDue)
      .gives();
    const erased: UserEvent = { type: "AccountErased", data: {} };
    given(...member, changed(), closed, erased)
      .when(undo)
      .isRefused("link_invalid");
  });

  it.each<[string, UserEvent[]]>([
    ["was not made", []],
    ["has expired", [changed(link("undo", moment.now))]],
    ["was used", [changed(), ...undone("kept")]],
  ])("is not done by a link that %s", (_, events) => {
    given(...member, ...events)
      .when(undo)
      .isRefused("link_invalid");
  });
});
