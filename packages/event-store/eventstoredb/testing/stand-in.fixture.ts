import type { LogUnderTest, LogWithServer } from "../../contract/capabilities.ts";
import { startTcpProxy } from "../../contract/tcp-proxy.ts";
import { createEventStoreDBEventStore } from "../eventstoredb-event-store.ts";
import { StandInServer } from "./stand-in-server.ts";

export interface StandInLogUnderTest extends LogUnderTest {
  readonly server: StandInServer;
  readonly url: string;
}

/** A log on its own stand-in. Filtered subscribers count as far behind after a few bytes. */
export async function standInLog(): Promise<StandInLogUnderTest> {
  const server = new StandInServer();
  await server.start();
  const { url } = server;
  return {
    server,
    url,
    open: async () => createEventStoreDBEventStore({ connectionString: url, scanBytes: 2_000 }),
    dispose: async () => server.kill(),
  };
}

/** A log on a stand-in that may be stopped, behind a network that can be broken. */
export async function standInWithServer(): Promise<LogWithServer> {
  const server = new StandInServer();
  await server.start();
  const network = await startTcpProxy({ host: "127.0.0.1", port: server.port });
  return {
    open: async () =>
      createEventStoreDBEventStore({
        connectionString: `esdb://127.0.0.1:${network.port}?tls=false`,
        timeoutMs: 1_000,
        backOff: { minMs: 10, maxMs: 200 },
      }),
    stopServer: () => server.stop(),
    killServer: async () => server.kill(),
    startServer: () => server.start(),
    network,
    async dispose() {
      await network.close();
      server.kill();
    },
  };
}
