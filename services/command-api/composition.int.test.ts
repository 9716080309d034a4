import { randomBytes } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { composeCommandApi } from "./composition.ts";

let database: TestDatabase;
const sockets = new Set<net.Socket>();
let accepted = 0;
const counters = net.createServer((socket) => {
  accepted += 1;
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.resume();
  socket.on("close", () => sockets.delete(socket));
});

beforeAll(async () => {
  database = await freshDatabase();
  counters.listen(0, "127.0.0.1");
  await once(counters, "listening");
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  counters.close();
  await database.drop();
});

it("closes the connection to the shared counters when something else cannot be opened", async () => {
  const { port } = counters.address() as net.AddressInfo;
  const start = composeCommandApi(
    {
      version: "test",
      databaseUrl: database.url,
      eventStoreUrl: database.url,
      keysUrl: database.url,
      filesUrl: "ftp://files.test",
      masterKeys: [randomBytes(32)],
      limits: "on",
      rateLimitUrl: `redis://127.0.0.1:${port}`,
      trustProxyHops: 0,
      processMetrics: false,
      staffSecondFactor: "off",
      productName: "The Registry",
      supportEmail: "support@registry.test",
    },
    pino({ level: "silent" }),
  );
  await expect(start).rejects.toThrow(/FILES_URL/);
  expect(accepted).toBeGreaterThan(0);
  await expect.poll(() => sockets.size).toBe(0);
});
