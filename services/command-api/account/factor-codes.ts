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

/** Maximum number of codes compared per account and hour, for all unknown devices together. */
export const CODE_GUESSES = 10;

/** A correct code, now used up. */
export interface UsedCode {
  readonly method: "two_factor" | "recovery_code";
  /** Revision of the account at which its credentials were checked. */
  readonly revision: number;
}

/** Verifies codes from authenticators, and recovery codes. Each works once. */
export class FactorCodes extends Service<
  Pick<Dependencies, "handler" | "accounts" | "guesses" | "factors" | "blind">
> {
  /**
   * Requires a code of the caller's second factor, whatever the session has proved before. Wrong codes count
   * together with those from unknown devices.
   * @param options.isOptional whether an account without a second factor may proceed; true by default.
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

  /** Counts a code from an unknown device. @returns undefined if there were too many within an hour. */
  count(accountId: string, { now }: Caller): Promise<Guess | undefined> {
    const { blind, guesses } = this.deps;
    return guesses.count(blind("code_guess", accountId), Date.parse(now), CODE_GUESSES);
  }

  /** Uses up a code. Always looks up both kinds, so that a wrong code takes just as long. */
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

/** Parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, a new code every 30 seconds. */
const ALGORITHM = "SHA1";
const DIGITS = 6;
const PERIOD = 30;
/** Steps before and after the current one whose codes are accepted: clocks drift, and people are slow. */
const WINDOW = 1;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** Generates a secret, in base32. */
export function newTotpSecret(): string {
  const { buffer, byteOffset, byteLength } = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) }).base32;
}

/** Builds the URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  const options = { algorithm: ALGORITHM, digits: DIGITS, period: PERIOD };
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), ...options }).toString();
}

/** Returns the time step of a code; undefined for a wrong one, which takes just as long. */
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

/** 80 bits each: 16 characters out of 32. */
const SIGNS = 16;
/** Crockford's base32, without characters that look alike. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Generates a set as displayed: `7K2M-09XT-QWER-4HJB`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const signs = Array.from(randomBytes(SIGNS), (byte) => ALPHABET[byte % ALPHABET.length]);
    return signs.join("").replace(/(.{4})(?=.)/g, "$1-");
  });
}

/** Keyed hash of a code as typed: in any case, with or without hyphens, O for 0. */
export function recoveryCodeHash(blind: BlindIndexer, accountId: string, code: string): string {
  const typed = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return blind("recovery_code", JSON.stringify([accountId, typed]));
}
