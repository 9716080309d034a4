import { randomUUID } from "node:crypto";
import type { Role, User } from "#contracts/http/auth.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { sessionOver } from "./account.decider.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { ClosingService } from "./closing.service.ts";
import { type DeviceStore, type KnownDevice, withFirst } from "./device.store.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import type { Beginning, EndCause } from "./session.commands.ts";
import type { SessionStore } from "./session.store.ts";
import { SessionEnds } from "./session-ends.ts";

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

interface Deps {
  readonly handler: CommandHandler;
  readonly accounts: Pick<AccountStore, "present">;
  readonly sessions: SessionStore;
  readonly devices: Pick<DeviceStore, "add" | "welcome">;
  readonly blind: BlindIndexer;
  readonly closing: Pick<ClosingService, "takeBack">;
}

/** Starts sessions of accounts whose credentials were checked. */
export class SessionStart {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Takes the account back first where its owner had deleted it.
   * @returns undefined when the account is not active, or changed since it was checked.
   */
  async begin(checked: Checked, caller: Caller, sign: SignToken): Promise<Session | undefined> {
    if (checked.account.status !== "closed") return this.#begin(checked, caller, sign);
    const open = await this.#deps.closing.takeBack(checked, caller);
    const session = open && (await this.#begin({ ...checked, ...open }, caller, sign));
    return session && { ...session, deletionCanceled: true };
  }

  async #begin(
    { account, revision, method, device, brought }: Checked,
    caller: Caller,
    sign: SignToken,
  ): Promise<Session | undefined> {
    const { accounts, handler, sessions } = this.#deps;
    const id = randomUUID();
    const nowMs = Date.parse(caller.now);
    const clientHash = clientHashOf(this.#deps.blind, id, caller);
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
      await new SessionEnds(this.#deps).log({ id, accountId, cause }, asOwner(caller, account));
    throw sessionOver();
  }

  /** @param brought the secrets of the browser's cookie. @returns those that it gets. */
  async #remember(
    accountId: string,
    known: KnownDevice | undefined,
    brought: readonly string[],
    nowMs: number,
  ): Promise<readonly string[]> {
    const { devices } = this.#deps;
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
