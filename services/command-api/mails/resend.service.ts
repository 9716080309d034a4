import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import { type CommandEnvelope, ownSubject } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";
import {
  decideResend,
  type OutboxMail,
  type PreparedResendMail,
  type ResendMail,
} from "./resend.decider.ts";

/** Has failed mails sent again. The event is what the outbox follows, and says who asked for it. */
export class ResendService {
  readonly #handler: CommandHandler;
  readonly #pool: Pool;
  readonly #epoch: string;

  /** @param deps.epoch of the log. */
  constructor(deps: {
    readonly handler: CommandHandler;
    readonly pool: Pool;
    readonly epoch: string;
  }) {
    this.#handler = deps.handler;
    this.#pool = deps.pool;
    this.#epoch = deps.epoch;
  }

  /** @throws {DomainError} `not_found`; `conflict` unless the mail was given up, by this log, and rarely resent. */
  async resend(mailId: string, envelope: CommandEnvelope): Promise<{ readonly position: string }> {
    const command = { type: "ResendMail", mailId } as const;
    return this.#handler.execute(this.#aggregate(mailId), command, envelope);
  }

  #aggregate(mailId: string): Aggregate<number, ResendMail, PreparedResendMail> {
    return {
      stream: streams.mail(streamIdOf(mailId)),
      clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
      evolve: (resends) => (resends ?? 0) + 1,
      prepare: async (_, command) => ({ ...command, mail: await this.#find(mailId) }),
      decide: decideResend,
    };
  }

  async #find(mailId: string): Promise<OutboxMail | undefined> {
    const { rows } = await this.#pool.query<OutboxMail>(
      `select kind, state = 'dropped' and dropped_reason = 'undeliverable' as "isFailed",
         epoch <> $2 as "isOfEarlierLog"
       from outbox.mail where id = $1`,
      [mailId, this.#epoch],
    );
    return rows[0];
  }
}

/** A UUID for the mail's stream: the ids of mails are too long for the name of one. */
function streamIdOf(mailId: string): string {
  return aggregateIdOf(createHash("sha256").update(mailId).digest("hex"));
}
