import type { EventEmitter } from "node:events";
import { createPostgresBackend } from "bullmq";

/**
 * BullMQ's backend on PostgreSQL, but for one thing: it takes all listeners off the connection that
 * waits for jobs before it closes it, and an error that nobody listens for ends the process. A
 * server that is stopped at the same moment says so on each connection.
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
