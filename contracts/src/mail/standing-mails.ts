import type { KindOfMail } from "./kind-of-mail.ts";

/** Mails about what staff decided about an account. */
export const STANDING_MAILS = {
  /** A link to set a password, to somebody whom staff invited. */
  account_invited: {
    owner: "account",
    capADay: 3,
    isAskedFor: false,
    askedBy: { AccountInvited: true },
  },
  account_banned: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountBanned: true },
    page: "/",
  },
  account_unbanned: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountUnbanned: true },
    page: "/login",
  },
  profile_edited: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { ProfileEdited: (_, by) => by === "other" },
    page: "/account-settings",
  },
  role_changed: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountRoleChanged: true },
    page: "/login",
  },
  account_removed: {
    owner: "account",
    capADay: 1,
    isAskedFor: true,
    askedBy: { AccountClosed: ({ by }) => by === "admin" },
    page: "/",
  },
  account_reopened: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountReopened: ({ by }) => by === "admin" },
    page: "/login",
  },
  /** Admins hear of each decision about staff, so that none is made unseen. */
  staff_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: {
      AccountInvited: ({ told }) => told ?? [],
      AccountBanned: ({ told }) => told ?? [],
      AccountUnbanned: ({ told }) => told ?? [],
      AccountRoleChanged: ({ told }) => told ?? [],
      AccountReopened: ({ told }) => told ?? [],
    },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
