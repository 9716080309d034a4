import { DomainError } from "#contracts/domain-error.ts";
import type { MailEvent } from "#contracts/events/index.ts";
import { MOST_RESENDS } from "#contracts/http/admin-mails.ts";

/** What the outbox says of an email. */
export interface OutboxMail {
  readonly kind: string;
  /** Whether it was given up after its last attempt. */
  readonly isFailed: boolean;
  /** Whether it was asked for by the log before a restore, whose events may be others by now. */
  readonly isOfEarlierLog: boolean;
}

/** An admin has an email sent again. */
export interface ResendMail {
  readonly type: "ResendMail";
  /** Of its row in the outbox. */
  readonly mailId: string;
}

/** The same, with what the outbox says of it; undefined where it has no such email. */
export type PreparedResendMail = ResendMail & { readonly mail: OutboxMail | undefined };

/** Only an email that was given up is sent again. @param resends how often it was before. */
export function decideResend(
  resends: number | undefined,
  { mailId, mail }: PreparedResendMail,
): readonly MailEvent[] {
  if (!mail) throw new DomainError("not_found", "This email no longer exists");
  if (!mail.isFailed)
    throw new DomainError("mail_not_failed", "Only a failed email can be sent again");
  if (mail.isOfEarlierLog)
    throw new DomainError(
      "mail_before_restore",
      "This email is from before a restore and can't be sent again",
    );
  if ((resends ?? 0) >= MOST_RESENDS)
    throw new DomainError("resend_limit", `A mail is sent again at most ${MOST_RESENDS} times`);
  return [{ type: "MailResent", data: { mail_id: mailId, kind: mail.kind } }];
}
