/** A mail that is ready to be sent. */
export interface OutgoingMail {
  /** The same each time a mail is sent, so that a second copy can be recognised. */
  readonly id: string;
  /** Id of the report or account that the mail is about. */
  readonly ownerId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where one click switches such mails off (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Whether answers go to the sender, whatever address is set for them. */
  readonly answersToSender?: true;
}

/** The header fields of RFC 2369 and RFC 8058, for mails that can be switched off. */
export function unsubscribeHeaders({ unsubscribeUrl: url }: OutgoingMail): Record<string, string> {
  if (url === undefined) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
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
  /** Removes stored mails about a report or an account. */
  forget(ownerId: string): Promise<void>;
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
