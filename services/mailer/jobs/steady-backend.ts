import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** Milliseconds before a failed connection is reported. */
const PAUSE_MS = 1_000;

/**
 * BullMQ's backend on PostgreSQL, except for two things. It takes all listeners off the connection that
 * waits for jobs before it closes it, and an unhandled error event ends the process. A server that
 * stops at the same moment raises one on each connection. It also caches the result of its first
 * connect. When that fails, a worker retries in a tight loop, which blocks the process. Here each
 * failure takes some time, and the next call reconnects.
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
