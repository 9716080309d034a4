import type { OutgoingMail } from "#mail-templates/writing/outgoing-mail.ts";

/**
 * The message that carries an email, with a `Message-ID` (RFC 5322) in the sender's domain.
 * @param from an address, perhaps with a name.
 * @param replyTo returns the address for replies, if any.
 */
export function messageOf(mail: OutgoingMail, from: string, replyTo: () => string | undefined) {
  const { id, to, subject, text, html, answersToSender } = mail;
  const domain = from.slice(from.lastIndexOf("@") + 1).replace(/[>\s].*$/s, "");
  return {
    from,
    replyTo: answersToSender ? undefined : replyTo(),
    to,
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: headersOf(mail),
  };
}

/** Headers that mark an email as automatic (RFC 3834) and, if it can be turned off, say how (RFC 2369, 8058). */
function headersOf({ unsubscribeUrl: url }: OutgoingMail): Record<string, string> {
  const automatic = { "Auto-Submitted": "auto-generated" };
  if (url === undefined) return automatic;
  return {
    ...automatic,
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Port: hands emails over for delivery. */
export interface MailTransport {
  /** Whether the other side may be unreachable for a while, so that emails wait until it is back. */
  readonly isRemote: boolean;
  /**
   * Sends it. @throws {MailRefused} permanently. @throws {MailUnanswered} perhaps accepted. Other errors are
   * temporary.
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Removes an owner's stored emails. @param until only those written from this revision of a report, or earlier. */
  forget(ownerId: string, until?: number): Promise<void>;
  /** Removes unfinished files that killed mailers left behind. */
  sweep(): Promise<void>;
  /** @throws when emails cannot be sent right now. */
  check(): Promise<void>;
  /** Aborts the emails that are in flight. */
  close(): Promise<void>;
}

/** The other side permanently refused this email. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The other side may or may not have accepted this email. */
export class MailUnanswered extends Error {
  override readonly name = "MailUnanswered";
}
