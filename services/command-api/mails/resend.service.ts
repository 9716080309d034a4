import { createHash } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { type CommandEnvelope, ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import {
  decideResend,
  type OutboxMail,
  type PreparedResendMail,
  type ResendMail,
} from "./resend.decider.ts";

/**
 * Has a failed email sent again. The event is what the outbox follows, and says who asked for it.
 * @throws {DomainError} `not_found`; `conflict` unless the email was given up, by this log, and rarely resent.
 */
export function resend(
  mailId: string,
  envelope: CommandEnvelope,
  { handler, pool, epoch }: Pick<Dependencies, "handler" | "pool" | "epoch">,
): Promise<{ readonly position: string }> {
  const find = async () => {
    const { rows } = await pool.query<OutboxMail>(
      `select kind, state = 'dropped' and dropped_reason = 'undeliverable' as "isFailed",
         epoch <> $2 as "isOfEarlierLog"
       from outbox.mail where id = $1`,
      [mailId, epoch],
    );
    return rows[0];
  };
  const mail: Aggregate<number, ResendMail, PreparedResendMail> = {
    stream: streams.mail(streamIdOf(mailId)),
    clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
    evolve: (resends) => (resends ?? 0) + 1,
    prepare: async (_, command) => ({ ...command, mail: await find() }),
    decide: decideResend,
  };
  return handler.execute(mail, { type: "ResendMail", mailId }, envelope);
}

/** A UUID for the email's stream: the ids of emails are too long for the name of one. */
function streamIdOf(mailId: string): string {
  return aggregateIdOf(createHash("sha256").update(mailId).digest("hex"));
}
