import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Caller, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { accountAggregate } from "./account.aggregate.ts";
import { sessionOver } from "./account.decider.ts";
import type { Account } from "./account.store.ts";
import type { Guess } from "./password-proof.ts";
import { asOwner } from "./session-start.ts";
import { RECOVERY_CODES, wrongCode } from "./two-factor.decider.ts";

/** Codes an hour that are compared for one account, for all unknown devices together. */
export const CODE_GUESSES = 10;

/** A code that was found right, and used up. */
export interface UsedCode {
  readonly method: "two_factor" | "recovery_code";
  /** The account's, against which its credentials were checked. */
  readonly revision: number;
}

/** Codes of an authenticator, and recovery codes: each counts once. */
export class FactorCodes extends Service<
  Pick<Dependencies, "handler" | "accounts" | "guesses" | "factors" | "blind">
> {
  /**
   * Asks for a code of the caller's second factor, whatever the session has shown. Wrong codes count with
   * those of unknown devices.
   * @param options.isOptional whether an account without a second factor may go on; true by default.
   * @throws {DomainError} `code_required`, `wrong_code`, `too_many_requests`, `invalid_token`,
   *   `second_factor_required`
   */
  async demand(
    code: string | undefined,
    caller: Caller,
    { isOptional = true }: { readonly isOptional?: boolean } = {},
  ): Promise<void> {
    const { accounts, guesses, handler } = this.deps;
    const { id } = caller.actor;
    const account = await accounts.byId(id);
    const loaded = await handler.load(accountAggregate(id));
    if (!account || !loaded) throw sessionOver();
    const { factorId } = account;
    if (!factorId && isOptional) return;
    if (!factorId) throw new DomainError("second_factor_required", messages.second_factor_required);
    if (code === undefined) throw new DomainError("code_required", messages.code_required);
    const guess = await this.count(id, caller);
    if (!guess)
      throw new DomainError("too_many_requests", "Too many wrong codes. Try again in an hour.");
    const used = await this.spend(account, factorId, code, loaded.revision, caller);
    if (typeof used === "string") throw wrongCode();
    await guesses.giveBack(guess);
  }

  /** Counts a code of an unknown device. @returns undefined when there were too many within an hour. */
  count(accountId: string, { now }: Caller): Promise<Guess | undefined> {
    const { blind, guesses } = this.deps;
    return guesses.count(blind("code_guess", accountId), Date.parse(now), CODE_GUESSES);
  }

  /** Uses a code up. Both kinds are looked for, whatever was typed: a wrong one takes as long. */
  async spend(
    account: Account,
    factorId: string,
    code: string,
    revision: number,
    caller: Caller,
  ): Promise<UsedCode | "wrong_code" | "code_reused"> {
    const { blind, factors, handler } = this.deps;
    const factor = await factors.byId(factorId);
    const found = await factors.findCode(account.id, recoveryCodeHash(blind, account.id, code));
    const step = factor && totpStep(factor.secret, code, Date.parse(caller.now));
    if (step !== undefined) {
      const isFirst = await factors.spendStep(factorId, step);
      return isFirst ? { method: "two_factor", revision } : "code_reused";
    }
    if (!found) return "wrong_code";
    try {
      const command = { type: "UseRecoveryCode", ...found, accountRevision: revision } as const;
      const outcome = await handler.execute(
        accountAggregate(account.id),
        command,
        newEnvelope(asOwner(caller, account)),
      );
      return { method: "recovery_code", revision: outcome.revision };
    } catch (error) {
      if (error instanceof DomainError && error.code === "wrong_code") return "code_reused";
      throw error;
    }
  }
}

/** What every authenticator app can do (RFC 6238): SHA-1, six digits, a new code every 30 seconds. */
const ALGORITHM = "SHA1";
const DIGITS = 6;
const PERIOD = 30;
/** Steps before and after the present one whose codes count: clocks differ, and people are slow. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 advises. */
const SECRET_BYTES = 20;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  const { buffer, byteOffset, byteLength } = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  const options = { algorithm: ALGORITHM, digits: DIGITS, period: PERIOD };
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), ...options }).toString();
}

/** The time step whose code this is; undefined for a wrong one, which takes as long. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const typed = code.replace(/\s/g, "");
  const isCode = /^\d{6}$/.test(typed);
  const delta = TOTP.validate({
    token: isCode ? typed : "000000",
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD,
    timestamp: nowMs,
    window: WINDOW,
  });
  if (!isCode || delta === null) return undefined;
  return Math.floor(nowMs / (PERIOD * 1000)) + delta;
}

/** 80 bits each: 16 signs of 32. */
const SIGNS = 16;
/** Crockford's: no sign looks like another one. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A new set, as it is shown: `7K2M-09XT-QWER-4HJB`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const signs = Array.from(randomBytes(SIGNS), (byte) => ALPHABET[byte % ALPHABET.length]);
    return signs.join("").replace(/(.{4})(?=.)/g, "$1-");
  });
}

/** Keyed hash of a code as someone types it: in any case, with or without hyphens, O for 0. */
export function recoveryCodeHash(blind: BlindIndexer, accountId: string, code: string): string {
  const typed = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return blind("recovery_code", JSON.stringify([accountId, typed]));
}
