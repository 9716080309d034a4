import { type KindOfMail, TO_ACCOUNT, TO_ADMINS, TO_SENDER, told } from "./kind-of-mail.ts";

/**
 * Emails to an account about itself. A link that confirms an address goes only to addresses that are not the
 * account's yet. A sign-in link has to reach the account's owner regardless of how many emails strangers
 * triggered; the command side requests at most five a day that are not opened, and none for an unconfirmed
 * address. Only the owner, or anyone who has the password, triggers emails about a new password, device or second
 * factor. Links for a new password have their own cap.
 */
export const ACCOUNT_MAILS = {
  /** A link that makes an account recognize a browser. */
  sign_in_link: { ...TO_ACCOUNT, capADay: 5, on: { DeviceConfirmationRequested: true } },
  account_confirmation: {
    owner: "account",
    capADay: 8,
    isRequested: false,
    on: { AccountRegistered: true, EmailConfirmationRequested: true },
  },
  registration_attempted: {
    owner: "account",
    capADay: 1,
    isRequested: false,
    on: { RegistrationAttempted: true },
    page: "/login",
  },
  password_reset: {
    owner: "account",
    capADay: 10,
    isRequested: false,
    on: { PasswordResetRequested: ({ delivery }) => delivery === "mail" },
  },
  password_changed: { ...TO_ACCOUNT, on: { PasswordChanged: true }, page: "/forgot-password" },
  two_factor_on: { ...TO_ACCOUNT, on: { TwoFactorEnabled: true }, page: "/forgot-password" },
  two_factor_off: { ...TO_ACCOUNT, on: { TwoFactorDisabled: true }, page: "/forgot-password" },
  two_factor_reset: { ...TO_ACCOUNT, on: { TwoFactorReset: true }, page: "/forgot-password" },
  /** All admins are notified, so that no one does this unnoticed. */
  two_factor_reset_told: { ...TO_ADMINS, on: { TwoFactorReset: told }, page: "/admin/audit-logs" },
  recovery_codes_replaced: {
    ...TO_ACCOUNT,
    on: { RecoveryCodesReplaced: true },
    page: "/forgot-password",
  },
  recovery_code_used: { ...TO_ACCOUNT, on: { RecoveryCodeUsed: true }, page: "/forgot-password" },
  account_deleted: {
    ...TO_ACCOUNT,
    on: { AccountClosed: ({ by }) => by === "owner" },
    page: "/login",
  },
  /** Its owner signed in before it was erased. */
  account_kept: {
    ...TO_ACCOUNT,
    on: { AccountReopened: ({ by }) => by === "owner" },
    page: "/forgot-password",
  },
  /** To the oldest previous address that can still undo a change, if there is one. */
  account_deleted_undo: {
    ...TO_ACCOUNT,
    capADay: 3,
    on: { AccountClosed: ({ by }) => by === "owner" },
  },
  new_device: {
    ...TO_ACCOUNT,
    on: {
      SessionStarted: ({ device, method }) => device === "new" && method !== "registration",
    },
    page: "/account-settings",
  },
  // No event triggers these two: the projector adds them once its tables show who is concerned.
  /** Another report about a person that the account reported was approved. */
  same_person: { ...TO_ACCOUNT, on: {}, setting: "same_person", page: "/dashboard" },
  weekly_summary: {
    ...TO_ACCOUNT,
    capADay: 1,
    on: {},
    setting: "weekly_summary",
    page: "/dashboard",
  },
  /** A link that confirms a new address, to that address. */
  email_change: {
    owner: "account",
    capADay: 3,
    isRequested: false,
    on: { EmailChangeRequested: true },
  },
  /** To the current address. */
  email_change_warning: {
    ...TO_ACCOUNT,
    on: { EmailChangeRequested: true },
    page: "/forgot-password",
  },
  /** To the previous address, with a link that undoes the change. */
  email_changed: { ...TO_ACCOUNT, on: { EmailChanged: true } },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails that warn admins about what an account did. They have no templates. */
export const SETTINGS_MAILS = {
  /** All admins are notified of changes to access and retention, so that none goes unnoticed. */
  settings_changed: {
    ...TO_ADMINS,
    repliesToOperator: true,
    on: { SettingsChanged: told },
    page: "/admin/settings",
  },
  /**
   * All admins are notified of a deletion that needs a second admin, because its sender has deleted many reports
   * within the hour.
   */
  deletion_waits: {
    ...TO_ADMINS,
    repliesToOperator: true,
    on: { ReportDeletionRequested: told },
    page: "/admin/reports/deleted",
  },
  /** All admins are notified of accounts that may be guessing the addresses and numbers behind masks. */
  contacts_found: {
    ...TO_ADMINS,
    repliesToOperator: true,
    on: { ContactAlarmRaised: told },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails about staff decisions on an account. */
export const ACCOUNT_STATUS_MAILS = {
  /** A link to set a password, to a person invited by staff. */
  account_invited: {
    owner: "account",
    capADay: 3,
    isRequested: false,
    on: { AccountInvited: true },
  },
  account_banned: { ...TO_ACCOUNT, on: { AccountBanned: true }, page: "/" },
  account_unbanned: { ...TO_ACCOUNT, on: { AccountUnbanned: true }, page: "/login" },
  profile_edited: {
    ...TO_ACCOUNT,
    on: { ProfileEdited: (_, by) => by === "other" },
    page: "/account-settings",
  },
  role_changed: { ...TO_ACCOUNT, on: { AccountRoleChanged: true }, page: "/login" },
  account_removed: {
    ...TO_ACCOUNT,
    capADay: 1,
    on: { AccountClosed: ({ by }) => by === "admin" },
    page: "/",
  },
  account_reopened: {
    ...TO_ACCOUNT,
    on: { AccountReopened: ({ by }) => by === "admin" },
    page: "/login",
  },
  /** All admins are notified of decisions about staff, so that none goes unnoticed. */
  staff_changed: {
    ...TO_ADMINS,
    on: {
      AccountInvited: told,
      AccountBanned: told,
      AccountUnbanned: told,
      AccountRoleChanged: told,
      AccountReopened: told,
    },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails about a submitted form. Anyone can type any address into it. */
export const INQUIRY_MAILS = {
  inquiry_received: {
    owner: "inquiry",
    capADay: 3,
    isRequested: false,
    on: { InquiryReceived: true },
  },
  /** No cap applies, because staff wrote to this address themselves. */
  inquiry_answered: {
    owner: "inquiry",
    capADay: 0,
    isRequested: true,
    on: { InquiryAnswered: true },
  },
  inquiry_for_inbox: {
    owner: "inquiry",
    capADay: 0,
    isRequested: true,
    on: { InquiryReceived: true },
    isForInbox: true,
  },
  notice_received: { ...TO_SENDER, on: { NoticeReceived: true } },
  notice_for_inbox: {
    owner: "notice",
    capADay: 0,
    isRequested: true,
    on: { NoticeReceived: true },
    isForInbox: true,
  },
  // Senders of notices and counter-notices are notified of decisions.
  notice_refused: { ...TO_SENDER, on: { NoticeRefused: true } },
  notice_granted: {
    ...TO_SENDER,
    on: { NoticeGranted: ({ outcome }) => outcome === "taken_down" },
  },
  notice_countered: { ...TO_SENDER, on: { NoticeCountered: true } },
  notice_lifted: { ...TO_SENDER, on: { NoticeLifted: true } },
  counter_notice_passed_on: { ...TO_SENDER, on: { CounterNoticeLinked: true } },
  counter_notice_granted: {
    ...TO_SENDER,
    on: { NoticeGranted: ({ outcome }) => outcome === "restored" },
  },
} satisfies Readonly<Record<string, KindOfMail>>;

/** Emails to admins about email templates. They have no templates themselves. */
export const TEMPLATE_MAILS = {
  /** All admins are notified of changes to emails, so that none goes unnoticed. */
  template_changed: {
    ...TO_ADMINS,
    on: {
      TemplateEdited: told,
      TemplateRestored: told,
      TemplateActivated: told,
      TemplateDeactivated: told,
    },
    page: "/admin/audit-logs",
  },
  /** A template with sample data, to the admin who requested it. */
  template_test: {
    ...TO_ADMINS,
    on: { TemplateTested: ({ to }) => [to] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
