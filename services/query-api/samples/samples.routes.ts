import { streams } from "#contracts/events/index.ts";
import { SamplesReply } from "#contracts/http/reports.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

/** Whether there are sample reports. Doesn't wait for a log position: only the operator changes this. */
export function samplesRoutes(app: ServiceInstance, { db }: ReadSide): void {
  const read = reads(ROLES, "public reports");
  app.get(
    "/prod/api/samples",
    read({
      summary: "Whether sample reports are loaded",
      reply: SamplesReply,
    }),
    async () => succeed({ loaded: await samplesAreLoaded(db) }),
  );
}

/** Whether samples have been loaded and not cleared since, according to the audit log. */
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
