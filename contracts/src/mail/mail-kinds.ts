import type { RegistryEvent } from "../events/index.ts";
import { DECISION_MAIL_WAITS_MS } from "../report/reporter-rules.ts";
import {
  ACCOUNT_MAILS,
  ACCOUNT_STATUS_MAILS,
  INQUIRY_MAILS,
  SETTINGS_MAILS,
  TEMPLATE_MAILS,
} from "./account-mails.ts";
import { type DoneBy, type KindOfMail, TO_ADMINS, TO_REPORTER, told } from "./kind-of-mail.ts";

/** Whether a decision is worth an email: a new one, or one in force again that was never emailed. */
export function isNews({ undoes }: { readonly undoes?: { readonly untold?: true } }): boolean {
  return !undoes || undoes.untold === true;
}

/**
 * Emails triggered by events of a report. A reporter who confirmed the address has asked to be notified of
 * decisions.
 */
const REPORT_MAILS = {
  /** A link that confirms the reporter's address. */
  verification: {
    owner: "report",
    capADay: 8,
    isRequested: false,
    on: {
      ReportSubmitted: ({ link }) => link !== undefined,
      ReportVerificationResent: ({ link }) => link !== undefined,
      ReporterAddressCorrected: true,
    },
  },
  /** A moderator's question, with the link to answer it. The report is on hold until then. */
  question: { ...TO_REPORTER, on: { ReporterAsked: true } },
  // Reporters are notified of a new status, but not of a decision that was undone right away.
  approved: {
    ...TO_REPORTER,
    on: { ReportApproved: (data) => data.from !== "approved" && isNews(data) },
    delayMs: DECISION_MAIL_WAITS_MS,
    setting: "decisions",
  },
  rejected: {
    ...TO_REPORTER,
    on: { ReportRejected: (data) => data.from !== "rejected" && isNews(data) },
    delayMs: DECISION_MAIL_WAITS_MS,
    setting: "decisions",
  },
  under_review: {
    owner: "report",
    capADay: 3,
    isRequested: false,
    on: {
      ReportStatusSet: (data) =>
        data.to === "under_review" && data.from !== data.to && isNews(data),
    },
    delayMs: DECISION_MAIL_WAITS_MS,
    setting: "decisions",
  },
  pending: {
    owner: "report",
    capADay: 3,
    isRequested: false,
    on: {
      ReportStatusSet: (data) => data.to === "pending" && data.from !== data.to && isNews(data),
    },
    delayMs: DECISION_MAIL_WAITS_MS,
    setting: "decisions",
  },
  // Reporters are notified of the effects of a copyright notice, regardless of settings.
  taken_down: { ...TO_REPORTER, on: { ReportTakenDown: true } },
  put_back: { ...TO_REPORTER, on: { ReportPutBack: ({ to }) => to === "approved" } },
  evidence_withheld: { ...TO_REPORTER, on: { EvidenceWithheld: true } },
  evidence_released: { ...TO_REPORTER, on: { EvidenceReleased: true } },
  // The consequences for the reporter. A banned account gets a separate email.
  infringer_warned: {
    ...TO_REPORTER,
    on: {
      ReporterWarned: ({ step, counted_before }) =>
        step === "warning" && counted_before === undefined,
    },
  },
  infringer_suspended: {
    ...TO_REPORTER,
    on: {
      ReporterWarned: ({ step, account_id, counted_before }) =>
        step !== "warning" && account_id === undefined && counted_before === undefined,
    },
  },
  /** Sent instead of a link, to a suspended address. */
  submission_held_back: {
    owner: "report",
    capADay: 1,
    isRequested: false,
    on: { SubmissionHeldBack: true },
  },
  // A report's owner is notified of the progress of the request for the RESOLVED banner.
  letter_accepted: { ...TO_REPORTER, on: { ResolutionLetterAccepted: true }, setting: "decisions" },
  letter_refused: { ...TO_REPORTER, on: { ResolutionLetterRefused: true }, setting: "decisions" },
  resolved: { ...TO_REPORTER, on: { ReportResolved: true }, setting: "decisions" },
  payment_refunded: { ...TO_REPORTER, on: { PaymentRefunded: true }, setting: "decisions" },
  /** The support inbox is notified of each request. */
  resolution_for_inbox: {
    owner: "report",
    capADay: 0,
    isRequested: true,
    on: { ResolutionRequested: true },
    isForInbox: true,
  },
  /** All admins are notified of each payment that one of them records or refunds. */
  payment_told: {
    ...TO_ADMINS,
    on: {
      PaymentAccepted: told,
      PaymentRefunded: told,
    },
    page: "/admin/audit-logs",
  },
  /** All admins are notified of money that matches no fee, so that one of them refunds it. */
  payment_unmatched: { ...TO_ADMINS, on: { PaymentUnmatched: told }, page: "/admin/audit-logs" },
} satisfies Readonly<Record<string, KindOfMail>>;

/** An email that an event triggers. */
export interface TriggeredMail {
  readonly kind: MailKind;
  /** The account that gets it. Absent: the report or account that the event is about. */
  readonly account?: string;
}

/** Maximum number of unrequested emails of all kinds to an address in 24 hours, not counting resent links. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Maximum number of emails of one kind that an inbox of the registry gets individually in an hour. The rest are
 * combined into one email an hour later.
 */
export const INBOX_MAILS_PER_HOUR = 20;

/** An inbox of the registry. */
export type Inbox = "sales" | "support";

const kinds = {
  ...REPORT_MAILS,
  ...ACCOUNT_MAILS,
  ...ACCOUNT_STATUS_MAILS,
  ...INQUIRY_MAILS,
  ...TEMPLATE_MAILS,
  ...SETTINGS_MAILS,
};

export type MailKind = keyof typeof kinds;
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = kinds;

/** Kinds that go to the registry's own inboxes. */
export const INBOX_MAIL_KINDS: readonly MailKind[] = (Object.keys(kinds) as MailKind[]).filter(
  (kind) => mailKinds[kind].isForInbox,
);

type Asks = (data: never, by: DoneBy) => boolean | readonly string[];

/** The kinds that each type of event may trigger. */
const askers = new Map<string, [MailKind, Asks][]>();
for (const kind of Object.keys(kinds) as MailKind[])
  for (const [type, asks] of Object.entries<true | Asks>(mailKinds[kind].on)) {
    const row: [MailKind, Asks] = [kind, asks === true ? () => true : asks];
    askers.set(type, [...(askers.get(type) ?? []), row]);
  }

/** Returns the emails that an event triggers, in the order of the table. */
export function mailsTriggeredBy(event: RegistryEvent, by: DoneBy): readonly TriggeredMail[] {
  return (askers.get(event.type) ?? []).flatMap(([kind, asks]) => {
    const asked = asks(event.data as never, by);
    if (typeof asked !== "boolean") return asked.map((account) => ({ kind, account }));
    return asked ? [{ kind }] : [];
  });
}
