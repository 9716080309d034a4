import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { testSearchNode } from "#test-kit/search-node.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { chargeback } from "./support/reports.ts";
import { recovered, requestDuringSilence, soon } from "./support/silence.ts";

/** Time for a node on a busy machine. */
const timeout = 400_000;

const node = await testSearchNode();
if ("absent" in node) it("a silent search engine", ({ skip }) => skip(node.absent));
else
  describe("a search engine that accepts and never answers", { timeout }, () =>
    testSilence(node.url),
  );

function testSilence(nodeUrl: string): void {
  let proxy: TcpProxy;
  let index: OpenSearchIndex;
  let system: System;

  beforeAll(async () => {
    const { hostname, port, search } = new URL(nodeUrl);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    index = new OpenSearchIndex(nodeUrl);
    system = await startSystem({ searchUrl: `http://127.0.0.1:${proxy.port}/${search}` });
  }, timeout);
  afterEach(() => proxy.restore());
  afterAll(async () => {
    proxy?.restore();
    await system?.close();
    await index?.indexes.drop(await index.indexes.all());
    await index?.close();
    await proxy?.close();
  }, timeout);

  const search = () => system.call("GET", "/prod/api/reports/search?q=ames");
  const found = async () => {
    const answer = await search();
    return answer.statusCode === 200 ? answer.json().data.total : answer.statusCode;
  };
  const approve = async () => {
    const submitted = await system.call("POST", "/prod/api/reports/submit", {
      headers: { "idempotency-key": randomUUID() },
      body: chargeback,
    });
    const { id } = submitted.json().data;
    const approved = await system.call("POST", `/prod/api/admin/reports/${id}/approve`, {
      as: "admin",
      body: {},
    });
    expect([submitted.statusCode, approved.statusCode]).toEqual([200, 200]);
  };
  const isReady = async () => {
    const [reads, projector] = await Promise.all([
      system.queryApi.app.checkReadiness(),
      system.projector.readiness(),
    ]);
    return [reads.checks.search?.ok, projector.checks.search_index?.ok];
  };

  it("delays no search beyond the request timeout, is reported, and is used again", async () => {
    await approve();
    await expect.poll(found, recovered).toBe(1);
    await expect.poll(isReady, recovered).toEqual([true, true]);

    const answers = await requestDuringSilence(() => proxy.swallow(), search);
    for (const { statusCode } of answers) expect([200, 503]).toContain(statusCode);
    const last = answers.at(-1);
    expect(last?.statusCode).toBe(503);
    expect(last?.headers["retry-after"]).toBeDefined();
    expect(last?.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
    // Nothing had to be written there yet.
    await expect.poll(isReady, soon).toEqual([false, false]);
    // Everything that does not need the engine continues, and writes to it wait.
    await approve();
    await expect
      .poll(async () => (await system.read("/prod/api/reports/recent")).statusCode, soon)
      .toBe(200);
    const searchStops = () => system.projector.checks.search?.().then(({ ok }) => !ok);
    await expect.poll(searchStops, soon).toBe(true);

    proxy.restore();
    await expect.poll(found, recovered).toBe(2);
    await expect.poll(isReady, recovered).toEqual([true, true]);
  });
}
