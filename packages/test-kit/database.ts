import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import type {} from "./postgres-server.ts";

/** A separate database on the run's PostgreSQL server. */
export type TestDatabase = {
  /** Connection URL, with password. */
  url: string;
  /** Removes the database and ends connections that are still open. */
  drop(): Promise<void>;
};

/**
 * Creates a database for integration tests: one per file, dropped in `afterAll`.
 * @param template the database to copy, with no open connections; empty when absent.
 */
export async function freshDatabase(template?: TestDatabase): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const source = template ? new URL(template.url).pathname.slice(1) : "template1";
  // Copying the files takes half as long as writing every page to the WAL.
  const copy = `create database ${name} template ${source} strategy file_copy`;
  await maintain(server, (client) => client.query(copy));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => maintain(server, (client) => dropDatabase(client, name)),
  };
}

/** How long connections that just ended get to close themselves, in milliseconds. */
const CLOSING_MS = 1000;

/**
 * A pool's `end()` resolves before its connections close. Forcing them closed would raise errors that nothing
 * listens for anymore.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const deadline = performance.now() + CLOSING_MS;
  const isUsed = async () => {
    const found = await client.query("select 1 from pg_stat_activity where datname = $1 limit 1", [
      name,
    ]);
    return found.rows.length > 0;
  };
  while (performance.now() < deadline && (await isUsed())) await delay(10);
  await client.query(`drop database if exists ${name} with (force)`);
}

async function maintain(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
