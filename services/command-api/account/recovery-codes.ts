import { randomBytes } from "node:crypto";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { RECOVERY_CODES } from "./two-factor.decider.ts";

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

/** Keyed hash of a code as somebody types it: in any case, with or without hyphens, O for 0. */
export function recoveryCodeHash(blind: BlindIndexer, accountId: string, code: string): string {
  const typed = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return blind("recovery_code", JSON.stringify([accountId, typed]));
}
