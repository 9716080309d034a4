import { randomUUID } from "node:crypto";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";
import { decideSecurity, type SecurityCommand } from "./security.decider.ts";

/** Records a refused attempt in its own stream, sealed with the month's key. */
export async function recordAttempt(
  handler: CommandHandler,
  command: SecurityCommand,
  caller: Caller,
): Promise<void> {
  const security = subjects.security(caller.now.slice(0, 7));
  const attempt: Aggregate<true, SecurityCommand> = {
    stream: streams.security(randomUUID()),
    subjects: { security },
    bodySubjects: [security],
    clientSubject: () => security,
    newSubjects: () => [{ subject: security }],
    evolve: () => true,
    decide: decideSecurity,
  };
  // Reads the stream although it is new. If the log does not respond, this fails once instead of on every attempt
  // to append.
  await handler.execute(attempt, command, newEnvelope(caller));
}
