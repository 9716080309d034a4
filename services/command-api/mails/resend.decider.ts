import { DomainError } from "#contracts/domain-error.ts";
import type { MailEvent } from "#contracts/events/index.ts";
import type { PreparedResendMail } from "./resend.commands.ts";

/** Only a mail that was given up is sent again: any other is on its way, arrived, or has no reason to go. */
export function decideResend(
  _: true | undefined,
  { mailId, mail }: PreparedResendMail,
): readonly MailEvent[] {
  if (!mail) throw new DomainError("not_found", "There is no such mail any more");
  if (!mail.isFailed) throw new DomainError("conflict", "Only a failed mail can be sent again");
  return [{ type: "MailResent", data: { mail_id: mailId, kind: mail.kind } }];
}
