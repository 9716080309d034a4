import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { makePassword } from "#launcher/first-admin.ts";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { SERVICE_NAMES } from "#runtime/db/service-roles.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";

/**
 * Creates the files below `folder` from which docker-compose.yml takes secrets, except existing
 * ones. Only this user may enter the folder. The files are readable to all, because a container
 * runs as another user and sees them with the same rights.
 * @returns names of the files that were created.
 */
export async function makeComposeSecrets(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: string[] = [];
  const ensure = async (name: string, make: () => string): Promise<string> => {
    const file = path.join(folder, name);
    const present = await readFile(file, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return "";
      throw error;
    });
    if (present.trim()) return present.trim();
    const text = make();
    await writeFileAtomically(file, `${text}\n`, 0o644);
    made.push(name);
    return text;
  };
  const random = () => randomBytes(24).toString("base64url");
  const password = await ensure("postgres_password", random);
  await ensure("database_url", () => `postgres://registry:${password}@postgres:5432/registry`);
  const keysPassword = await ensure("keys_postgres_password", random);
  await ensure("keys_url", () => `postgres://registry:${keysPassword}@postgres-keys:5432/keys`);
  for (const service of SERVICE_NAMES)
    await ensure(`${service.replaceAll("-", "_")}_password`, random);
  await ensure("master_key", () => randomBytes(32).toString("base64"));
  await ensure("admin_password", makePassword);
  await ensure("minio_root_password", random);
  await ensure("files_url", () => "file:///var/registry/files");
  return made;
}
