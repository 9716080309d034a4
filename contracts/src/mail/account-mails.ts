import type { KindOfMail } from "./kind-of-mail.ts";

/**
 * Emails to an account about itself. A link that confirms an address goes only to addresses that are not the
 * account's yet. A sign-in link has to reach the account's owner regardless of how many emails strangers
 * triggered; the command side requests at most five a day that are not opened, and none for an unconfirmed
 * address. Only the owner, or anyone who has the password, triggers emails about a new password, device or second
 * factor. Links for a new password have their own cap.
 */
export const ACCOUNT_MAILS = {
  /** A link that makes an account recognize a browser. */
  sign_in_link: {
    owner: "account",
    capADay: 5,
    isAskedFor: true,
    askedBy: { DeviceConfirmationRequested: true },
  },
  account_confirmation: {
    owner: "account",
    capADay: 8,
    isAskedFor: false,
    askedBy: { AccountRegistered: true, EmailConfirmationRequested: true },
  },
  registration_attempted: {
    owner: "account",
    capADay: 1,
    isAskedFor: false,
    askedBy: { RegistrationAttempted: true },
    page: "/login",
  },
  password_reset: {
    owner: "account",
    capADay: 10,
    isAskedFor: false,
    askedBy: { PasswordResetRequested: ({ delivery }) => delivery === "mail" },
  },
  password_changed: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { PasswordChanged: true },
    page: "/forgot-password",
  },
  two_factor_on: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { TwoFactorEnabled: true },
    page: "/forgot-password",
  },
  two_factor_off: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { TwoFactorDisabled: true },
    page: "/forgot-password",
  },
  two_factor_reset: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { TwoFactorReset: true },
    page: "/forgot-password",
  },
  /** All admins are notified, so that no one does this unnoticed. */
  two_factor_reset_told: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TwoFactorReset: ({ told }) => told ?? [] },
    page: "/admin/audit-logs",
  },
  recovery_codes_replaced: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { RecoveryCodesReplaced: true },
    page: "/forgot-password",
  },
  recovery_code_used: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { RecoveryCodeUsed: true },
    page: "/forgot-password",
  },
  account_deleted: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountClosed: ({ by }) => by === "owner" },
    page: "/login",
  },
  /** Its owner signed in before it was erased. */
  account_kept: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { AccountReopened: ({ by }) => by === "owner" },
    page: "/forgot-password",
  },
  /** To the oldest previous address that can still undo a change, if there is one. */
  account_deleted_undo: {
    owner: "account",
    capADay: 3,
    isAskedFor: true,
    askedBy: { AccountClosed: ({ by }) => by === "owner" },
  },
  new_device: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: {
      SessionStarted: ({ device, method }) => device === "new" && method !== "registration",
    },
    page: "/account-settings",
  },
  // No event triggers these two: the projector adds them once its tables show who is concerned.
  /** Another report about a person that the account reported was approved. */
  same_person: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: {},
    setting: "same_person",
    page: "/dashboard",
  },
  weekly_summary: {
    owner: "account",
    capADay: 1,
    isAskedFor: true,
    askedBy: {},
    setting: "weekly_summary",
    page: "/dashboard",
  },
  /** A link that confirms a new address, to that address. */
  email_change: {
    owner: "account",
    capADay: 3,
    isAskedFor: false,
    askedBy: { EmailChangeRequested: true },
  },
  /** To the current address. */
  email_change_warning: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { EmailChangeRequested: true },
    page: "/forgot-password",
  },
  /** To the previous address, with a link that undoes the change. */
  email_changed: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { EmailChanged: true },
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails that warn admins about what an account did. They have no templates. */
export const SETTINGS_MAILS = {
  /** All admins are notified of changes to access and retention, so that none goes unnoticed. */
  settings_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { SettingsChanged: ({ told }) => told ?? [] },
    page: "/admin/settings",
  },
  /**
   * All admins are notified of a deletion that needs a second admin, because its sender has deleted many reports
   * within the hour.
   */
  deletion_waits: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { ReportDeletionRequested: ({ told }) => told ?? [] },
    page: "/admin/reports/deleted",
  },
  /** All admins are notified of accounts that may be guessing the addresses and numbers behind masks. */
  contacts_found: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { ContactAlarmRaised: ({ told }) => told ?? [] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails about staff decisions on an account. */
export const ACCOUNT_STATUS_MAILS = {
  /** A link to set a password, to a person invited by staff. */
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
  /** All admins are notified of decisions about staff, so that none goes unnoticed. */
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

/** Emails about a submitted form. Anyone can type any address into it. */
export const INQUIRY_MAILS = {
  inquiry_received: {
    owner: "inquiry",
    capADay: 3,
    isAskedFor: false,
    askedBy: { InquiryReceived: true },
  },
  /** No cap applies, because staff wrote to this address themselves. */
  inquiry_answered: {
    owner: "inquiry",
    capADay: 0,
    isAskedFor: true,
    askedBy: { InquiryAnswered: true },
  },
  inquiry_for_desk: {
    owner: "inquiry",
    capADay: 0,
    isAskedFor: true,
    askedBy: { InquiryReceived: true },
    isForInbox: true,
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
    isForInbox: true,
  },
  // Senders of notices and counter-notices are notified of decisions.
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

/** Emails to admins about email templates. They have no templates themselves. */
export const TEMPLATE_MAILS = {
  /** All admins are notified of changes to emails, so that none goes unnoticed. */
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
  /** A template with sample data, to the admin who requested it. */
  template_test: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TemplateTested: ({ to }) => [to] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
