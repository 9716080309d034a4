import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import type { WeekFigures } from "#read-model/tables/outbox.ts";

/** An email of the outbox, as far as its text depends on it. */
export interface MailToWrite {
  readonly id: string;
  readonly kind: MailKind;
  /** Id of the report or, depending on the kind, of the account, the inquiry or the notice. */
  readonly ownerId: string;
  readonly revision: number;
  /** When the event happened that asks for it, RFC 3339. */
  readonly at: string;
  /** The two reports of an email about a further report on the same person. */
  readonly reports?: { readonly own: string; readonly further: string };
  readonly figures?: WeekFigures;
  /** The kind whose templates the event is about that asks for it. */
  readonly templateKind?: string;
}

/** An email that is ready to be sent. */
export interface OutgoingMail {
  /** The same each time an email is sent, so that a second copy can be recognized. */
  readonly id: string;
  /** Id of the report or account that the email is about, or whose words it repeats. */
  readonly ownerId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where one click switches such emails off (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Whether answers go to the sender, whatever address is set for them. */
  readonly answersToSender?: true;
  /** Revision of the report's stream that it was written from; absent for others. */
  readonly revision?: number;
}
