import type { EventStore } from "../../port.ts";
import { createEventStoreDBEventStore } from "../eventstoredb-event-store.ts";

/** Called by the suite's process that appends until it is killed; `config` is the server's URL. */
export async function openForWriting(config: string): Promise<EventStore> {
  return createEventStoreDBEventStore({ connectionString: config });
}
