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

/** Mails about a form that somebody sent. Anybody can type an address into it. */
export const INQUIRY_MAILS = {
  inquiry_received: {
    owner: "inquiry",
    capADay: 3,
    isAskedFor: false,
    askedBy: { InquiryReceived: true },
  },
  inquiry_for_desk: {
    owner: "inquiry",
    capADay: 0,
    isAskedFor: true,
    askedBy: { InquiryReceived: true },
    isForDesk: true,
  },
  notice_received: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeReceived: true },
  },
  notice_for_desk: {
    owner: "notice",
    capADay: 0,
    isAskedFor: true,
    askedBy: { NoticeReceived: true },
    isForDesk: true,
  },
  // Senders of notices and counter-notices are told what was decided.
  notice_refused: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeRefused: true },
  },
  notice_granted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeGranted: ({ outcome }) => outcome === "taken_down" },
  },
  notice_countered: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeCountered: true },
  },
  notice_lifted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeLifted: true },
  },
  counter_notice_passed_on: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { CounterNoticeLinked: true },
  },
  counter_notice_granted: {
    owner: "notice",
    capADay: 3,
    isAskedFor: false,
    askedBy: { NoticeGranted: ({ outcome }) => outcome === "restored" },
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Mails about the templates of mails, to admins. No template changes their words. */
export const TEMPLATE_MAILS = {
  /** Admins hear of each change of what is mailed, so that none is made unseen. */
  template_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: {
      TemplateEdited: ({ told }) => told ?? [],
      TemplateRestored: ({ told }) => told ?? [],
      TemplateActivated: ({ told }) => told ?? [],
      TemplateDeactivated: ({ told }) => told ?? [],
    },
    page: "/admin/audit-logs",
  },
  /** A template on sample data, to the admin who asked for it. */
  template_test: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TemplateTested: ({ to }) => [to] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
