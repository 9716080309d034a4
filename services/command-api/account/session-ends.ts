import { DomainError } from "#contracts/domain-error.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { EndCause, SessionCommand } from "./session.commands.ts";
import type { SessionStore, UnloggedEnd } from "./session.store.ts";

/** Ends that a request appends to the log itself; housekeeping appends the others within the hour. */
export const ENDS_AT_ONCE = 10;

/** Commands by which a session ends. */
const ENDINGS: Readonly<Record<EndCause, SessionCommand>> = {
  signed_out: { type: "SignOut" },
  ended_by_owner: { type: "EndSession" },
  refresh_token_reused: { type: "RefreshSession", isReused: true },
  idle: { type: "ExpireSession", cause: "idle" },
  expired: { type: "ExpireSession", cause: "expired" },
};

interface Deps {
  readonly handler: CommandHandler;
  readonly sessions: SessionStore;
}

/** Ends sessions one by one. An end counts at once; the log gets it right after. */
export class SessionEnds {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends one of the caller's sessions; one that had ended stays as it is.
   * @returns the position of its last event.
   * @throws {DomainError} `not_found`: the account has no such session.
   */
  async one(id: string, caller: Caller): Promise<string> {
    const { sessions } = this.#deps;
    const { id: accountId } = caller.actor;
    const own = await sessions.endOwn(id, accountId, Date.parse(caller.now));
    if (!own) throw new DomainError("not_found", "You have no such session");
    return this.log({ id, accountId, cause: own.unlogged ?? "ended_by_owner" }, caller);
  }

  /** Ends all sessions of the caller's account but the present one. @returns how many. */
  async others(caller: Caller): Promise<{ readonly ended: number; readonly position?: string }> {
    const { id: accountId, sessionId = "" } = caller.actor;
    const nowMs = Date.parse(caller.now);
    const { ended, ids } = await this.#deps.sessions.endOthers(
      accountId,
      sessionId,
      nowMs,
      ENDS_AT_ONCE,
    );
    let position: string | undefined;
    for (const id of ids)
      position = await this.log({ id, accountId, cause: "ended_by_owner" }, caller);
    return { ended, ...(position ? { position } : {}) };
  }

  /** Appends an end that the log does not hold yet. @returns its position. */
  async log({ id, accountId, cause }: UnloggedEnd, caller: Caller): Promise<string> {
    const { handler, sessions } = this.#deps;
    const session = sessionAggregate(id, accountId);
    const { position } = await handler.execute(session, ENDINGS[cause], newEnvelope(caller));
    await sessions.endLogged(id);
    return position;
  }
}
