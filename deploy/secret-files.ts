import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { makePassword } from "#launcher/first-admin.ts";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { SERVICE_NAMES } from "#runtime/db/service-roles.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";

/** The users of Redis, each with the prefix of its keys as the secret `<user>_url` has them. */
const REDIS_KEYS = { rate_limit: "registry:limits:", jobs: "registry:jobs:" } as const;
type RedisUser = keyof typeof REDIS_KEYS;
const REDIS_USERS = Object.keys(REDIS_KEYS) as RedisUser[];

/**
 * Redis's list of users: each has its own keys, and no command that concerns the server but `INFO`,
 * which clients ask when they connect. Who names no user can only ask whether the server answers.
 * @param passwords as they are in URLs; a user without one is left out.
 */
export function redisUsers(passwords: Partial<Record<RedisUser, string>>): string {
  const users = REDIS_USERS.flatMap((user) => {
    const hash = createHash("sha256").update(decodeURIComponent(passwords[user] ?? ""));
    const rights = `resetkeys ~${REDIS_KEYS[user]}* resetchannels +@all -@dangerous +info`;
    return passwords[user] ? [`user ${user} on #${hash.digest("hex")} ${rights}`] : [];
  });
  return ["user default on nopass resetkeys resetchannels -@all +ping", ...users].join("\n");
}

/**
 * Creates the files below `folder` from which docker-compose.yml takes secrets, except existing
 * ones; Redis's list of users follows the passwords in the URLs. Only this user may enter the folder. The files are readable to all, because a container
 * runs as another user and sees them with the same rights.
 * @returns names of the files that were created.
 */
export async function makeComposeSecrets(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: string[] = [];
  const ensure = async (
    name: string,
    make: () => string,
    isCurrent = (_text: string) => true,
  ): Promise<string> => {
    const file = path.join(folder, name);
    const present = await readFile(file, "utf8").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT") return "";
      throw error;
    });
    if (present.trim() && isCurrent(present.trim())) return present.trim();
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
  const redis: Partial<Record<RedisUser, string>> = {};
  for (const user of REDIS_USERS) {
    const url = await ensure(`${user}_url`, () => `redis://${user}:${random()}@redis:6379`);
    redis[user] = new URL(url).password;
  }
  const users = redisUsers(redis);
  await ensure(
    "redis_users",
    () => users,
    (text) => text === users,
  );
  await ensure("master_key", () => randomBytes(32).toString("base64"));
  await ensure("admin_password", makePassword);
  await ensure("minio_root_password", random);
  await ensure("files_url", () => "file:///var/registry/files");
  return made;
}
