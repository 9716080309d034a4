import type { RegistryEvent } from "../events/index.ts";
import type { Notifications } from "../events/user/account-state.ts";

type EventOfType<T extends RegistryEvent["type"]> = Extract<RegistryEvent, { readonly type: T }>;

/** Who did it: the account that the event is about, or somebody else. */
export type DoneBy = "owner" | "other";

/**
 * Events that ask for a mail: all of a type, or those whose clear fields, or who did it, say so. Fields
 * may name other accounts that get it.
 */
type AskedBy = {
  readonly [T in RegistryEvent["type"]]?:
    | true
    | ((data: EventOfType<T>["data"], by: DoneBy) => boolean | readonly string[]);
};

/** A mail that an event asks for. */
export interface AskedMail {
  readonly kind: MailKind;
  /** The account that gets it. Absent: the report or account that the event is about. */
  readonly account?: string;
}

export interface KindOfMail {
  /** Whose history tells where the mail goes. An event of a session asks for its account. */
  readonly owner: "report" | "account" | "inquiry" | "notice";
  /**
   * How many unrequested mails of this kind an address gets in 24 hours. Links that were requested
   * again are counted separately, under the same cap.
   */
  readonly capADay: number;
  /** Whether the recipient asked for it. If so, and the address is confirmed, no cap applies. */
  readonly isAskedFor: boolean;
  readonly askedBy: AskedBy;
  /** The setting that switches it off. Mails without one are always sent. */
  readonly setting?: keyof Notifications;
  /** Whether it goes to the registry's own desk, whatever address was typed. */
  readonly isForDesk?: true;
  /** The page of the site that a mail about an account leads to, when it has no link of its own. */
  readonly page?: `/${string}`;
}

/** Unrequested mails of all kinds that an address gets in 24 hours, not counting resent links. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Mails of one kind that a desk of the registry gets one by one in an hour. What arrives beyond comes
 * in one mail an hour later.
 */
export const DESK_MAILS_AN_HOUR = 20;

/** A desk of the registry. */
export type Desk = "sales" | "support";

/**
 * Every kind of mail. A reporter who confirmed the address asked to be told the decision. A link
 * that confirms an address goes only to addresses that are not the account's yet. A sign-in link has to
 * reach the account's owner however many mails strangers caused; the command side requests at most
 * five a day that are not opened, and none for an address that is not confirmed. Only the owner, or
 * whoever has the password, causes mails about a new password, device or second factor. Links for a
 * new password have their own cap.
 */
const kinds = {
  /** A link that confirms the reporter's address. */
  verification: {
    owner: "report",
    capADay: 8,
    isAskedFor: false,
    askedBy: {
      ReportSubmitted: ({ link }) => link !== undefined,
      ReportVerificationResent: ({ link }) => link !== undefined,
      ReporterAddressCorrected: true,
    },
  },
  /** A moderator's question, with the link that takes the answer. The report waits for it. */
  question: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ReporterAsked: true },
  },
  // The reporter is told about a new status.
  approved: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ReportApproved: ({ from }) => from !== "approved" },
    setting: "decisions",
  },
  rejected: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ReportRejected: ({ from }) => from !== "rejected" },
    setting: "decisions",
  },
  under_review: {
    owner: "report",
    capADay: 3,
    isAskedFor: false,
    askedBy: { ReportStatusSet: ({ from, to }) => to === "under_review" && from !== to },
    setting: "decisions",
  },
  pending: {
    owner: "report",
    capADay: 3,
    isAskedFor: false,
    askedBy: { ReportStatusSet: ({ from, to }) => to === "pending" && from !== to },
    setting: "decisions",
  },
  // A report's owner is told what becomes of the request for the RESOLVED banner.
  letter_accepted: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ResolutionLetterAccepted: true },
    setting: "decisions",
  },
  letter_refused: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ResolutionLetterRefused: true },
    setting: "decisions",
  },
  resolved: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { ReportResolved: true },
    setting: "decisions",
  },
  payment_refunded: {
    owner: "report",
    capADay: 5,
    isAskedFor: true,
    askedBy: { PaymentRefunded: true },
    setting: "decisions",
  },
  /** The registry's desk hears of each request. */
  resolution_for_desk: {
    owner: "report",
    capADay: 0,
    isAskedFor: true,
    askedBy: { ResolutionRequested: true },
    isForDesk: true,
  },
  /** Admins hear of each payment that one of them notes or refunds. */
  payment_told: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: {
      PaymentAccepted: ({ told }) => told ?? [],
      PaymentRefunded: ({ told }) => told ?? [],
    },
    page: "/admin/audit-logs",
  },
  /** A link that makes a browser known to an account. */
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
  /** Admins hear of it, so that none does it unseen. */
  two_factor_reset_told: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TwoFactorReset: ({ told }) => told ?? [] },
    page: "/admin/audit-logs",
  },
  /** An admin asked to switch the second factor of an admin off: to that admin, and to the others. */
  two_factor_reset_requested: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { TwoFactorResetRequested: true },
    page: "/admin/second-factors",
  },
  two_factor_reset_requested_told: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TwoFactorResetRequested: ({ told }) => told ?? [] },
    page: "/admin/second-factors",
  },
  two_factor_reset_objected: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    askedBy: { TwoFactorResetObjected: ({ told }) => told ?? [] },
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
    capADay: 1,
    isAskedFor: true,
    askedBy: { AccountClosed: ({ by }) => by === "owner" },
    page: "/",
  },
  /** To the oldest former address that can still undo a change; to nobody where none can. */
  account_deleted_undo: {
    owner: "account",
    capADay: 3,
    isAskedFor: true,
    askedBy: { AccountClosed: ({ by }) => by === "owner" },
  },
  // What staff decided about an account.
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
    },
    page: "/admin/audit-logs",
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
  // No event asks for these two: the projector adds them once its tables tell whom they concern.
  /** Another report on a person that the account reported was approved. */
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
  /** A link that confirms another address, to that address. */
  email_change: {
    owner: "account",
    capADay: 3,
    isAskedFor: false,
    askedBy: { EmailChangeRequested: true },
  },
  /** To the present address. */
  email_change_warning: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { EmailChangeRequested: true },
    page: "/forgot-password",
  },
  /** To the former address, with a link that undoes the change. */
  email_changed: {
    owner: "account",
    capADay: 10,
    isAskedFor: true,
    askedBy: { EmailChanged: true },
  },
  // Anybody can type an address into a form.
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
} satisfies Readonly<Record<string, KindOfMail>>;

export type MailKind = keyof typeof kinds;
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = kinds;

/** Kinds that go to the registry's own desks. */
export const DESK_KINDS: readonly MailKind[] = (Object.keys(kinds) as MailKind[]).filter(
  (kind) => mailKinds[kind].isForDesk,
);

type Asks = (data: never, by: DoneBy) => boolean | readonly string[];

/** For each type of event the kinds that it may ask for. */
const askers = new Map<string, [MailKind, Asks][]>();
for (const kind of Object.keys(kinds) as MailKind[])
  for (const [type, asks] of Object.entries<true | Asks>(mailKinds[kind].askedBy)) {
    const row: [MailKind, Asks] = [kind, asks === true ? () => true : asks];
    askers.set(type, [...(askers.get(type) ?? []), row]);
  }

/** The mails that an event asks for, in the order of the table. */
export function mailsAskedBy(event: RegistryEvent, by: DoneBy): readonly AskedMail[] {
  return (askers.get(event.type) ?? []).flatMap(([kind, asks]) => {
    const asked = asks(event.data as never, by);
    if (typeof asked !== "boolean") return asked.map((account) => ({ kind, account }));
    return asked ? [{ kind }] : [];
  });
}
