/** `npm run keys:rotate`: wraps every key under a new master key, while the system runs. */
import { randomBytes } from "node:crypto";
import { writeMasterKeys } from "#launcher/secrets.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { runWithStores } from "./with-stores.ts";

takesNoArguments("keys:rotate");
await runWithStores(async ({ instance }) => {
  const { config, masterKeys, paths, stores } = instance;
  const inFile = config.variables.MASTER_KEY === undefined;
  const [first, former] = await masterKeys();
  if (!first) throw new Error("there is no master key");
  if (!inFile && !former) {
    console.error(
      "MASTER_KEY holds only the present key: put a new one in front of it (new,former), start the services with both, and run this again with the same value.",
    );
    return 1;
  }
  // Two keys in the file mean an interrupted rotation. It continues with the key that was made
  // then.
  const wanted = former ? first : randomBytes(32);
  if (!former) await writeMasterKeys(paths, [wanted, first]);
  const keys = await openKeyStore({ database: stores.KEYS_URL, masterKeys });
  try {
    const count = await keys.rotate(wanted, (done) => console.log(`  ${done} keys...`));
    if (inFile) await writeMasterKeys(paths, [wanted]);
    console.log(`${count} keys are now wrapped with the new master key.`);
    console.log(
      inFile
        ? `It is in ${paths.masterKey}: keep a copy, separate from the backups of the database.`
        : "Remove the former one from MASTER_KEY at the next start.",
    );
    return 0;
  } finally {
    await keys.close();
  }
});
