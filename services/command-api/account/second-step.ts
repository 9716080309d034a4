import { DomainError } from "#contracts/domain-error.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { recordAttempt } from "../security/security.recorder.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { signInLinkInvalid } from "./account.decider.ts";
import type { Account } from "./account.store.ts";
import { type KnownDevice, withFirst } from "./device.store.ts";
import type { Session, SignToken } from "./session-start.ts";
import { wrongCode } from "./two-factor.decider.ts";

/** Emailed links that make a browser known to an account. They sign no one in. */
export class SignInLinks extends Service<Pick<Dependencies, "handler" | "links" | "devices">> {
  /** Sends the account's owner a link, unless enough are still valid. */
  async request(accountId: string, caller: Caller): Promise<void> {
    await this.deps.handler.execute(
      accountAggregate(accountId),
      { type: "RequestDeviceConfirmation" },
      newEnvelope(caller),
    );
  }

  /**
   * Makes the browser that opened the link known. A link works once.
   * @param envelope for the account and link, so that a repeat after a lost response gets the same response.
   * @param brought the secrets of its cookie.
   * @returns the secrets for its cookie.
   * @throws {DomainError} `link_invalid`
   */
  async open(
    token: string,
    envelope: (accountId: string, body: { link_id: string }) => CommandEnvelope,
    caller: Caller,
    brought: readonly string[],
  ): Promise<readonly string[]> {
    const { handler, links, devices } = this.deps;
    const link = links.readToken(token, "sign-in", caller.now);
    if (typeof link === "string") throw signInLinkInvalid();
    const { aggregateId: accountId, linkId } = link;
    await handler.execute(
      accountAggregate(accountId),
      { type: "ConfirmDevice", linkId },
      envelope(accountId, { link_id: linkId }),
    );
    return devices.add(accountId, "link", Date.parse(caller.now), brought);
  }
}

/** The response to a right password if a code is still needed. */
export interface Challenged {
  readonly challenge: string;
  readonly expiresAt: string;
  /** For the browser's cookie: the challenge works only in this browser. */
  readonly devices: readonly string[];
}

const LINK_REQUIRED =
  "Too many codes from devices we don't recognize. We've emailed you a link. Open it on this device, then sign in.";

/** Completes a sign-in with a code from the authenticator, or a recovery code. */
export class SecondStep extends Service<
  Pick<
    Dependencies,
    | "handler"
    | "accounts"
    | "credentials"
    | "challenges"
    | "codes"
    | "devices"
    | "guesses"
    | "signInLinks"
    | "background"
    | "start"
    | "onSignIn"
  >
> {
  /** Requests a code for an account whose password was right. */
  async challenge(
    { id: accountId, tokenVersion }: Account,
    factorId: string,
    device: KnownDevice | undefined,
    brought: readonly string[],
    caller: Caller,
  ): Promise<Challenged> {
    const nowMs = Date.parse(caller.now);
    const pending = { accountId, tokenVersion, factorId };
    const made = await this.deps.challenges.add(pending, device?.secret, nowMs);
    const { challenge, expiresAt, device: secret } = made;
    return {
      challenge,
      expiresAt: expiresAt.toISOString(),
      devices: withFirst(secret, brought),
    };
  }

  /**
   * @param brought secrets of the cookie.
   * @throws {DomainError} `challenge_invalid`, `wrong_code`, `link_required`
   */
  async finish(
    { challenge, code }: { readonly challenge: string; readonly code: string },
    brought: readonly string[],
    caller: Caller,
    sign: SignToken,
  ): Promise<Session> {
    const { challenges, codes, credentials, devices, guesses, onSignIn, start } = this.deps;
    const nowMs = Date.parse(caller.now);
    const pending = await challenges.find(challenge, brought, nowMs);
    if (!pending) throw challengeInvalid();
    const { accountId, factorId } = pending;
    const { account, revision } = await credentials.at(accountId);
    const isSame = account?.tokenVersion === pending.tokenVersion && account.factorId === factorId;
    const isOpen = account?.status === "active" || account?.status === "closed";
    if (!account || !isOpen || !isSame) throw challengeInvalid();
    const device = await devices.admit(accountId, [pending.device], nowMs);
    const guess = device ? undefined : await codes.count(accountId, caller);
    if (!device && !guess) return this.#requireLink(account, caller);
    let isWrong = false;
    try {
      const used = await codes.spend(account, factorId, code, revision, caller);
      isWrong = typeof used === "string";
      if (typeof used === "string") return await this.#refuse(account, used, caller);
      // Of two sign-ins with one challenge, each with its own code, only one succeeds.
      if (!(await challenges.end(challenge))) throw challengeInvalid();
      const others = brought.filter((secret) => device || secret !== pending.device);
      const checked = { account, ...used, device, brought: others };
      const session = await start.begin(checked, caller, sign);
      if (!session) throw challengeInvalid();
      if (guess) await guesses.giveBack(guess);
      await onSignIn?.(session.user.email);
      return session;
    } catch (error) {
      // As with passwords, only codes found wrong count.
      if (!isWrong && device)
        await devices.giveBack(accountId, device.secret).catch(() => undefined);
      if (!isWrong && guess) await guesses.giveBack(guess).catch(() => undefined);
      throw error;
    }
  }

  async #refuse(
    account: Account,
    refused: "wrong_code" | "code_reused",
    caller: Caller,
  ): Promise<never> {
    await this.#record(account, refused, caller);
    throw wrongCode();
  }

  async #requireLink(account: Account, caller: Caller): Promise<never> {
    const { background, signInLinks } = this.deps;
    await this.#record(account, "link_required", caller);
    background.run(() => signInLinks.request(account.id, caller));
    throw new DomainError("link_required", LINK_REQUIRED);
  }

  async #record(
    account: Account,
    refused: "wrong_code" | "code_reused" | "link_required",
    caller: Caller,
  ): Promise<void> {
    const { accounts, handler } = this.deps;
    const email = await accounts.email(account);
    const attempt = { type: "SignIn", email, accountId: account.id, refused } as const;
    await recordAttempt(handler, attempt, caller);
  }
}

function challengeInvalid(): DomainError {
  return new DomainError(
    "challenge_invalid",
    "This sign-in took too long, or the password was changed. Please enter your password again.",
  );
}
