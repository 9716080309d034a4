import { sql } from "kysely";
import { MOST_PROCESSES } from "#contracts/http/system.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { SERVICE_NAMES } from "#runtime/db/service-roles.ts";

/** What the services say about themselves, the newest first, and how many seconds ago they did. */
export function findReports(db: ReadModelDatabase) {
  return db
    .selectFrom("ops.process")
    .select([
      "process_id",
      "service",
      "version",
      "uptime_seconds",
      "memory_bytes",
      "cpu_share",
      "parts",
      "processors",
      "servers",
      sql<number>`greatest(0, extract(epoch from now() - beat_at))::int`.as("age"),
    ])
    .orderBy("beat_at", "desc")
    .limit(MOST_PROCESSES * SERVICE_NAMES.length)
    .execute();
}

/** The backups as they were last listed; undefined before the first backup. */
export function findBackups(db: ReadModelDatabase) {
  return db
    .selectFrom("ops.backup_place")
    .select(["list", "listed_at"])
    .where("list", "is not", null)
    .executeTakeFirst();
}

export type ServiceReport = Awaited<ReturnType<typeof findReports>>[number];
