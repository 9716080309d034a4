import { describe, expect, it, onTestFinished } from "vitest";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import type { SearchIndex } from "#search/port.ts";
import { testSearchNode } from "#test-kit/search-node.ts";
import { at, type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";
import { searchDocument } from "../testing/search-document.ts";

/** A node may start slowly on a busy machine. */
const timeout = 300_000;

async function testEngine(service: Fixture, index: Pick<SearchIndex, "apply">): Promise<void> {
  await service.moveTo(5);
  const id = await service.addReport({ status: "approved", slug: "quinn-ames" });
  const upsert = { op: "upsert", position: at(11), document: searchDocument(id) } as const;
  await index.apply([upsert], at(11));
  const told = async () => {
    const { data } = (await service.get("/prod/api/reports/search?q=ames")).json();
    return data.reports.map((report: { resolved: boolean }) => report.resolved);
  };
  expect(await told()).toEqual([false]);
  await service.db.query("update reports.report set resolved = true where id = $1", [id]);
  expect(await told()).toEqual([true]);
  // The same documents again, as a rebuild writes them.
  await index.apply([{ ...upsert, position: at(12) }], at(12));
  expect(await told()).toEqual([true]);
}

describe("a hit from an index older than the banner shows the banner", { timeout }, () => {
  it("in PostgreSQL", async () => {
    const service = await startQueryApi();
    onTestFinished(() => service.close());
    await testEngine(service, service.index);
  });

  it("in OpenSearch", async ({ skip }) => {
    const node = await testSearchNode();
    if ("absent" in node) return skip(node.absent);
    const index = new OpenSearchIndex(node.url);
    onTestFinished(async () => {
      await index.indexes.drop(await index.indexes.all());
      await index.close();
    });
    await index.install();
    const service = await startQueryApi({ searchUrl: node.url });
    onTestFinished(() => service.close());
    await testEngine(service, index);
  });
});
