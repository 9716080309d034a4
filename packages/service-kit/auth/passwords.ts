import { randomBytes } from "node:crypto";
import { hash, type Options, verify } from "@node-rs/argon2";

/** Argon2id (2, a const enum of the library) with 19 MiB and 2 passes, as OWASP advises. */
const OPTIONS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash of a password that nobody has; made once, and again after a failure. */
let dummy: Promise<string> | undefined;

/** The PHC string of a password, with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), OPTIONS);
}

/**
 * Whether the password is the account's. Without a hash (no such account) the answer is no and
 * takes as long, so that nobody learns from the time which accounts there are.
 */
export async function verifyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  if (passwordHash === undefined) return verifyAgainstDummy(password);
  return verify(passwordHash, password.normalize("NFKC"));
}

/** Takes the time of a verification and says no. */
export async function verifyAgainstDummy(password: string): Promise<false> {
  dummy ??= hashPassword(randomBytes(32).toString("base64url"));
  try {
    await verify(await dummy, password.normalize("NFKC"));
  } catch (error) {
    dummy = undefined;
    throw error;
  }
  return false;
}

/** Makes the hash that unknown accounts are compared with; call it before the first sign-in. */
export async function preparePasswords(): Promise<void> {
  await verifyAgainstDummy("");
}
