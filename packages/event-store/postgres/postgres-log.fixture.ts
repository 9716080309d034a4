import pg from "pg";
import { freshDatabase } from "#test-kit/database.ts";
import { startOwnServer } from "#test-kit/own-server.ts";
import type { LogUnderTest, LogWithServer, UnfinishedAppend } from "../contract/capabilities.ts";
import { startTcpProxy } from "../contract/tcp-proxy.ts";
import type { EventToAppend } from "../port.ts";
import { createPostgresEventStore, installEventStore } from "./postgres-event-store.ts";

export interface PostgresLog extends LogUnderTest {
  readonly url: string;
}

/** A log in its own database on the run's server. */
export async function freshLog(): Promise<PostgresLog> {
  const { url, drop } = await freshDatabase();
  await installEventStore(url);
  return {
    url,
    open: async () => createPostgresEventStore({ connectionString: url }),
    dispose: drop,
  };
}

/** A log on its own server, behind a network that can be broken. */
export async function logWithServer(): Promise<LogWithServer> {
  const server = await startOwnServer();
  await installEventStore(server.url);
  const { hostname, port } = new URL(server.url);
  const network = await startTcpProxy({ host: hostname, port: Number(port) });
  const url = new URL(server.url);
  url.port = String(network.port);
  return {
    open: async () =>
      createPostgresEventStore({
        connectionString: url.href,
        timeoutMs: 1_000,
        backOff: { minMs: 10, maxMs: 200 },
      }),
    stopServer: () => server.stop(),
    killServer: () => server.kill(),
    startServer: () => server.start(),
    network,
    async dispose() {
      await network.close();
      await server.dispose();
    },
  };
}

/** Opens a connection that has called the append function but not committed. */
export async function beginAppend(
  { url }: PostgresLog,
  stream: string,
  events: readonly EventToAppend[],
): Promise<UnfinishedAppend> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("begin isolation level read committed");
  const batches = [{ stream, expected: -1, events }];
  const { rows } = await client.query("select outcome from event_log.append($1)", [
    JSON.stringify(batches),
  ]);
  if (rows[0]?.outcome !== "stored") throw new Error("the append could not begin");
  const { rows: own } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = own[0]?.pid;
  let over = false;

  async function ask<Row extends pg.QueryResultRow>(text: string): Promise<Row | undefined> {
    const observer = new pg.Client({ connectionString: url });
    await observer.connect();
    try {
      return (await observer.query<Row>(text, [pid])).rows[0];
    } finally {
      await observer.end();
    }
  }
  return {
    async awaited() {
      const waiting =
        "select count(*) as n from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
      while (!over && (await ask<{ n: string }>(waiting))?.n === "0");
    },
    async commit() {
      over = true;
      await client.query("commit");
      await client.end();
    },
    async kill() {
      over = true;
      const ended = new Promise((resolve) => client.once("end", resolve));
      await ask("select pg_terminate_backend($1)");
      await ended;
    },
  };
}
