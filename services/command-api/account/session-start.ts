import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { Role, User } from "#contracts/http/account.ts";
import { type Position, START } from "#event-store/port.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import type { OwnSession } from "./account.commands.ts";
import { owned, sessionOver } from "./account.decider.ts";
import type { Account } from "./account.store.ts";
import type { SessionEnd } from "./credentials.ts";
import { type KnownDevice, withFirst } from "./device.store.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { Beginning } from "./session.decider.ts";
import { ENDS_PAGE } from "./session.store.ts";

/** How many ends a request appends to the log itself; housekeeping appends the others within the hour. */
export const ENDS_AT_ONCE = 10;

/** Ends individual sessions. An end takes effect immediately and is logged right after. */
export class SessionEnds extends Service<Pick<Dependencies, "credentials" | "sessions">> {
  /** Ends one of the caller's sessions. @returns the position. @throws {DomainError} `not_found` */
  async one(id: string, caller: Caller): Promise<Position> {
    const { credentials, sessions } = this.deps;
    const { id: accountId } = caller.actor;
    await this.expire(caller.now, accountId);
    const cause = "ended_by_owner";
    const { ended, position } = await credentials.end([{ id, accountId, cause }], caller);
    if (!ended && (await sessions.find(id))?.accountId !== accountId)
      throw new DomainError("not_found", "We couldn't find that session");
    return position;
  }

  /** Ends all sessions of the caller's account except the current one. @returns how many. */
  async others(caller: Caller): Promise<{ readonly ended: number; readonly position: Position }> {
    const { id: accountId, sessionId } = caller.actor;
    await this.expire(caller.now, accountId);
    const find = () => this.deps.sessions.open("ended_by_owner", accountId, sessionId);
    return this.#each(find, caller, ENDS_AT_ONCE);
  }

  /** Ends sessions, of one account or all, that have been idle for too long or are too old. */
  async expire(now: string, accountId?: string): Promise<void> {
    await this.#each(() => this.deps.sessions.over(Date.parse(now), accountId), systemCaller(now));
  }

  /** Ends all sessions after a restore, because it is unknown which have ended since the backup. */
  async all(now: string): Promise<void> {
    await this.#each(() => this.deps.sessions.open("log_restored"), systemCaller(now), 0);
  }

  async #each(
    find: () => Promise<readonly SessionEnd[]>,
    caller: Caller,
    most = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly ended: number; readonly position: Position }> {
    let ended = 0;
    let position = START;
    for (;;) {
      const found = await find();
      const page = await this.deps.credentials.end(found, caller, Math.max(0, most - ended));
      ended += page.ended;
      if (page.position !== START) position = page.position;
      if (found.length < ENDS_PAGE) return { ended, position };
    }
  }
}

/** Creates the short-lived token of a signed-in account. */
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
  /** For the browser's cookie, so that the account recognizes it next time. */
  readonly devices: readonly string[];
  /** Present if signing in canceled the account's deletion. */
  readonly deletionCanceled?: true;
}

/** An account whose credentials were checked. */
export interface Checked {
  readonly account: Account;
  /** Revision of the account at which they were checked. */
  readonly revision: number;
  readonly method: NonNullable<Beginning["method"]>;
  /** The browser, if the account knows it. */
  readonly device: KnownDevice | undefined;
  /** Secrets of the browser's cookie. */
  readonly brought: readonly string[];
}

/** Starts sessions of accounts whose credentials were checked. */
export class SessionStart extends Service<
  Pick<
    Dependencies,
    "handler" | "accounts" | "credentials" | "sessions" | "devices" | "blind" | "closing"
  >
> {
  /**
   * Starts a session, and reopens an account that its owner deleted.
   * @returns undefined if the account is not active, or has changed since the check.
   */
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
    const { accounts, credentials, handler, sessions } = this.deps;
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
    if ((await sessions.find(id))?.isOver) {
      // No one else can append the end before the start.
      await credentials.deliver(streams.session(id));
      throw sessionOver();
    }
    const user = await accounts.present(account);
    // The account has just been replaced or erased: the session has ended.
    if (!user) return undefined;
    return {
      user,
      token: sign({ ...account, sessionId: id }),
      refreshToken,
      position,
      devices: await this.#remember(accountId, device, brought, nowMs),
    };
  }

  /** @param brought the secrets of the browser's cookie. @returns those to set. */
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

/** Distinguishes the clients of one session. It allows neither guessing addresses nor comparing sessions. */
export function clientHashOf(
  blind: BlindIndexer,
  sessionId: string,
  { client }: Caller,
): string | undefined {
  const { ip, user_agent } = client ?? {};
  return client && blind("session_client", JSON.stringify([sessionId, ip, user_agent]));
}

/** The caller has been authenticated, so the log names the account instead of a visitor. */
export function asOwner(caller: Caller, { id, role }: Pick<Account, "id" | "role">): Caller {
  return { ...caller, actor: { id, role } };
}

/** Returns the caller's session for the decider. @throws {DomainError} `invalid_token` */
export async function ownSession(handler: CommandHandler, { actor }: Caller): Promise<OwnSession> {
  const { id: accountId, sessionId: id } = actor;
  const session = id ? await handler.loadFirst(sessionAggregate(id, accountId)) : undefined;
  if (!id || !session) throw sessionOver();
  return { id, accountRevision: session.accountRevision };
}

/**
 * For commands on other streams, such as submitting a report: checks the caller's session against the log, because
 * the tables may not have its end yet. Staff are not checked, since they may use a temporary session that has no
 * events.
 * @returns the account's revision, because later events may end the session; -1 without an account.
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
