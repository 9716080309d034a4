import { streams } from "#contracts/events/index.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Whether samples were loaded and not cleared since, according to the audit log. */
export async function samplesAreLoaded(db: ReadModelDatabase): Promise<boolean> {
  const last = await db
    .selectFrom("audit.entry")
    .select("event_type")
    .where("stream", "=", streams.log)
    .where("event_type", "in", ["SamplesLoaded", "SamplesCleared"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.event_type === "SamplesLoaded";
}
