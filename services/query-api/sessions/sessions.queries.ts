import type { FastifyBaseLogger } from "fastify";
import { type Selectable, sql } from "kysely";
import { SESSION_IDLE_MS } from "#command-tables/account.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { type ClientView, maskClient } from "../actors/actor-names.ts";

/** Maximum number of sessions listed besides the current one. */
export const SESSIONS_LISTED = 100;

/** Session events caused by the owner's browser. */
const FROM_BROWSER = ["SessionStarted", "SessionUsed", "PasswordProved"] as const;

/** Location of the encrypted client of a session's last use; null before the audit log has it. */
type LastUse = {
  [Column in "event_id" | "stream" | "event_type" | "schema_version" | "client"]:
    | Selectable<AuditEntryTable>[Column]
    | null;
};

export interface SessionRow extends LastUse {
  readonly id: string;
  readonly started_at: Date;
  readonly last_used_at: Date;
}

/** Returns the account's open sessions, each with its last use. @param currentId is always included. */
export async function findSessions(
  db: ReadModelDatabase,
  accountId: string,
  currentId: string,
  now: Date,
): Promise<readonly SessionRow[]> {
  const own = () =>
    db
      .selectFrom("command.session")
      .select(["id", "started_at", "last_used_at"])
      .where("account_id", "=", accountId)
      .where("ended_at", "is", null)
      .where("expires_at", ">", now)
      .where("last_used_at", ">", new Date(now.getTime() - SESSION_IDLE_MS));
  const newest = own().orderBy("last_used_at", "desc").limit(SESSIONS_LISTED);
  return await db
    .selectFrom(
      db
        .selectFrom(newest.as("newest"))
        .selectAll()
        .union(own().where("id", "=", currentId))
        .as("session"),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("audit.entry")
          .select(["event_id", "stream", "event_type", "schema_version", "client"])
          .where("stream", "=", sql<string>`'session-' || session.id`)
          .where("event_type", "in", FROM_BROWSER)
          .orderBy("position", "desc")
          .limit(1)
          .as("use"),
      (join) => join.onTrue(),
    )
    .selectAll()
    .orderBy(sql`session.id = ${currentId}`, "desc")
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .execute();
}

/** Returns where a session was last used, masked; empty before the audit log has it. */
export function clientOf(row: SessionRow, keys: KeyLookups, log: FastifyBaseLogger): ClientView {
  const { event_id: id, stream, event_type: type, schema_version: schemaVersion, client } = row;
  if (!id || !stream || !type || !schemaVersion || !client) return {};
  return maskClient({ id, stream, type, data: {}, metadata: { schemaVersion, client } }, keys, log);
}
