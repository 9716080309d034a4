import { createHash } from "node:crypto";
import type { BlindIndexes } from "#contracts/events/report/stored-report.ts";
import { identityKeys } from "#search/matching.ts";

export { sharesOf } from "#search/matching.ts";

/**
 * An entry of a PostgreSQL index may have about 2,700 bytes, and names may grow when
 * transliterated.
 */
const MAX_KEY = 500;

export interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly blind: BlindIndexes;
}

/** The report's identity keys, short enough for an index. A long name is replaced by its hash. */
export function storedKeys(report: Named): string[] {
  return identityKeys(report).map((key) => {
    if (key.length <= MAX_KEY) return key;
    const [first = "", last = "", kind = "", hash = ""] = key.split("|");
    const name = createHash("sha256").update(`${first}|${last}`).digest("hex");
    return `#${name}||${kind}|${hash}`;
  });
}
