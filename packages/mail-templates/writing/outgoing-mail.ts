import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import type { WeekStats } from "#read-model/tables/outbox.ts";

/** The fields of an outbox email that its text depends on. */
export interface MailToWrite {
  readonly id: string;
  readonly kind: MailKind;
  /** ID of the report or, depending on the kind, the account, inquiry or notice. */
  readonly ownerId: string;
  readonly revision: number;
  /** When the triggering event happened (RFC 3339). */
  readonly at: string;
  /** For an email about another report on the same person: both reports. */
  readonly reports?: { readonly own: string; readonly further: string };
  readonly figures?: WeekStats;
  /** For an event about templates: the kind whose templates changed. */
  readonly templateKind?: string;
}

/** An email that is ready to be sent. */
export interface OutgoingMail {
  /** Stable across resends, so that a duplicate can be recognized. */
  readonly id: string;
  /** ID of the report or account that the email is about, or whose text it quotes. */
  readonly ownerId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** One-click unsubscribe URL (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Whether replies go to the sender, regardless of the configured reply address. */
  readonly answersToSender?: true;
  /** Revision of the report's stream that the email was written from; absent if it's not about a report. */
  readonly revision?: number;
}
