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
 * Resends a failed email. The outbox follows the event, which also records who asked for it.
 * @throws {DomainError} `not_found`; `mail_not_failed`; `mail_before_restore`; `resend_limit`.
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

/** Derives the UUID for the email's stream, because email IDs are too long for a stream name. */
function streamIdOf(mailId: string): string {
  return aggregateIdOf(createHash("sha256").update(mailId).digest("hex"));
}
