/** What the outbox says of a mail. */
export interface OutboxMail {
  readonly kind: string;
  /** Whether it was given up after its last attempt. */
  readonly isFailed: boolean;
  /** Whether it was asked for by the log before a restore, whose events may be others by now. */
  readonly isOfEarlierLog: boolean;
}

/** An admin has a mail sent again. */
export interface ResendMail {
  readonly type: "ResendMail";
  /** Of its row in the outbox. */
  readonly mailId: string;
}

/** The same, with what the outbox says of it; undefined where it has no such mail. */
export type PreparedResendMail = ResendMail & { readonly mail: OutboxMail | undefined };
