/** `npm run keys:replace -- <name>`: adds a new service key beside the current one. */

import { readArguments, refuseMore, UsageError } from "#runtime/lifecycle/usage.ts";
import { KeyReplacementRefused } from "#vault/keys/key-store.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { REPLACEABLE_KEYS, replaceableKey } from "#vault/keys/service-keys.ts";
import { runWithStores } from "./with-stores.ts";

const name = readArguments(
  `Usage: npm run keys:replace -- ${REPLACEABLE_KEYS.join("|")}`,
  ([given, more]) => {
    if (given === undefined) throw new UsageError("Which key should be replaced?");
    refuseMore(more);
    try {
      return replaceableKey(given);
    } catch (error) {
      if (!(error instanceof KeyReplacementRefused)) throw error;
      throw new UsageError(error.message);
    }
  },
);

await runWithStores(async ({ instance }) => {
  const { masterKeys, stores } = instance;
  const keys = await openKeyStore({ database: stores.KEYS_URL, masterKeys });
  try {
    const { usedFrom, formerEnds } = await keys.replaceServiceKey(name);
    console.log(`The new ${name} key takes effect at ${usedFrom.toISOString()}.`);
    console.log(`The previous key is accepted until ${formerEnds.toISOString()}.`);
    return 0;
  } finally {
    await keys.close();
  }
});
