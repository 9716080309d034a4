import { createHash } from "node:crypto";
import type { BlindIndexes } from "#contracts/events/report/stored-report.ts";
import { identifierOfKey, identityKeys } from "#search/matching.ts";

/** An index of PostgreSQL takes entries of some 2,700 bytes; names may grow when transliterated. */
const MAX_KEY = 500;

export interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly blind: BlindIndexes;
}

/** The report's identity keys, each short enough for an index: of a long name its hash stands. */
export function storedKeys(report: Named): string[] {
  return identityKeys(report).map((key) => {
    if (key.length <= MAX_KEY) return key;
    const [first = "", last = "", kind = "", hash = ""] = key.split("|");
    const name = createHash("sha256").update(`${first}|${last}`).digest("hex");
    return `#${name}||${kind}|${hash}`;
  });
}

/** Words for what two reports of one person have in common. */
const SHARED = {
  email: "e-mail",
  phone: "phone",
  card: "card",
  bank_account: "bank account",
  street_zip: "street and ZIP",
} as const;

/** What at least two of the lists of keys have in common, in words, in a fixed order. */
export function sharesOf(keyLists: Iterable<readonly string[]>): string[] {
  const seen = new Set<string>();
  const kinds = new Set<string>();
  for (const keys of keyLists) {
    for (const key of keys) {
      const kind = identifierOfKey(key);
      if (kind && seen.has(key)) kinds.add(kind);
      seen.add(key);
    }
  }
  return Object.entries(SHARED)
    .filter(([kind]) => kinds.has(kind))
    .map(([, words]) => words);
}
