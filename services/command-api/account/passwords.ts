import { randomBytes } from "node:crypto";
import { hash, type Options, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { DomainError } from "#contracts/domain-error.ts";
import { messages } from "#http/errors.ts";

/** Argon2id (2, a const enum of the library) with 19 MiB and 2 passes, as OWASP advises. */
const OPTIONS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes that one process makes or compares at once: each takes a core, and 19 MiB. */
export const HASHES_AT_ONCE = 4;
/** Those that wait for their turn; a process turns away what comes on top. */
export const HASHES_WAITING = 32;
/** As many of them may be strangers': there is room left for devices that an account knows. */
export const STRANGERS_WAITING = 24;

/** Whose password is compared: that of a device which the account knows, or of any other. */
export type Comparing = "known" | "stranger";

const turns = pLimit(HASHES_AT_ONCE);

/** @throws {DomainError} `unavailable` when as many wait already as may. */
async function inTurn<T>(work: () => Promise<T>, by: Comparing = "known"): Promise<T> {
  const waiting = by === "known" ? HASHES_WAITING : STRANGERS_WAITING;
  if (turns.activeCount + turns.pendingCount >= HASHES_AT_ONCE + waiting)
    throw new DomainError("unavailable", messages.unavailable);
  return turns(work);
}

/** Hash of a password that nobody has; made once, and again after a failure. */
let dummy: Promise<string> | undefined;

/**
 * The PHC string of a password, with its own salt.
 * @throws {DomainError} `unavailable` when too many hashes wait; so do the functions below.
 */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize("NFKC"), OPTIONS));
}

/**
 * Whether the password is the account's. Without a hash (no such account) the answer is no and
 * takes as long, so that nobody learns from the time which accounts there are.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  by: Comparing = "known",
): Promise<boolean> {
  if (passwordHash === undefined) return verifyAgainstDummy(password, by);
  return inTurn(() => verify(passwordHash, password.normalize("NFKC")), by);
}

/** Takes the time of a verification and says no. */
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

/** Makes the hash that unknown accounts are compared with; call it before the first sign-in. */
export async function preparePasswords(): Promise<void> {
  await verifyAgainstDummy("");
}
