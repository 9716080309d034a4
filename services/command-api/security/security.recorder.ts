import { randomUUID } from "node:crypto";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";

/** One refused call: a stream of its own, sealed under its month's key. */
function securityAggregate(caller: Caller): Aggregate<true> {
  const security = subjects.security(caller.now.slice(0, 7));
  return {
    stream: streams.security(randomUUID()),
    subjects: { security },
    bodySubjects: [security],
    clientSubject: () => security,
    newSubjects: () => [{ subject: security }],
    evolve: () => true,
  };
}

/** Writes refused sign-ins and calls into the log. */
export class SecurityRecorder {
  readonly #handler: CommandHandler;

  constructor(handler: CommandHandler) {
    this.#handler = handler;
  }

  async signInFailed(
    caller: Caller,
    attempt: {
      readonly email: string;
      readonly cause: "unknown_account" | "wrong_password" | "inactive_account" | "link_required";
      readonly accountId?: string;
    },
  ): Promise<void> {
    const { email, cause, accountId } = attempt;
    const security = { email, ...(accountId ? { account_id: accountId } : {}) };
    await this.#record(caller, "SignIn", [{ type: "SignInFailed", data: { cause, security } }]);
  }

  /** @param route the route's pattern, never the address that was called. */
  async callRefused(
    caller: Caller,
    call: { readonly method: string; readonly route: string; readonly code: string },
  ): Promise<void> {
    await this.#record(caller, "RefuseCall", [{ type: "CallRefused", data: call }]);
  }

  async #record(caller: Caller, type: string, events: readonly RegistryEvent[]): Promise<void> {
    const envelope = newEnvelope(caller);
    await this.#handler.execute(securityAggregate(caller), { type }, envelope, () => events);
  }
}
