import type { KindOfMail } from "./kind-of-mail.ts";

/** Emails that warn admins of what an account did. No template changes their words. */
export const SETTINGS_MAILS = {
  /** Admins hear of each change of who gets in and what is kept, so that none is made unseen. */
  settings_changed: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { SettingsChanged: ({ told }) => told ?? [] },
    page: "/admin/settings",
  },
  /** Admins hear of a deletion that waits for one of them: its sender has deleted many reports within the hour. */
  deletion_waits: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { ReportDeletionRequested: ({ told }) => told ?? [] },
    page: "/admin/reports/deleted",
  },
  /** Admins hear of accounts that may be guessing the addresses and numbers that masks hide. */
  contacts_found: {
    owner: "account",
    capADay: 100,
    isAskedFor: true,
    answersToOperator: true,
    askedBy: { ContactAlarmRaised: ({ told }) => told ?? [] },
    page: "/admin/audit-logs",
  },
} satisfies Readonly<Record<string, KindOfMail>>;
