import { randomBytes } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { composeQueryApi, type QueryApi } from "./composition.ts";

let database: TestDatabase;
let engine: net.Server;
let service: QueryApi;
const sockets = new Set<net.Socket>();
/** Number of searches sent to the engine. */
let searches = 0;

beforeAll(async () => {
  database = await freshDatabase();
  engine = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (bytes) => {
      if (/^(GET|POST) \S*_search/.test(String(bytes))) searches += 1;
    });
    socket.on("error", () => undefined);
  });
  engine.listen(0, "127.0.0.1");
  await once(engine, "listening");
  const { port } = engine.address() as net.AddressInfo;
  service = await composeQueryApi(
    {
      version: "test",
      databaseUrl: database.url,
      eventStoreUrl: database.url,
      keysUrl: database.url,
      searchUrl: `http://127.0.0.1:${port}`,
      masterKeys: [randomBytes(32)],
      limits: "off",
      trustProxyHops: 0,
      processMetrics: false,
      productName: "The Registry",
      supportEmail: "support@registry.test",
      staffSecondFactor: "off",
      filesUrl: "file:///nothing/is/stored",
    },
    pino({ level: "silent" }),
  );
});
afterAll(async () => {
  await service?.stop();
  for (const socket of sockets) socket.destroy();
  engine?.close();
  await database?.drop();
});

it("stops sending searches to an unresponsive engine after the first ones time out", async () => {
  const search = () => service.app.inject("/prod/api/reports/search?q=quinn");
  const first = await Promise.all([search(), search(), search()]);
  expect(first.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  const asked = searches;
  for (let n = 0; n < 5; n += 1) {
    const answer = await search();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
  }
  expect(asked).toBeGreaterThan(0);
  expect(searches).toBe(asked);
});
