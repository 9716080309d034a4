import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresBackend } from "bullmq";

/** Milliseconds before a failed connection is reported. */
const PAUSE_MS = 1_000;

/**
 * BullMQ's backend on PostgreSQL, but for two things.
 *
 * It takes all listeners off the connection that waits for jobs before it closes it, and an error
 * that nobody listens for ends the process. A server that is stopped at the same moment says so on
 * each connection.
 *
 * It keeps the outcome of its first connect for ever. When that fails, a worker asks again at once,
 * without a pause, and nothing else in the process has a turn any more. Here each failure takes a
 * while, and the next call connects again.
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
