import { randomBytes, randomUUID } from "node:crypto";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { Role, User } from "#contracts/http/auth.ts";
import { subjects } from "#contracts/sealed.ts";
import { hashPassword, verifyPassword } from "#kit/auth/passwords.ts";
import { DomainError } from "#kit/http/errors.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import type { Caller, Outcome } from "../commands/command.ts";
import type { CommandHandler } from "../commands/command-handler.ts";
import type { SecurityRecorder } from "../security/security.recorder.ts";
import { type AccountState, accountAggregate } from "./account.aggregate.ts";
import type { Account, AccountStore } from "./account.store.ts";
import type { RefreshTokenStore } from "./refresh-token.store.ts";

/** Makes the short-lived token of a signed-in account. */
export type SignToken = (account: { id: string; role: Role; tokenVersion: number }) => string;

export interface Session {
  readonly user: User;
  readonly token: string;
  readonly refreshToken: string;
  readonly position: string;
}

interface Deps {
  readonly handler: CommandHandler;
  readonly keys: KeyStore;
  readonly accounts: AccountStore;
  readonly tokens: RefreshTokenStore;
  readonly security: SecurityRecorder;
  readonly onSignIn?: (email: string) => Promise<void>;
}

const REFUSED = "Invalid email or password";

/** Accounts in their smallest form: added by the operator, signing in and out. */
export class AccountService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `invalid_credentials`, the same for a known and an unknown address. */
  async signIn(
    login: { readonly email: string; readonly password: string },
    caller: Caller,
    sign: SignToken,
  ): Promise<Session> {
    const { accounts, security, tokens } = this.#deps;
    const account = await accounts.byEmail(login.email);
    const right = await verifyPassword(account?.passwordHash, login.password);
    if (!account || !right || account.status !== "active") {
      const cause = !account
        ? ("unknown_account" as const)
        : right
          ? ("inactive_account" as const)
          : ("wrong_password" as const);
      const { email } = login;
      await security.signInFailed(caller, {
        email,
        cause,
        ...(account ? { accountId: account.id } : {}),
      });
      throw new DomainError("invalid_credentials", REFUSED);
    }
    const sessionId = randomUUID();
    const { state, position } = await this.#append(
      account,
      "SignIn",
      { type: "SignedIn", data: { session_id: sessionId } },
      // The password says who it is: the audit log names the account, not a visitor.
      { ...caller, actor: { id: account.id, role: account.role } },
    );
    await accounts.noteLogin(account.id, caller.now);
    await this.#deps.onSignIn?.(login.email);
    const refreshToken = await tokens.issue(
      sessionId,
      account.id,
      account.tokenVersion,
      Date.parse(caller.now),
    );
    return {
      user: await this.#user(account, state),
      token: sign(account),
      refreshToken,
      position,
    };
  }

  /**
   * Goes on with a session. A token that was traded before ends all sessions of its account.
   * @throws {DomainError} `invalid_token`
   */
  async refresh(
    refreshToken: string,
    caller: Caller,
    sign: SignToken,
  ): Promise<{ token: string; refreshToken: string }> {
    const { accounts, tokens } = this.#deps;
    const exchange = await tokens.exchange(refreshToken, Date.parse(caller.now));
    const account =
      exchange.state === "refused" ? undefined : await accounts.byId(exchange.accountId);
    if (exchange.state === "reused" && account) {
      // Access tokens name no session: only the account's version voids the thief's at once.
      await this.#endSessions(account.id, caller.now);
      await this.#append(
        account,
        "RefreshSession",
        { type: "RefreshTokenReused", data: { session_id: exchange.family } },
        caller,
      );
    }
    if (
      exchange.state !== "exchanged" ||
      account?.status !== "active" ||
      account.tokenVersion !== exchange.tokenVersion
    ) {
      throw new DomainError(
        "invalid_token",
        "Your session is not valid any more. Please sign in again.",
      );
    }
    return { token: sign(account), refreshToken: exchange.token };
  }

  /**
   * Ends the session that the refresh token belongs to, whose access token runs out by itself; or,
   * without one, all sessions of the account, with every token at once.
   */
  async signOut(refreshToken: string | undefined, caller: Caller): Promise<string> {
    const { accounts, tokens } = this.#deps;
    const account = await accounts.byId(caller.actor.id);
    if (!account) throw new DomainError("account_not_found", "This account is not there any more");
    const ended = refreshToken
      ? await tokens.revoke(refreshToken, account.id, Date.parse(caller.now))
      : await this.#endSessions(account.id, caller.now);
    const scope = refreshToken ? ("session" as const) : ("all_sessions" as const);
    const data = { scope, ...(ended ? { session_id: ended } : {}) };
    const event = { type: "SignedOut", data } as const;
    return (await this.#append(account, "SignOut", event, caller)).position;
  }

  /**
   * Adds an account. What an earlier attempt left half done is finished by the next one.
   * @returns null when the address belongs to an account already.
   */
  async add(
    account: {
      readonly email: string;
      readonly password: string;
      readonly role: Role;
      readonly firstName: string;
      readonly lastName: string;
    },
    caller: Caller,
  ): Promise<{ id: string } | null> {
    const { accounts, keys } = this.#deps;
    const { email, role, firstName, lastName } = account;
    const known = await accounts.byEmail(email);
    const id = known?.id ?? randomUUID();
    const aggregate = accountAggregate(id);
    if (known && (await this.#deps.handler.load(aggregate))) return null;
    const passwordHash = await hashPassword(account.password);
    if (known) await accounts.remove(id);
    await keys.ensure([{ subject: subjects.account(id) }]);
    if (!(await accounts.add({ id, email, passwordHash, role, now: caller.now }))) return null;
    const profile = { email, first_name: firstName, last_name: lastName };
    await this.#deps.handler.execute(aggregate, command("AddAccount"), caller, (state) =>
      state ? [] : [{ type: "AccountAdded", data: { role, account: profile } }],
    );
    return { id };
  }

  /** The oldest active admin, or the oldest where none is active; undefined before there is one. */
  async firstAdmin(): Promise<{ id: string; email: string; tokenVersion: number } | undefined> {
    const account = await this.#deps.accounts.firstAdmin();
    if (!account) return undefined;
    const { id, tokenVersion } = account;
    return { id, tokenVersion, email: await this.#deps.accounts.email(account) };
  }

  /**
   * Sets a new password for the account, or for the first admin, lifts its ban and ends all of its
   * sessions.
   */
  async resetPassword(
    email: string | undefined,
    password: string,
    caller: Caller,
  ): Promise<{ id: string; email: string } | null> {
    const { accounts, tokens } = this.#deps;
    const account = email ? await accounts.byEmail(email) : await accounts.firstAdmin();
    if (!account) return null;
    await accounts.setPassword(account.id, await hashPassword(password));
    await tokens.revokeAll(account.id, Date.parse(caller.now));
    await this.#append(account, "ResetPassword", { type: "PasswordReset", data: {} }, caller);
    return { id: account.id, email: await accounts.email(account) };
  }

  /** Every token of the account is void from here on. */
  async #endSessions(accountId: string, now: string): Promise<undefined> {
    await this.#deps.accounts.voidTokens(accountId);
    await this.#deps.tokens.revokeAll(accountId, Date.parse(now));
  }

  async #append(
    account: Account,
    name: string,
    event: RegistryEvent,
    caller: Caller,
  ): Promise<Outcome<AccountState | undefined>> {
    return this.#deps.handler.execute(
      accountAggregate(account.id),
      command(name),
      caller,
      // Without its first event an account was not added to the end: `add` finishes it.
      (state) => (state ? [event] : []),
    );
  }

  async #user(account: Account, state: AccountState | undefined): Promise<User> {
    return {
      id: account.id,
      first_name: state?.profile?.first_name ?? "",
      last_name: state?.profile?.last_name ?? "",
      email: await this.#deps.accounts.email(account),
      role: account.role,
      created_at: account.createdAt,
    };
  }
}

/** A command that is no retry of any other. */
function command(name: string) {
  return { name, id: randomBytes(32).toString("hex"), body: {} };
}
