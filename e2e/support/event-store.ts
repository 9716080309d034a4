import { createEventStoreDBEventStore } from "#event-store/eventstoredb/eventstoredb-event-store.ts";
import { StandInServer } from "#event-store/eventstoredb/testing/stand-in-server.ts";
import { START } from "#event-store/port.ts";
import { testServerUrl } from "#test-kit/config.ts";

/** An EventStoreDB whose log is empty. */
export interface EmptyEventStoreDB {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Returns the server at TEST_EVENT_STORE_URL if its log is empty, because a registry reads all of it. Otherwise
 * starts a stand-in in this process, which any number of processes may share.
 */
export async function emptyEventStoreDB(): Promise<EmptyEventStoreDB> {
  const url = testServerUrl("TEST_EVENT_STORE_URL");
  if (!url) return standIn("a stand-in");
  const store = createEventStoreDBEventStore({ connectionString: url });
  try {
    if ((await store.head()) !== START)
      return await standIn("a stand-in, since the log at TEST_EVENT_STORE_URL is not empty");
  } finally {
    await store.close();
  }
  return { name: "the server of TEST_EVENT_STORE_URL", url, close: async () => undefined };
}

async function standIn(name: string): Promise<EmptyEventStoreDB> {
  const server = new StandInServer();
  await server.start();
  return { name, url: server.url, close: async () => server.kill() };
}
