import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** Milliseconds before a failed connection is reported. */
const PAUSE_MS = 1_000;

/**
 * BullMQ's backend on PostgreSQL with two faults corrected.
 *
 * Before BullMQ closes the connection that waits for jobs, it removes all its listeners. If the
 * server stops at that moment, the connection emits an error event, and an unhandled one ends the
 * process.
 *
 * It also caches the result of its first connect. When that fails, a worker retries in a tight loop
 * that blocks the process. Here each failure takes some time, and the next call connects again.
 */
export const createSteadyBackend: typeof createPostgresBackend = (...args) => {
  const backend = createPostgresBackend(...args);
  const { connection } = backend;
  const getListenClient = connection.getListenClient.bind(connection);
  connection.getListenClient = async () => {
    const client = await getListenClient();
    keepListening(client as unknown as EventEmitter);
    return client;
  };
  const waitUntilReady = connection.waitUntilReady.bind(connection);
  connection.waitUntilReady = async () => {
    try {
      await waitUntilReady();
    } catch (error) {
      await delay(PAUSE_MS);
      Reflect.set(connection, "readyPromise", undefined);
      throw error;
    }
  };
  return backend;
};

function keepListening(client: EventEmitter): void {
  if (Object.hasOwn(client, "removeAllListeners")) return;
  const removeAllListeners = client.removeAllListeners.bind(client);
  client.removeAllListeners = (...args) => {
    removeAllListeners(...args);
    return client.on("error", () => undefined);
  };
}
