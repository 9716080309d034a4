import type { OutgoingMail } from "#mail-templates/writing/outgoing-mail.ts";

/**
 * The header fields that say no person wrote this (RFC 3834), so that no vacation notice answers; and those of
 * RFC 2369 and RFC 8058, for emails that can be turned off.
 */
export function headersOf({ unsubscribeUrl: url }: OutgoingMail): Record<string, string> {
  const automatic = { "Auto-Submitted": "auto-generated" };
  if (url === undefined) return automatic;
  return {
    ...automatic,
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/**
 * The `Message-ID` (RFC 5322), in the sender's domain.
 * @param from an address, or a name with an address in angle brackets.
 */
export function messageIdOf({ id }: OutgoingMail, from: string): string {
  const domain = from.slice(from.lastIndexOf("@") + 1).replace(/[>\s].*$/s, "");
  return `<${id}@${domain}>`;
}

/** Port: hands mails over for delivery. */
export interface MailTransport {
  /** Whether the other side may be unreachable for a while, so that mails wait until it is back. */
  readonly isRemote: boolean;
  /**
   * Resolves when the other side has accepted the mail.
   * @throws {MailRefused} when it will never accept this mail.
   * @throws {MailUnanswered} when it may have accepted the mail. Any other error means that it did
   *   not, but may later.
   */
  send(mail: OutgoingMail): Promise<void>;
  /**
   * Removes stored emails about a report or an account.
   * @param until only those that were written from this revision of the report, or an earlier one.
   */
  forget(ownerId: string, until?: number): Promise<void>;
  /** Removes unfinished files that killed mailers left behind. */
  sweep(): Promise<void>;
  /** @throws when mails cannot be sent right now. */
  check(): Promise<void>;
  /** Aborts the mails that are in flight. */
  close(): Promise<void>;
}

/** The other side refused this mail for good. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The other side may or may not have accepted this mail. */
export class MailUnanswered extends Error {
  override readonly name = "MailUnanswered";
}
