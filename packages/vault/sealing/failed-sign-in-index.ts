import { hkdfSync } from "node:crypto";
import { blindIndex } from "./blind-index.ts";

const PURPOSE = "failed sign-ins of an account";

/**
 * By what the failed sign-ins of an account are found among those of a month, without opening each. Its key is
 * derived from the month's own: once that is destroyed, nobody can tell any more whose they were.
 * @param monthKey the key of `subjects.security`, 32 bytes.
 */
export function failedSignInIndex(monthKey: Buffer, accountId: string): string {
  const key = Buffer.from(hkdfSync("sha256", monthKey, "", PURPOSE, 32));
  return blindIndex(key, "account_id", accountId);
}
