import { withBackend } from "bullmq";
import { Client, escapeIdentifier } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { createSteadyBackend } from "./postgres-mail-jobs.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

it("survives a server that drops the waiting connection during close", async () => {
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
  // BullMQ's close does this first.
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

it("survives an error that arrives in the packet completing its connect", async () => {
  const backend = createSteadyBackend("mail", {
    connection: { connectionString: database.url, schema: "jobs", migrate: true },
  });
  const { connection } = backend;
  await connection.waitUntilReady();
  const connect: () => Promise<Client> = Client.prototype.connect;
  vi.spyOn(Client.prototype, "connect").mockImplementation(async function (this: Client) {
    const connected = await connect.call(this);
    this.emit("error", new Error("terminating connection"));
    return connected;
  });
  await connection.getListenClient();
  await connection.close();
});

it("reconnects after its first connect failed, without blocking the process until then", async () => {
  const name = "later";
  const url = new URL(database.url);
  url.pathname = name;
  const { Worker } = withBackend(createSteadyBackend);
  const handled: string[] = [];
  const worker = new Worker("mail", async (job) => void handled.push(job.name), {
    autorun: false,
    connection: { connectionString: url.href, schema: "jobs", migrate: true },
  });
  const failed: unknown[] = [];
  worker.on("error", (error) => failed.push(error));
  const running = worker.run();
  // Only works if the worker's loop does not block the process.
  await vi.waitFor(() => expect(failed).not.toEqual([]), 30_000);
  const operator = new Client(database.url);
  await operator.connect();
  try {
    await operator.query(`create database ${escapeIdentifier(name)}`);
    const { Queue } = withBackend(createSteadyBackend);
    const queue = new Queue("mail", {
      connection: { connectionString: url.href, schema: "jobs", migrate: true },
    });
    await queue.add("a mail", {});
    await vi.waitFor(() => expect(handled).toEqual(["a mail"]), 30_000);
    await Promise.all([queue.close(), worker.close(), running]);
  } finally {
    await operator.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
    await operator.end();
  }
});
