import { freePort } from "#local-servers/postgres/server.ts";
import { childrenOf, freeze } from "./freeze.ts";
import { createTemporaryCluster } from "./temporary-cluster.ts";

/** A PostgreSQL server for one suite that stops and restarts it. */
export type OwnServer = {
  /** URL of its database `postgres`; the same across restarts. */
  url: string;
  /** Fast shutdown: ends open connections and flushes everything. */
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  /** SIGKILL of the postmaster, as in a crash. */
  kill(): Promise<void>;
  /** SIGSTOP of all of its processes: connections stay open, but nothing answers. Linux only. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** Stops it for good and removes its data. */
  dispose(): Promise<void>;
};

/**
 * Starts a server for this suite. It takes about a second: use {@link freshDatabase} if you can.
 *
 * @param within parent of its data folder; memory or the system's temporary folder when absent.
 */
export async function startOwnServer(within?: string): Promise<OwnServer> {
  const cluster = await createTemporaryCluster(within);
  const port = await freePort();
  let server = await cluster.start(port);
  let frozen: number[] = [];
  return {
    url: server.url(),
    stop: () => server.stop(),
    async start() {
      server = await cluster.start(port);
    },
    kill: () => server.kill(),
    async freeze() {
      // The postmaster first, so that no new process starts.
      await freeze(server.pid);
      frozen = [server.pid, ...(await childrenOf(server.pid))];
      await Promise.all(frozen.slice(1).map(freeze));
    },
    thaw() {
      for (const pid of frozen) process.kill(pid, "SIGCONT");
    },
    async dispose() {
      await server.stop();
      await cluster.remove();
    },
  };
}
