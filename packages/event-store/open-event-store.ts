import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import type { EventStore } from "./port.ts";
import { createPostgresEventStore, installEventStore } from "./postgres/postgres-event-store.ts";
import type { StoreLog } from "./store-log.ts";

interface OpenEventStoreOptions {
  readonly log?: StoreLog;
  /** For PostgreSQL only: see {@link PostgresEventStoreOptions}. */
  readonly maxConnections?: number;
  readonly name?: string;
  /** Whether missing tables are created; true when absent. EventStoreDB has none, and connects on first use. */
  readonly install?: boolean;
}

/**
 * Opens the event log at a URL; the scheme chooses the adapter: `postgres://`, `esdb://`,
 * `esdb+discover://`.
 * @throws {ConfigInvalid} for another scheme or an invalid URL.
 * @throws {StoreUnavailable} @throws {SchemaMismatch} see {@link installEventStore}.
 */
export function openEventStore(
  url: string,
  { install = true, ...options }: OpenEventStoreOptions = {},
): Promise<EventStore> {
  const { log } = options;
  const eventStoreDB = async (connectionString: string) => {
    // Its client is hundreds of modules, so a process loads it only when its log is there.
    const { createEventStoreDBEventStore } = await import(
      "./eventstoredb/eventstoredb-event-store.ts"
    );
    try {
      return createEventStoreDBEventStore({ connectionString, log });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new ConfigInvalid([`EVENT_STORE_URL: ${error.message}`]);
    }
  };
  return chooseByScheme<Promise<EventStore>>("EVENT_STORE_URL", url, {
    postgres: async (connectionString) => {
      if (install) await installEventStore(connectionString);
      return createPostgresEventStore({ connectionString, ...options });
    },
    esdb: eventStoreDB,
    "esdb+discover": eventStoreDB,
  });
}
