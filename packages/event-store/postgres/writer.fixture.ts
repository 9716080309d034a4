import type { EventStore } from "../port.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";

/** Called by the suite's process that appends until it is killed; `config` is the database's URL. */
export async function openForWriting(config: string): Promise<EventStore> {
  return createPostgresEventStore({ connectionString: config });
}
