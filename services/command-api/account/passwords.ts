import { randomBytes } from "node:crypto";
import { hash, type Options, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";

/** Cost of a hash: memory in KiB, and passes over it. */
export type PasswordCost = Required<Pick<Options, "memoryCost" | "timeCost">>;

/** OWASP's recommendation for Argon2id. */
const OWASP: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** 2 is Argon2id, which the library exports as a const enum. */
const OPTIONS: Options = { algorithm: 2, parallelism: 1 };
let cost = OWASP;

/** Maximum number of hashes that a process computes concurrently. Each takes a core and 19 MiB. */
export const MAX_CONCURRENT_HASHES = 4;
/** Maximum number of waiting hashes. More are refused. */
export const MAX_QUEUED_HASHES = 32;
/** How many of these may be strangers'; the rest is reserved for confirmed owners on known devices. */
export const MAX_QUEUED_FROM_UNKNOWN_DEVICES = 24;

/** Whether the password comes from a known device or session of a confirmed account. */
export type Comparing = "known" | "stranger";

const turns = pLimit(MAX_CONCURRENT_HASHES);

/** @throws {DomainError} `unavailable` if too many are waiting. */
async function inTurn<T>(work: () => Promise<T>, by: Comparing = "known"): Promise<T> {
  const waiting = by === "known" ? MAX_QUEUED_HASHES : MAX_QUEUED_FROM_UNKNOWN_DEVICES;
  if (turns.activeCount + turns.pendingCount >= MAX_CONCURRENT_HASHES + waiting)
    throw new DomainError("unavailable", messages.unavailable);
  return turns(work);
}

/** Hash of a random password. Computed once, and again only after a failure. */
let dummy: Promise<string> | undefined;

/**
 * Hashes a password to a PHC string.
 * @throws {DomainError} `unavailable` if too many hashes are waiting, here and below.
 */
export async function hashPassword(password: string, by: Comparing = "known"): Promise<string> {
  return inTurn(() => hash(password.normalize("NFKC"), { ...OPTIONS, ...cost }), by);
}

/** Whether the password is the account's. Takes just as long without an account. */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  by: Comparing = "known",
): Promise<boolean> {
  if (passwordHash === undefined) return verifyAgainstDummy(password, by);
  return inTurn(() => verify(passwordHash, password.normalize("NFKC")), by);
}

/** Takes as long as a verification, and returns false. */
export async function verifyAgainstDummy(
  password: string,
  by: Comparing = "known",
): Promise<false> {
  dummy ??= hashPassword(randomBytes(32).toString("base64url")).catch((error: unknown) => {
    dummy = undefined;
    throw error;
  });
  const passwordHash = await dummy;
  await inTurn(() => verify(passwordHash, password.normalize("NFKC")), by);
  return false;
}

/** Computes the hash for unknown accounts. @param given cost of hashes, lower than recommended only in tests. */
export async function preparePasswords(given = OWASP): Promise<void> {
  cost = given;
  dummy = undefined;
  await verifyAgainstDummy("");
}
