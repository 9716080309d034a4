import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { UserEvent } from "#contracts/events/index.ts";
import { link, twoFactorReset } from "#test-kit/account-events.ts";

const ACTIONS = [
  "confirm",
  "drop",
  "edit",
  "notify",
  "want-email",
  "withdraw-email",
  "change-email",
  "undo-email",
  "two-factor-on",
  "two-factor-off",
  "two-factor-reset",
  "use-code",
  "other-codes",
  "ask-for-password",
  "set-password",
  "close",
  "ban",
  "unban",
  "reopen",
  "role",
  "new-password",
  "sign-in",
  "end",
] as const;

/** An action on one of a few accounts. */
export interface AccountStep {
  readonly account: number;
  readonly action: (typeof ACTIONS)[number];
  readonly number: number;
}

/** Steps on accounts; the first step on each one creates it. */
export const accountHistories: fc.Arbitrary<AccountStep[]> = fc.array(
  fc.record({
    account: fc.nat({ max: 5 }),
    action: fc.constantFrom(...ACTIONS),
    number: fc.nat({ max: 1000 }),
  }),
  { minLength: 5, maxLength: 60 },
);

const LATER = "2026-12-01T10:00:00.000Z";
const emailOf = (number: number) => `a${number}@shop.example`;
const address = (number: number) => ({
  email: emailOf(number),
  blind: { email: `hash ${number}` },
});

/** The event that creates the account. */
export function beginning(number: number): UserEvent {
  const names = { first_name: `First ${number}`, last_name: "Holt", phone: `555-0${number}` };
  const account = { ...address(number), ...names };
  if (number % 3 === 0) return { type: "AccountAdded", data: { role: "admin", account } };
  if (number % 3 === 1) {
    const data = { role: "auditor", link: link(randomUUID(), LATER), account } as const;
    return { type: "AccountInvited", data };
  }
  const started = { terms_version: "2026-11-21", link: link(randomUUID(), LATER) };
  return { type: "AccountRegistered", data: { ...started, account } };
}

/** Events in the account's own stream; none for a sign-in, which has a separate stream. */
export function accountEvents({ action, number }: AccountStep): UserEvent[] {
  const link_id = randomUUID();
  const isEven = number % 2 === 0;
  switch (action) {
    case "confirm":
    case "drop": {
      const data = { by: "link", link_id, dropped: action === "drop" } as const;
      return [{ type: "EmailConfirmed", data: { ...data, account: address(number) } }];
    }
    case "edit": {
      const account = isEven ? { first_name: `Edited ${number}`, bio: "Sells lamps" } : {};
      return [{ type: "ProfileEdited", data: { fields: ["bio"], account } }];
    }
    case "notify": {
      const set = isEven ? { decisions: false } : { same_person: true, weekly_summary: true };
      return [{ type: "NotificationsSet", data: { by: "owner", ...set } }];
    }
    case "want-email": {
      const account = { email: emailOf(number) };
      return [{ type: "EmailChangeRequested", data: { link: link(link_id, LATER), account } }];
    }
    case "withdraw-email":
      return [{ type: "EmailChangeWithdrawn", data: {} }];
    case "set-password":
      return [{ type: "PasswordChanged", data: { by: isEven ? "owner" : "reset_link" } }];
    case "change-email": {
      const undo_link = link(randomUUID(), LATER);
      const account = { ...address(number), former_email: emailOf(number + 1) };
      return [{ type: "EmailChanged", data: { link_id, undo_link, account } }];
    }
    case "undo-email": {
      const two_factor = isEven ? "kept" : "dropped";
      return [
        { type: "EmailChangeUndone", data: { link_id, two_factor, account: address(number) } },
      ];
    }
    case "two-factor-on": {
      const ids = { factor_id: randomUUID(), codes_id: randomUUID() };
      return [{ type: "TwoFactorEnabled", data: { ...ids, method: "totp", recovery_codes: 10 } }];
    }
    case "two-factor-off":
      return [{ type: "TwoFactorDisabled", data: { factor_id: randomUUID() } }];
    case "two-factor-reset":
      return [twoFactorReset([randomUUID()])];
    case "use-code":
      return [
        { type: "RecoveryCodeUsed", data: { codes_id: randomUUID(), code: 1 + (number % 10) } },
      ];
    case "other-codes": {
      const data = { codes_id: randomUUID(), recovery_codes: 1 + (number % 3) };
      return [{ type: "RecoveryCodesReplaced", data }];
    }
    case "ask-for-password": {
      const asked = { link: link(link_id, LATER), delivery: "mail", device: "known" } as const;
      return [{ type: "PasswordResetRequested", data: asked }];
    }
    case "close":
      // Rare, like the end, so that later steps still matter.
      return number % 4 === 0
        ? [
            number % 8 === 0
              ? { type: "AccountClosed", data: { by: "owner", erase_at: LATER } }
              : { type: "AccountClosed", data: { by: "admin" } },
          ]
        : [];
    case "ban": {
      const account = { reason: `Reason ${number}` };
      const data = isEven ? { until: LATER, told: [link_id], account } : { account };
      return [{ type: "AccountBanned", data }];
    }
    case "unban":
      return [{ type: "AccountUnbanned", data: { by: isEven ? "staff" : "end" } }];
    case "reopen":
      return [
        isEven
          ? { type: "AccountReopened", data: { by: "admin", told: [link_id] } }
          : { type: "AccountReopened", data: { by: "owner" } },
      ];
    case "role":
      return [
        { type: "AccountRoleChanged", data: { from: "user", to: isEven ? "auditor" : "user" } },
      ];
    case "new-password":
      return [{ type: "PasswordReset", data: {} }];
    case "end":
      return number % 4 === 0 ? [ending(number)] : [];
    case "sign-in":
      return [];
  }
}

function ending(number: number): UserEvent {
  if (number % 3 === 0) return { type: "AccountErased", data: {} };
  if (number % 3 === 1) return { type: "AccountExpired", data: {} };
  return { type: "AccountReplaced", data: { replaced_by: randomUUID() } };
}
