import { randomBytes } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installCommandTables } from "#command-tables/install.ts";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { testSearchNode } from "#test-kit/search-node.ts";
import { composeQueryApi, type QueryApi } from "./composition.ts";

/** A node may start slowly on a busy machine. */
const timeout = 300_000;

const node = await testSearchNode();
if ("absent" in node) it("a separate search engine", ({ skip }) => skip(node.absent));
else describe("a separate search engine", { timeout }, () => testOutsideSearch(node.url));

function testOutsideSearch(nodeUrl: string): void {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let index: OpenSearchIndex;
  let service: QueryApi;

  beforeAll(async () => {
    database = await freshDatabase();
    const db = new pg.Pool({ connectionString: database.url });
    const { hostname, port, search } = new URL(nodeUrl);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    proxy.cut();
    index = new OpenSearchIndex(nodeUrl);
    service = await composeQueryApi(
      {
        version: "test",
        databaseUrl: database.url,
        eventStoreUrl: database.url,
        keysUrl: database.url,
        searchUrl: `http://127.0.0.1:${proxy.port}/${search}`,
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
    await service.start();
    await installCommandTables(db);
    await db.end();
  }, timeout);
  afterAll(async () => {
    await service?.stop();
    await index?.indexes.drop(await index.indexes.all());
    await index?.close();
    await proxy?.close();
    await database?.drop();
  }, timeout);

  const search = () => service.app.inject("/prod/api/reports/search?q=quinn");
  const readiness = async () => (await service.app.inject("/readyz")).json();
  const answers = (status: number) =>
    expect.poll(async () => (await search()).statusCode, { timeout }).toBe(status);

  it("answers 503 while the engine is down or has no index, and recovers on its own", async () => {
    const away = await search();
    expect([away.statusCode, away.json().error.code]).toEqual([503, "unavailable"]);
    expect(away.headers["retry-after"]).toBeDefined();
    expect(away.body).not.toContain("ECONN");
    expect(await readiness()).toMatchObject({
      status: "not_ready",
      checks: { search: { ok: false }, database: { ok: true } },
    });
    expect(JSON.stringify(await readiness())).not.toContain(String(proxy.port));
    expect((await service.app.inject("/prod/api/reports/recent")).statusCode).toBe(200);

    proxy.restore();
    await answers(503);
    await index.install();
    await answers(200);
    await expect.poll(async () => (await readiness()).status, { timeout }).toBe("ready");

    proxy.cut();
    await answers(503);
    proxy.restore();
    await answers(200);
  });
}
