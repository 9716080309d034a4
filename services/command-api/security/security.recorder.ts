import { randomUUID } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";
import type { SecurityCommand } from "./security.commands.ts";
import { decideSecurity } from "./security.decider.ts";

/** One refused attempt: a stream of its own, sealed under its month's key. */
function securityAggregate(caller: Caller): Aggregate<true, SecurityCommand> {
  const security = subjects.security(caller.now.slice(0, 7));
  return {
    stream: streams.security(randomUUID()),
    subjects: { security },
    bodySubjects: [security],
    clientSubject: () => security,
    newSubjects: () => [{ subject: security }],
    evolve: () => true,
    decide: decideSecurity,
  };
}

/** Writes refused sign-ins and calls into the log. */
export class SecurityRecorder {
  readonly #handler: CommandHandler;

  constructor(handler: CommandHandler) {
    this.#handler = handler;
  }

  async record(command: SecurityCommand, caller: Caller): Promise<void> {
    const attempt = securityAggregate(caller);
    await this.#handler.execute(attempt, command, newEnvelope(caller), { creates: true });
  }
}
