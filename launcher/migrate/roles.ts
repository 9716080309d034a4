import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type pg from "pg";
import { SERVICE_NAMES, SERVICE_ROLES, type ServiceName } from "#runtime/db/service-roles.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";

export type RolePasswords = Readonly<Record<ServiceName, string>>;

const ITERATIONS = 4096;

/** Derives a different password for each role from one secret. */
export function passwordsFrom(secret: string): RolePasswords {
  const passwordOf = (role: string) =>
    createHmac("sha256", secret).update(role).digest("base64url");
  const entries = SERVICE_NAMES.map((name) => [name, passwordOf(SERVICE_ROLES[name])]);
  return Object.fromEntries(entries);
}

/** Creates missing roles and sets all passwords. @throws {CannotStart} if a role has more rights than allowed. */
export async function makeRoles(client: pg.ClientBase, passwords: RolePasswords): Promise<void> {
  for (const service of SERVICE_NAMES) {
    const role = SERVICE_ROLES[service];
    const { rows } = await client.query<{ powerful: boolean }>(
      `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as powerful
       from pg_roles where rolname = $1`,
      [role],
    );
    if (rows[0]?.powerful)
      throw new CannotStart(
        `The role ${role} has more rights than a service may have (superuser, create roles or databases, replication, bypass row security): revoke them, or drop the role.`,
      );
    if (rows.length === 0) await client.query(createRole(role));
    await client.query(`alter role ${role} login password '${verifierOf(passwords[service])}'`);
    await joinRole(client, role);
  }
}

/** Roles are server-wide, and another database on the server may be migrated concurrently. */
function createRole(role: string): string {
  return `do $$ begin create role ${role};
    exception when duplicate_object or unique_violation then null; end $$`;
}

/** An owner who is not a superuser can transfer objects only to roles it is a member of. */
async function joinRole(client: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await client.query(
    "select from pg_roles where rolname = current_user and rolsuper",
  );
  if (!rowCount) await client.query(`grant ${role} to current_user`);
}

/** The verifier that the server stores instead of a password (RFC 5803), so that no log contains the password. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const server = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`;
}
