import { setTimeout as delay } from "node:timers/promises";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** The event log, of which only the position of its last event is read. */
export interface LogHead {
  head(): Promise<string>;
}

/** What a health check says. */
export interface NamedCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** A processor that is behind is looked at once more after this long: it may be at work. */
const PATIENCE_MS = 500;
/** A processor that is behind and has not moved for this long stands still. */
const STILL_MS = 10_000;

/**
 * Whether the read models follow the log: no processor stands still behind its head, and no event is
 * parked.
 */
export async function checkReadModels(
  db: ReadModelDatabase,
  store: LogHead,
): Promise<NamedCheck[]> {
  const head = await store.head();
  const parked = await db
    .selectFrom("processor.parked_stream")
    .select("stream")
    .limit(1)
    .executeTakeFirst();
  let isStill = await standsStill(db, head);
  if (isStill) {
    await delay(PATIENCE_MS);
    isStill = await standsStill(db, head);
  }
  return [
    { name: "read_models", ok: !isStill },
    { name: "parked_events", ok: parked === undefined },
  ];
}

async function standsStill(db: ReadModelDatabase, head: string): Promise<boolean> {
  const behind = await db
    .selectFrom("processor.checkpoint")
    .select("processor")
    .where("position", "<", head)
    .where("moved_at", "<", new Date(Date.now() - STILL_MS))
    .limit(1)
    .executeTakeFirst();
  return behind !== undefined;
}
