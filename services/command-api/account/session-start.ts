import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { Role, User } from "#contracts/http/account.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { OwnSession } from "./account.commands.ts";
import { owned, sessionOver } from "./account.decider.ts";
import type { Account } from "./account.store.ts";
import { type KnownDevice, withFirst } from "./device.store.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { Beginning, EndCause, SessionCommand } from "./session.decider.ts";
import type { UnloggedEnd } from "./session.store.ts";

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

/** Ends sessions one by one. An end counts at once; the log gets it right after. */
export class SessionEnds extends Service<Pick<Dependencies, "handler" | "sessions">> {
  /** Ends one of the caller's sessions. @returns the position. @throws {DomainError} `not_found` */
  async one(id: string, caller: Caller): Promise<string> {
    const { sessions } = this.deps;
    const { id: accountId } = caller.actor;
    const own = await sessions.endOwn(id, accountId, Date.parse(caller.now));
    if (!own) throw new DomainError("not_found", "We couldn't find that session");
    return this.log({ id, accountId, cause: own.unlogged ?? "ended_by_owner" }, caller);
  }

  /** Ends all sessions of the caller's account but the present one. @returns how many. */
  async others(caller: Caller): Promise<{ readonly ended: number; readonly position?: string }> {
    const { id: accountId, sessionId = "" } = caller.actor;
    const nowMs = Date.parse(caller.now);
    const { ended, ids } = await this.deps.sessions.endOthers(
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

  /** The same. A session without events may be a sign-in under way. @returns whether more is needed. */
  async tryLog(
    { id, accountId, cause }: UnloggedEnd,
    caller: Caller,
  ): Promise<{ readonly position: string; readonly isDone: boolean }> {
    const { handler, sessions } = this.deps;
    const session = sessionAggregate(id, accountId);
    const { state, position } = await handler.execute(session, ENDINGS[cause], newEnvelope(caller));
    const crashed = new Date(Date.parse(caller.now) - CRASHED_MS);
    return { position, isDone: await sessions.endLogged(id, state ? undefined : crashed) };
  }
}

/** Makes the short-lived token of a signed-in account. */
export type SignToken = (subject: {
  id: string;
  role: Role;
  tokenVersion: number;
  sessionId: string;
}) => string;

/** Signs with the keys of the service that the routes belong to. */
export const signerOf =
  (app: ServiceInstance): SignToken =>
  (account) =>
    app.tokens.issue(account).token;

export interface Session {
  readonly user: User;
  readonly token: string;
  readonly refreshToken: string;
  readonly position: string;
  /** For the browser's cookie, so that the account knows it next time. */
  readonly devices: readonly string[];
  /** Present where the account was waiting to be erased. */
  readonly deletionCanceled?: true;
}

/** An account whose credentials were checked. */
export interface Checked {
  readonly account: Account;
  /** The account's, against which they were checked. */
  readonly revision: number;
  readonly method: NonNullable<Beginning["method"]>;
  /** The browser, where the account knows it. */
  readonly device: KnownDevice | undefined;
  /** Secrets of the browser's cookie. */
  readonly brought: readonly string[];
}

/** Starts sessions of accounts whose credentials were checked. */
export class SessionStart extends Service<
  Pick<Dependencies, "handler" | "accounts" | "sessions" | "devices" | "blind" | "closing">
> {
  /** Reopens an account that its owner deleted. @returns undefined when it is not active, or changed since. */
  async begin(checked: Checked, caller: Caller, sign: SignToken): Promise<Session | undefined> {
    if (checked.account.status !== "closed") return this.#begin(checked, caller, sign);
    const open = await this.deps.closing.takeBack(checked, caller);
    const session = open && (await this.#begin({ ...checked, ...open }, caller, sign));
    return session && { ...session, deletionCanceled: true };
  }

  async #begin(
    { account, revision, method, device, brought }: Checked,
    caller: Caller,
    sign: SignToken,
  ): Promise<Session | undefined> {
    const { accounts, handler, sessions } = this.deps;
    const id = randomUUID();
    const nowMs = Date.parse(caller.now);
    const clientHash = clientHashOf(this.deps.blind, id, caller);
    const { id: accountId, tokenVersion } = account;
    const refreshToken = await sessions.begin({ id, accountId, tokenVersion, clientHash, nowMs });
    if (!refreshToken) return undefined;
    const begins = { accountId, method, device: device?.state ?? "new", revision } as const;
    const { position } = await handler.execute(
      sessionAggregate(id, accountId),
      { type: "SignIn", begins },
      newEnvelope(asOwner(caller, account)),
      { creates: true },
    );
    const end = await sessions.endOf(id);
    if (end) return this.#refuseEnded({ id, accountId, cause: end.unlogged }, caller, account);
    const user = await accounts.present(account);
    // Replaced or erased in this moment: the session is over.
    if (!user) return undefined;
    return {
      user,
      token: sign({ ...account, sessionId: id }),
      refreshToken,
      position,
      devices: await this.#remember(accountId, device, brought, nowMs),
    };
  }

  /** The session ended before the log held its start, so nobody else could log the end. */
  async #refuseEnded(
    { id, accountId, cause }: { id: string; accountId: string; cause: EndCause | null },
    caller: Caller,
    account: Account,
  ): Promise<never> {
    if (cause)
      await new SessionEnds(this.deps).log({ id, accountId, cause }, asOwner(caller, account));
    throw sessionOver();
  }

  /** @param brought the secrets of the browser's cookie. @returns those that it gets. */
  async #remember(
    accountId: string,
    known: KnownDevice | undefined,
    brought: readonly string[],
    nowMs: number,
  ): Promise<readonly string[]> {
    const { devices } = this.deps;
    if (!known) return devices.add(accountId, "sign-in", nowMs, brought);
    await devices.welcome(accountId, known.secret, nowMs);
    return withFirst(known.secret, brought);
  }
}

/** Tells clients of one session apart; nobody can try addresses on it, or compare sessions. */
export function clientHashOf(
  blind: BlindIndexer,
  sessionId: string,
  { client }: Caller,
): string | undefined {
  const { ip, user_agent } = client ?? {};
  return client && blind("session_client", JSON.stringify([sessionId, ip, user_agent]));
}

/** The password or the token says who it is: the log names the account, not a visitor. */
export function asOwner(caller: Caller, { id, role }: Pick<Account, "id" | "role">): Caller {
  return { ...caller, actor: { id, role } };
}

/** The caller's session as the decider wants it. @throws {DomainError} `invalid_token` */
export async function ownSession(handler: CommandHandler, { actor }: Caller): Promise<OwnSession> {
  const { id: accountId, sessionId: id } = actor;
  const session = id ? await handler.loadFirst(sessionAggregate(id, accountId)) : undefined;
  if (!id || !session) throw sessionOver();
  return { id, accountRevision: session.accountRevision };
}

/**
 * For what an account does in another stream, as submitting a report: the log says whether the session
 * goes on, also where the tables do not know of its end yet. Staff may act in a session that was lent
 * to them, of which the log holds nothing.
 * @returns the account's revision: what comes after it may have ended the session. -1 without an account.
 * @throws {DomainError} `invalid_token`
 */
export async function requireOwnSession(handler: CommandHandler, caller: Caller): Promise<number> {
  const { id, role } = caller.actor;
  if (role === "visitor" || role === "system") return -1;
  if (role !== "user") return handler.lastRevision(accountAggregate(id));
  const own = await ownSession(handler, caller);
  const loaded = await handler.load(accountAggregate(id));
  owned(loaded?.state, own);
  return loaded?.revision ?? -1;
}
