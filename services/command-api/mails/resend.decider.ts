import { DomainError } from "#contracts/domain-error.ts";
import type { MailEvent } from "#contracts/events/index.ts";
import { MAX_RESENDS } from "#contracts/http/admin-mails.ts";

/** State of an email in the outbox. */
export interface OutboxMail {
  readonly kind: string;
  /** Whether it was dropped after the last attempt. */
  readonly isFailed: boolean;
  /** Whether it comes from the log before a restore, whose events may differ now. */
  readonly isOfEarlierLog: boolean;
}

/** An admin resends an email. */
export interface ResendMail {
  readonly type: "ResendMail";
  /** ID of its row in the outbox. */
  readonly mailId: string;
}

/** The command with the email's outbox state; undefined if there is none. */
export type PreparedResendMail = ResendMail & { readonly mail: OutboxMail | undefined };

/** Resends only an email that was dropped as undeliverable. @param resends how often it was already resent. */
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
  if ((resends ?? 0) >= MAX_RESENDS)
    throw new DomainError("resend_limit", `An email can be resent at most ${MAX_RESENDS} times`);
  return [{ type: "MailResent", data: { mail_id: mailId, kind: mail.kind } }];
}
