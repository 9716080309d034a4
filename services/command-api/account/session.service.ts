import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import { verifyPassword } from "#services/command-api/account/passwords.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { recordAttempt } from "../security/security.recorder.ts";
import { type Account, blindEmail } from "./account.store.ts";
import type { KnownDevice } from "./device.store.ts";
import type { Challenged } from "./second-step.ts";
import { sessionAggregate } from "./session.aggregate.ts";
import { isNewUse } from "./session.decider.ts";
import type { ValidRefreshToken } from "./session.store.ts";
import { asOwner, clientHashOf, type Session, type SignToken } from "./session-start.ts";

export type { SignToken } from "./session-start.ts";

export interface Login {
  readonly email: string;
  readonly password: string;
  /** Secrets in the browser's cookie, by which accounts recognize it. */
  readonly devices?: readonly string[];
}

/** A counted attempt. The count is undone unless the password is wrong. */
interface Attempt {
  readonly accountId: string;
  readonly device: KnownDevice | undefined;
  isWrong: boolean;
}

type Deps = Pick<
  Dependencies,
  | "handler"
  | "accounts"
  | "sessions"
  | "sessionEnds"
  | "start"
  | "devices"
  | "guesses"
  | "signInLinks"
  | "background"
  | "credentials"
  | "blind"
  | "secondStep"
  | "bans"
  | "closing"
  | "onSignIn"
>;

const REFUSED = "Invalid email or password";
const LINK_REQUIRED =
  "Too many attempts from devices we don't recognize. If this address has an account, we've emailed it a link. Open it on this device, then sign in.";
const OVER = "Your session has ended. Please sign in again.";

/** Signs accounts in and out, and refreshes sessions. */
export class SessionService extends Service<Deps> {
  /** @throws {DomainError} `invalid_credentials`, `link_required`; the same for known and unknown addresses. */
  async signIn(login: Login, caller: Caller, sign: SignToken): Promise<Session | Challenged> {
    const { accounts, blind, devices, guesses } = this.deps;
    const { email, devices: brought = [] } = login;
    const nowMs = Date.parse(caller.now);
    const found = await accounts.byEmail(email);
    const accountId = found?.id ?? randomUUID();
    const device = await devices.admit(accountId, brought, nowMs);
    const guess = device ? undefined : await guesses.count(blindEmail(blind, email), nowMs);
    if (!device && !guess) return this.#requireLink(caller, email, found?.id);
    const attempt: Attempt = { accountId, device, isWrong: false };
    try {
      return await this.#compare(login, attempt, caller, sign);
    } catch (error) {
      if (!attempt.isWrong) {
        // If the database is down, the attempt stays counted. The caller gets the original error.
        if (device) await devices.giveBack(accountId, device.secret).catch(() => undefined);
        if (guess) await guesses.giveBack(guess).catch(() => undefined);
      }
      throw error;
    }
  }

  async #compare(
    login: Login,
    attempt: Attempt,
    caller: Caller,
    sign: SignToken,
  ): Promise<Session | Challenged> {
    const { email, password, devices = [] } = login;
    const { closing, credentials, onSignIn, secondStep } = this.deps;
    const { accountId, device } = attempt;
    // Runs even without an account, so that an unknown address takes as long as a known one.
    const { account, revision } = await credentials.at(accountId);
    // Before an address is confirmed, its known browser belongs to whoever registered it.
    const by = device && account?.confirmed ? "known" : "stranger";
    const right = await verifyPassword(account?.passwordHash || undefined, password, by);
    attempt.isWrong = !account || !right;
    if (!account || !right) return this.#refuse(caller, email, account?.id);
    if (account.status === "banned") return this.#meetBan(login, attempt, account, caller, sign);
    const isClosed = account.status === "closed";
    if (isClosed && !(await closing.isTakenBackBySignIn(account.id, caller.now)))
      return this.#refuse(caller, email, account.id, "inactive_account");
    if (isClosed) await this.#refuseBanned(account, email, caller);
    if (account.factorId && (isClosed || account.status === "active"))
      return secondStep.challenge(account, account.factorId, device, devices, caller);
    const session = await this.deps.start.begin(
      { account, revision, method: "password", device, brought: devices },
      caller,
      sign,
    );
    if (!session) return this.#refuse(caller, email, account.id, "inactive_account");
    await onSignIn?.(email);
    return session;
  }

  /** Tells the owner of a banned account why they cannot sign in, or signs in if the ban has expired. */
  async #meetBan(
    login: Login,
    attempt: Attempt,
    account: Account,
    caller: Caller,
    sign: SignToken,
  ): Promise<Session | Challenged> {
    const { email } = login;
    await this.#refuseBanned(account, email, caller);
    const found = await this.deps.accounts.byId(account.id);
    if (found?.status === "active") return this.#compare(login, attempt, caller, sign);
    return this.#refuse(caller, email, account.id, "inactive_account");
  }

  /** @throws {DomainError} `account_banned` */
  async #refuseBanned({ id }: Account, email: string, caller: Caller): Promise<void> {
    const { bans, handler } = this.deps;
    const refusal = await bans.refusal(id, caller);
    if (!refusal) return;
    const refused = "inactive_account";
    await recordAttempt(handler, { type: "SignIn", email, accountId: id, refused }, caller);
    throw refusal;
  }

  /**
   * Continues a session. A reused token ends it, as does inactivity of staff.
   * @throws {DomainError} `invalid_token`
   */
  async refresh(
    refreshToken: string,
    caller: Caller,
    sign: SignToken,
  ): Promise<{ token: string; refreshToken: string }> {
    const { accounts, credentials, sessions } = this.deps;
    const nowMs = Date.parse(caller.now);
    const held = await sessions.look(refreshToken, nowMs);
    const account = held && (await accounts.byId(held.accountId));
    if (!held || account?.status !== "active" || account.tokenVersion !== held.tokenVersion)
      throw new DomainError("invalid_token", OVER);
    if (held.isIdle && account.role !== "user") {
      const { sessionId: id, accountId } = held;
      await credentials.end([{ id, accountId, cause: "idle" }], caller);
      throw new DomainError("invalid_token", OVER);
    }
    // Recorded before the token is exchanged, so that the token stays valid if the log is down.
    await this.#noteUse(held, account, caller);
    const exchange = await sessions.exchange(refreshToken, nowMs);
    const { sessionId, accountId } = held;
    if (exchange.state === "reused") {
      const end = { id: sessionId, accountId, cause: "refresh_token_reused" } as const;
      await credentials.end([end], caller);
    }
    if (exchange.state !== "exchanged") throw new DomainError("invalid_token", OVER);
    return { token: sign({ ...account, sessionId }), refreshToken: exchange.token };
  }

  /** Ends the caller's session, or all sessions of the account. @returns the event's position. */
  async signOut(scope: "session" | "all", caller: Caller): Promise<string> {
    const { accounts, credentials } = this.deps;
    const { id: accountId, sessionId: id = "" } = caller.actor;
    if (scope === "session") {
      const cause = "signed_out";
      return (await credentials.end([{ id, accountId, cause }], caller)).position;
    }
    const account = await accounts.byId(accountId);
    const ended = await credentials.make({ type: "SignOutEverywhere" }, { accountId }, caller);
    if (!account || !ended)
      throw new DomainError("account_not_found", "This account no longer exists");
    return ended.position;
  }

  /** Runs an operator's work in an account's name. @param work gets a temporary session, deleted afterwards. */
  async withSystemSession<T>(
    accountId: string,
    work: (sessionId: string) => Promise<T>,
  ): Promise<T> {
    const { sessions } = this.deps;
    const id = randomUUID();
    await sessions.insertSystemSession(id, accountId, Date.now());
    try {
      return await work(id);
    } finally {
      await sessions.takeBack(id);
    }
  }

  /** Ends expired sessions, and deletes what can no longer be used. */
  async sweep(nowMs: number): Promise<void> {
    const { sessionEnds, sessions, devices, guesses } = this.deps;
    await devices.sweep(nowMs);
    await guesses.sweep(nowMs);
    await sessionEnds.expire(new Date(nowMs).toISOString());
    await sessions.sweep(nowMs);
  }

  /** Records the use of a session in the log if the decider considers it new. */
  async #noteUse(held: ValidRefreshToken, account: Account, caller: Caller): Promise<void> {
    const { blind, handler, sessions } = this.deps;
    const { sessionId: id, accountId } = held;
    const clientHash = clientHashOf(blind, id, caller);
    const isSameClient = held.clientHash === (clientHash ?? null);
    const noted = { at: held.notedAt.toISOString(), isSameClient };
    // The session's row is enough to check the decider's rule, so most refreshes read no events. A reused token
    // does not count as a use, because exchanging it ends the session.
    if (held.reused || !isNewUse(noted, caller.now)) return;
    const command = { type: "RefreshSession", noted } as const;
    const envelope = newEnvelope(asOwner(caller, account));
    await handler.execute(sessionAggregate(id, accountId), command, envelope);
    await sessions.note(id, clientHash, Date.parse(caller.now));
  }

  async #requireLink(caller: Caller, email: string, accountId?: string): Promise<never> {
    const { background, handler, signInLinks } = this.deps;
    const refused = "link_required";
    await recordAttempt(handler, { type: "SignIn", email, accountId, refused }, caller);
    // Queued even without an account, so that a full queue refuses both alike.
    background.run(async () => {
      if (accountId) await signInLinks.request(accountId, caller);
    });
    throw new DomainError("link_required", LINK_REQUIRED);
  }

  async #refuse(
    caller: Caller,
    email: string,
    accountId?: string,
    refused: "wrong_password" | "inactive_account" = "wrong_password",
  ): Promise<never> {
    const { handler } = this.deps;
    await recordAttempt(handler, { type: "SignIn", email, accountId, refused }, caller);
    throw new DomainError("invalid_credentials", REFUSED);
  }
}
