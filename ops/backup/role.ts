import { createClient } from "#runtime/db/pool.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";

/** SQLSTATEs for a role that is not there: PostgreSQL tells it from a wrong password to nobody. */
const NO_ROLE = new Set(["28P01", "28000"]);

/**
 * Looks whether the role of backups may connect.
 * @param url of the database, for the role that is to read it.
 * @throws {Refusal} an earlier version made the database, and this one has not started on it.
 */
export async function requireRole(url: string): Promise<void> {
  if (!url.includes(`//${SERVICE_ROLES.backup}:`)) return;
  const client = createClient({ url, name: "backup" });
  try {
    await client.connect();
  } catch (error) {
    if (!NO_ROLE.has(errorCode(error) ?? "")) throw error;
    throw new Refusal(
      `The database does not let the role ${SERVICE_ROLES.backup} in, which reads for backups and is made at the start of this version: start the registry once, or run npm run migrate.`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
