import { createEventStoreDBEventStore } from "#event-store/eventstoredb/eventstoredb-event-store.ts";
import { StandInServer } from "#event-store/eventstoredb/testing/stand-in-server.ts";
import { START } from "#event-store/port.ts";
import { testServerUrl } from "#test-kit/config.ts";

/** An EventStoreDB whose log is empty, or why the one that was asked for cannot serve. */
export type EmptyEventStoreDB =
  | { readonly name: string; readonly url: string; close(): Promise<void> }
  | { readonly absent: string };

/**
 * The server that TEST_EVENT_STORE_URL names, whose log must be empty: a registry reads all of it.
 * Without one, a stand-in in this process, which any number of processes may share.
 */
export async function emptyEventStoreDB(): Promise<EmptyEventStoreDB> {
  const url = testServerUrl("TEST_EVENT_STORE_URL");
  if (!url) {
    const server = new StandInServer();
    await server.start();
    return { name: "a stand-in", url: server.url, close: async () => server.kill() };
  }
  const store = createEventStoreDBEventStore({ connectionString: url });
  try {
    if ((await store.head()) !== START)
      return { absent: "the log at TEST_EVENT_STORE_URL is not empty" };
  } finally {
    await store.close();
  }
  return { name: "the server of TEST_EVENT_STORE_URL", url, close: async () => undefined };
}
