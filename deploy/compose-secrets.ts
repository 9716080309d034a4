/** `npm run compose:secrets`: creates the secrets for docker-compose.yml that do not exist yet. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { makeComposeSecrets } from "./secret-files.ts";

takesNoArguments("compose:secrets");
const folder = path.resolve(import.meta.dirname, "../secrets");
for (const name of await makeComposeSecrets(folder)) console.log(`created secrets/${name}`);
console.log(`The first admin's password is in ${path.join(folder, "admin_password")}.`);
if ((await readFile(path.join(folder, "files_url"), "utf8")).includes("@minio:"))
  console.log("secrets/files_url names MinIO: start with docker compose --profile s3 up.");
console.log("Keep secrets/master_key separate from the backups of the databases.");
