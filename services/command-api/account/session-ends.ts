import { DomainError } from "#contracts/domain-error.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { EndCause, SessionCommand } from "./session.commands.ts";
import type { SessionStore, UnloggedEnd } from "./session.store.ts";

/** Ends that a request appends to the log itself; housekeeping appends the others within the hour. */
export const ENDS_AT_ONCE = 10;

/** A sign-in that has stored no event for so long has crashed. */
const CRASHED_MS = 3_600_000;

/** Commands by which a session ends. */
const ENDINGS: Readonly<Record<EndCause, SessionCommand>> = {
  signed_out: { type: "SignOut" },
  ended_by_owner: { type: "EndSession" },
  refresh_token_reused: { type: "RefreshSession", isReused: true },
  idle: { type: "ExpireSession", cause: "idle" },
  expired: { type: "ExpireSession", cause: "expired" },
  log_restored: { type: "ExpireSession", cause: "log_restored" },
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
    if (!own) throw new DomainError("not_found", "We couldn't find that session");
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
  async log(end: UnloggedEnd, caller: Caller): Promise<string> {
    return (await this.tryLog(end, caller)).position;
  }

  /**
   * The same. A session without events may be a sign-in that is under way: it appends its own end.
   * @returns also whether the end needs nothing more.
   */
  async tryLog(
    { id, accountId, cause }: UnloggedEnd,
    caller: Caller,
  ): Promise<{ readonly position: string; readonly isDone: boolean }> {
    const { handler, sessions } = this.#deps;
    const session = sessionAggregate(id, accountId);
    const { state, position } = await handler.execute(session, ENDINGS[cause], newEnvelope(caller));
    const crashed = new Date(Date.parse(caller.now) - CRASHED_MS);
    return { position, isDone: await sessions.endLogged(id, state ? undefined : crashed) };
  }
}
