/** A mail that is ready to go. */
export interface OutgoingMail {
  /** Fixed for each mail, so that sending it again is no second mail. */
  readonly id: string;
  /** The report or account that it is about. */
  readonly ownerId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Port: hands mails over to whatever delivers them. */
export interface MailTransport {
  /** What is out of reach now may come back: mails wait for it. */
  readonly isRemote: boolean;
  /**
   * Resolves when the mail was taken over.
   * @throws {MailRefused} it will never be taken. {MailUnanswered} it may have been taken. Any
   * other error: it was not, and may be later.
   */
  send(mail: OutgoingMail): Promise<void>;
  /** Removes what is kept of the mails about a report or an account. */
  forget(ownerId: string): Promise<void>;
  /** Removes what mailers that were killed left unfinished. */
  sweep(): Promise<void>;
  /** @throws when mails cannot be sent right now. */
  check(): Promise<void>;
  /** Gives up what is on its way. */
  close(): Promise<void>;
}

/** The other side refused this mail for good. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** Nobody knows whether the other side took this mail. */
export class MailUnanswered extends Error {
  override readonly name = "MailUnanswered";
}
