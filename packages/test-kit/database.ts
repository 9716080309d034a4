import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type {} from "./postgres-server.ts";

/** A database of its own on the run's PostgreSQL server. */
export type TestDatabase = {
  /** Connection URL, with password. */
  url: string;
  /** Removes the database, ending connections that are still open. */
  drop(): Promise<void>;
};

/** Makes a new, empty database. For integration tests: one a file, dropped in `afterAll`. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await maintain(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => maintain(server, `drop database if exists ${name} with (force)`),
  };
}

async function maintain(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
