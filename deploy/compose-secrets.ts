/** `npm run compose:secrets`: creates missing secrets for docker-compose.yml. */
import path from "node:path";
import { readArguments, UsageError } from "#runtime/lifecycle/usage.ts";
import { endOfCertificates } from "./certificates.ts";
import { makeComposeSecrets, openSecretFolder } from "./secret-files.ts";

const RENEW = "--renew-certificates";
const renewCertificates = readArguments(
  `Usage: npm run compose:secrets [-- ${RENEW}]`,
  ([word, more]) => {
    const unknown = word === RENEW ? more : word;
    if (unknown !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(unknown)}.`);
    return word === RENEW;
  },
);
const folder = path.resolve(import.meta.dirname, "../secrets");
const made = await makeComposeSecrets(folder, { renewCertificates });
for (const name of made) console.log(`wrote secrets/${name}`);
const files = await openSecretFolder(folder);
console.log(`The first admin's password is in ${path.join(folder, "admin_password")}.`);
if ((await files.read("files_url")).includes("@seaweedfs:"))
  console.log("secrets/files_url names SeaweedFS: start with docker compose --profile s3 up.");
const end = (await endOfCertificates(files)).toISOString().slice(0, 10);
console.log(`The servers' certificates are valid until ${end} (docs/runbooks/certificates.md).`);
console.log("Keep secrets/master_key separate from the backups of the databases.");
