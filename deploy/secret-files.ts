import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import bcrypt from "bcryptjs";
import { parse, stringify } from "yaml";
import { makePassword } from "#launcher/first-admin.ts";
import { writeFileAtomically } from "#runtime/atomic-file.ts";
import { SERVICE_NAMES } from "#runtime/db/service-roles.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";
import { AUTHORITY_FILE, ensureCertificates } from "./certificates.ts";

/** Redis users, each with its key prefix, which matches the secret `<user>_url`. */
const REDIS_KEYS = { rate_limit: "registry:limits:", jobs: "registry:jobs:" } as const;
type RedisUser = keyof typeof REDIS_KEYS;
const REDIS_USERS = Object.keys(REDIS_KEYS) as RedisUser[];

/** The nodes of docker-compose.yml and docker-compose.cluster.yml. */
const EVENT_STORES = {
  event_store_url: "eventstoredb:2113",
  event_store_cluster_url: "eventstoredb:2113,eventstoredb-2:2113,eventstoredb-3:2113",
} as const;

/**
 * Builds Redis's list of users: each has its own keys, and no server command but `INFO`, which clients send
 * when they connect. A client without a user can only ping the server.
 * @param passwords as in the URLs; a user without one is left out.
 */
function redisUsers(passwords: Partial<Record<RedisUser, string>>): string {
  const users = REDIS_USERS.flatMap((user) => {
    const hash = createHash("sha256").update(decodeURIComponent(passwords[user] ?? ""));
    const rights = `resetkeys ~${REDIS_KEYS[user]}* resetchannels +@all -@dangerous +info`;
    return passwords[user] ? [`user ${user} on #${hash.digest("hex")} ${rights}`] : [];
  });
  return ["user default on nopass resetkeys resetchannels -@all +ping", ...users].join("\n");
}

/**
 * Creates the secret files that docker-compose.yml uses below `folder`, without replacing existing ones. Lists of
 * users follow the passwords in the URLs.
 * @param renewCertificates see {@link ensureCertificates}.
 * @returns names of the files that were written.
 */
export async function makeComposeSecrets(
  folder: string,
  { renewCertificates = false } = {},
): Promise<readonly string[]> {
  const files = await openSecretFolder(folder);
  await ensureCertificates(files, renewCertificates);
  await makeDatabaseSecrets(files);
  await makeRedisSecrets(files);
  await makeSearchSecrets(files);
  await makeEventStoreSecrets(files);
  await files.ensure("master_key", () => randomBytes(32).toString("base64"));
  await files.ensure("admin_password", makePassword);
  await files.ensure("seaweedfs_identities", () => seaweedIdentities(random()));
  await files.ensure("files_url", () => "file:///var/registry/files");
  return files.made;
}

/** Permissions in SeaweedFS: one user with one bucket, which it may create. */
function seaweedIdentities(secretKey: string): string {
  const actions = ["Admin", "Read", "Write", "List"].map((action) => `${action}:evidence`);
  const registry = {
    name: "registry",
    credentials: [{ accessKey: "registry", secretKey }],
    actions,
  };
  return JSON.stringify({ identities: [registry] }, undefined, 2);
}

function random(): string {
  return randomBytes(24).toString("base64url");
}

async function makeDatabaseSecrets(files: SecretFiles): Promise<void> {
  for (const [prefix, place] of [
    ["", "postgres:5432/registry"],
    ["keys_", "postgres-keys:5432/keys"],
  ] as const) {
    const password = await files.ensure(`${prefix}postgres_password`, random);
    const url = `postgres://registry:${password}@${place}?sslmode=verify-full&sslrootcert=${AUTHORITY_FILE}`;
    await files.ensure(prefix ? "keys_url" : "database_url", () => url);
  }
  for (const service of SERVICE_NAMES)
    await files.ensure(`${service.replaceAll("-", "_")}_password`, random);
}

async function makeRedisSecrets(files: SecretFiles): Promise<void> {
  const passwords: Partial<Record<RedisUser, string>> = {};
  for (const user of REDIS_USERS) {
    const url = await files.ensure(
      `${user}_url`,
      () => `rediss://${user}:${random()}@redis:6379?tlsCAFile=${AUTHORITY_FILE}`,
    );
    passwords[user] = new URL(url).password;
  }
  const users = redisUsers(passwords);
  await files.ensure(
    "redis_users",
    () => users,
    (text) => text === users,
  );
}

async function makeSearchSecrets(files: SecretFiles): Promise<void> {
  const passwords: Record<string, string> = {};
  for (const user of ["projector", "query_api"] as const) {
    const url = await files.ensure(
      `${user}_search_url`,
      () => `https://${user}:${random()}@opensearch:9200?tlsCAFile=${AUTHORITY_FILE}`,
    );
    passwords[user] = decodeURIComponent(new URL(url).password);
  }
  await files.ensure(
    "opensearch_users",
    (present) => searchUsers(passwords, present),
    (text) => text === searchUsers(passwords, text),
  );
}

async function makeEventStoreSecrets(files: SecretFiles): Promise<void> {
  const password = await files.ensure("eventstoredb_admin_password", random);
  // A built-in user that no one needs and that must not keep its well-known password.
  await files.ensure("eventstoredb_ops_password", random);
  for (const [name, nodes] of Object.entries(EVENT_STORES)) {
    const url = `esdb://admin:${password}@${nodes}?tls=true&tlsCAFile=${AUTHORITY_FILE}`;
    await files.ensure(name, () => url);
  }
}

/** Few rounds suffice, as the passwords are 24 random bytes and cannot be guessed. */
const ROUNDS = 8;

/**
 * Builds OpenSearch's list of users (`internal_users.yml`) with hashes of their passwords. Their permissions
 * are in `deploy/stores/opensearch/roles.yml`.
 * @param passwords by user name.
 * @param present an earlier list, whose hashes are kept if they match the password.
 */
function searchUsers(passwords: Readonly<Record<string, string>>, present = ""): string {
  const former = (parse(present) ?? {}) as Record<string, { readonly hash?: string } | undefined>;
  const users = Object.entries(passwords).map(([user, password]) => {
    const kept = former[user]?.hash;
    const fits = kept !== undefined && bcrypt.compareSync(password, kept);
    return [user, { hash: fits ? kept : bcrypt.hashSync(password, ROUNDS) }];
  });
  const meta = { type: "internalusers", config_version: 2 };
  return stringify({ _meta: meta, ...Object.fromEntries(users) }).trim();
}

/** The files below `secrets/`, each with one secret. */
export interface SecretFiles {
  /** Names of the files that were written, without duplicates. */
  readonly made: readonly string[];
  /** @returns the file's trimmed text; empty if there is no such file. */
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
  /** Writes a file that is missing, empty or outdated. @param make gets the current text. @returns the text. */
  ensure(
    name: string,
    make: (present: string) => string,
    isCurrent?: (present: string) => boolean,
  ): Promise<string>;
}

/** Opens or creates the folder, for this user only. All users can read its files, for containers. */
export async function openSecretFolder(folder: string): Promise<SecretFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made: string[] = [];
  const files: SecretFiles = {
    made,
    read: async (name) => {
      try {
        return (await readFile(path.join(folder, name), "utf8")).trim();
      } catch (error) {
        if (errorCode(error) === "ENOENT") return "";
        throw error;
      }
    },
    write: async (name, text) => {
      await writeFileAtomically(path.join(folder, name), `${text}\n`, 0o644);
      if (!made.includes(name)) made.push(name);
    },
    ensure: async (name, make, isCurrent = () => true) => {
      const present = await files.read(name);
      if (present && isCurrent(present)) return present;
      const text = make(present);
      await files.write(name, text);
      return text;
    },
  };
  return files;
}
