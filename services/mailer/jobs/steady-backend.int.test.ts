import { withBackend } from "bullmq";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { createSteadyBackend } from "./steady-backend.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

it("survives a server that ends the waiting connection while it is being closed", async () => {
  const { Worker } = withBackend(createSteadyBackend);
  const worker = new Worker("mail", async () => undefined, {
    autorun: false,
    connection: { connectionString: database.url, schema: "jobs", migrate: true },
  });
  const failed: unknown[] = [];
  worker.on("error", (error) => failed.push(error));
  await worker.waitUntilReady();
  const { connection } = worker.getBackend() as ReturnType<typeof createSteadyBackend>;
  const waiting = (await connection.getListenClient()) as unknown as Client & { processID: number };
  // The first thing that closing does.
  waiting.removeAllListeners();
  const ended = new Promise((resolve) => waiting.once("end", resolve));
  const operator = new Client(database.url);
  await operator.connect();
  await operator.query("select pg_terminate_backend($1)", [waiting.processID]);
  await operator.end();
  await ended;
  await worker.close();
  expect(failed).toEqual([]);
});
