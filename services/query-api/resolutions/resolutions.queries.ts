import { sql } from "kysely";
import { OPEN_RESOLUTIONS } from "#contracts/http/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import { readThroughIndexes } from "../indexed-reads.ts";

export type OpenResolutionRow = Awaited<ReturnType<typeof findOpenResolutions>>[number];

/**
 * Open requests for the RESOLVED banner: those whose letter waits to be checked first, the oldest of each
 * first. One more than are shown.
 */
export function findOpenResolutions(db: ReadModelDatabase) {
  const stage = sql<"requested" | "letter_accepted">`${sql.raw(RESOLUTION_STAGE)}`;
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("reports.report")
      .select(["id", "first_name", "last_name", "status", "resolution", "resolution_at"])
      .where("resolution_at", "is not", null)
      .where(stage, "in", ["requested", "letter_accepted"])
      .orderBy(stage, "desc")
      .orderBy("resolution_at")
      .orderBy("id")
      .limit(OPEN_RESOLUTIONS + 1)
      .execute(),
  );
}
