import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { document } from "#search/contract/documents.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { STATE_ID } from "#search/opensearch/writer.ts";
import { eventually, reachedPosition } from "#test-kit/reached-position.ts";
import { reportApproved, reportDeleted, reportSubmitted } from "#test-kit/report-events.ts";
import { testSearchNode } from "#test-kit/search-node.ts";
import { composeProjector, openProjectorStores, type Projector } from "../../composition.ts";
import { rebuild } from "../../rebuild.ts";
import { RebuildFailed } from "../../rebuild-failed.ts";
import { FAST, openFixture, type ProjectorFixture } from "../../testing/projector.fixture.ts";
import { openSearchTarget, readOutsideIndex } from "./search-target.ts";

/** A node starts slowly on a busy machine, and a processor may restart until it is up. */
const timeout = 300_000;

const node = await testSearchNode();
if ("absent" in node) it("the projection into OpenSearch", ({ skip }) => skip(node.absent));
else describe("the projection into OpenSearch", { timeout }, () => testProjection(node.url));

function testProjection(nodeUrl: string): void {
  let proxy: TcpProxy;
  let index: OpenSearchIndex;
  let fixture: ProjectorFixture;
  let projectors: Projector[];

  beforeEach(async () => {
    const { hostname, port } = new URL(nodeUrl);
    proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const alias = `test-${randomUUID()}`;
    index = new OpenSearchIndex(nodeUrl, { alias, limits: { search: 60_000, state: 60_000 } });
    const searchUrl = `http://127.0.0.1:${proxy.port}/?index=${alias}`;
    fixture = await openFixture({ searchUrl });
    projectors = [];
  }, timeout);
  afterEach(async () => {
    for (const projector of projectors) await projector.stop();
    await fixture.close();
    await index.indexes.drop(await index.indexes.all());
    await index.close();
    await proxy.close();
  }, timeout);

  const approved = async (personal = {}): Promise<{ id: string; position: string }> => {
    const id = randomUUID();
    const submitted = reportSubmitted({ personal });
    return { id, position: await fixture.report(id, [submitted, reportApproved()]) };
  };
  const start = async (config = fixture.config) => {
    const projector = await composeProjector(config, { log: fixture.log, settings: FAST });
    projectors.push(projector);
    await projector.start();
    return projector;
  };
  const reached = (position: string) =>
    reachedPosition(fixture.pool, ["search"], position, timeout);
  const found = async (q?: string) => {
    const { hits } = await index.search({ q, size: 50 });
    return new Set(hits.map(({ id }) => id));
  };
  const searchHealth = (projector: Projector) =>
    projector.health().find(({ processor }) => processor === "search");
  const stoppedWith = (projector: Projector, code: string, message = /./) =>
    eventually(
      `the search stops with ${code}`,
      () => {
        const stop = searchHealth(projector)?.stop;
        return stop?.code === code && message.test(stop.message);
      },
      timeout,
    );
  const rebuildSearch = async (config = fixture.config) => {
    const stores = await openProjectorStores(config, fixture.log);
    try {
      const chosen = stores.projections.filter(({ name }) => name === "search");
      return await rebuild({ ...stores, log: fixture.log }, chosen);
    } finally {
      await stores.close();
    }
  };
  const checkpoint = async () =>
    (
      await fixture.rows<{ position: string }>(
        "select position from processor.checkpoint where processor = 'search'",
      )
    )[0]?.position;
  /** Makes transactions that record the index fail to commit, as if the database went down. */
  const failCommits = () =>
    fixture.pool.query(`
      create function fail_commit() returns trigger language plpgsql
        as $$ begin raise 'no commit' using errcode = '57P01'; end $$;
      create constraint trigger fail_commit after insert or update on processor.outside_index
        deferrable initially deferred for each row execute function fail_commit();`);
  const allowCommits = () => fixture.pool.query("drop function fail_commit() cascade");

  const put = async (path: string, body: object) => {
    const response = await fetch(new URL(`/${await index.indexes.live()}/${path}`, nodeUrl), {
      method: "PUT",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    expect(response.ok).toBe(true);
  };
  /** As if a backup of the engine's data was restored. */
  const setBack = () =>
    put(`_doc/${STATE_ID}`, { id: STATE_ID, hidden: true, position: "0".repeat(20) });

  it("contains approved reports, and only the ids of deleted ones", async () => {
    await start();
    const [kept, gone] = [await approved(), await approved()];
    const pending = randomUUID();
    await fixture.report(pending, [reportSubmitted()]);
    await reached(gone.position);
    expect(await found("quinn ames")).toEqual(new Set([kept.id, gone.id]));
    await reached(await fixture.report(gone.id, [reportDeleted()]));
    expect(await found("quinn ames")).toEqual(new Set([kept.id]));
    await rebuildSearch();
    expect(await found("quinn ames")).toEqual(new Set([kept.id]));
    const late = index.writer(await index.install());
    const again = document(1, { id: gone.id });
    await late.apply([{ op: "upsert", position: gone.position, document: again }], gone.position);
    expect(await found()).toEqual(new Set([kept.id]));
  });

  it("moves its checkpoint only when the documents are stored, and otherwise writes them again", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    await failCommits();
    const second = await approved();
    await stoppedWith(projector, "database");
    expect(await found()).toEqual(new Set([first.id, second.id]));
    expect((await checkpoint()) ?? "").not.toBe(second.position);
    await allowCommits();
    await reached(second.position);
    const third = await fixture.report(second.id, [reportDeleted()]);
    await reached(third);
    expect(await found()).toEqual(new Set([first.id]));
  });

  it("stops while the node is down, parks nothing, blocks no one, and resumes by itself", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    proxy.cut();
    const second = await approved();
    await stoppedWith(projector, "search_index");
    await fixture.reached(second.position, ["reports", "offenders", "audit", "outbox"]);
    const { checks } = await projector.readiness();
    expect(checks.search).toMatchObject({ ok: false, detail: { code: "search_index" } });
    expect(JSON.stringify(checks)).not.toContain(String(proxy.port));
    expect((await checkpoint()) ?? "").not.toBe(second.position);
    proxy.restore();
    await reached(second.position);
    expect(await found()).toEqual(new Set([first.id, second.id]));
    expect(await fixture.rows("select * from processor.parked_event")).toEqual([]);
  });

  it("starts when the node comes up later", async () => {
    proxy.cut();
    const projector = await start();
    const { id, position } = await approved();
    await stoppedWith(projector, "search_index");
    proxy.restore();
    await reached(position);
    expect(await found()).toEqual(new Set([id]));
  });

  it("parks only the report that the engine never accepts", async () => {
    await start();
    const unfit = await approved({ state: "X".repeat(40_000) });
    const other = await approved();
    await reached(other.position);
    expect(await found()).toEqual(new Set([other.id]));
    const parked = await fixture.rows<{ stream: string; cause: string }>(
      "select stream, cause from processor.parked_event where cause is not null",
    );
    expect(parked).toEqual([
      { stream: `report-${unfit.id}`, cause: expect.stringContaining("SearchWriteRefused") },
    ]);
  });

  it("is rebuilt beside the live index, which is dropped after the swap", async () => {
    await start();
    const first = await approved();
    await reached(first.position);
    const before = await index.indexes.live();
    const report = await rebuildSearch();
    expect(report.processors).toEqual(["search"]);
    const live = await index.indexes.live();
    expect(live).not.toBe(before);
    expect(await index.indexes.all()).toEqual([live]);
    const second = await approved();
    await reached(second.position);
    expect(await found()).toEqual(new Set([first.id, second.id]));
  });

  it("keeps the index that the database knows when the swap is not committed", async () => {
    await start();
    const first = await approved();
    await reached(first.position);
    const before = await index.indexes.live();
    await failCommits();
    await expect(rebuildSearch()).rejects.not.toThrow(RebuildFailed);
    await allowCommits();
    expect(await index.indexes.all()).toEqual([before]);
    expect(await index.indexes.live()).toBe(before);
    const second = await approved();
    await reached(second.position);
    expect(await found()).toEqual(new Set([first.id, second.id]));
  });

  it("repairs the leftovers of a rebuild that died between alias and commit", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    const before = await index.indexes.live();
    const torn = await index.beginRebuild();
    await torn.swap();
    expect(await found()).toEqual(new Set());
    const second = await approved();
    await reached(second.position);
    expect(searchHealth(projector)?.position).toBeDefined();
    expect(await index.indexes.live()).toBe(before);
    expect(await found()).toEqual(new Set([first.id, second.id]));
    await start();
    await eventually(
      "the torn index is dropped",
      async () => !(await index.indexes.all()).includes(torn.physical),
      timeout,
    );
    expect(await index.indexes.all()).toEqual([before]);
  });

  it("keeps the index that the database knows when a rebuild fails after an interrupted one", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    await projector.stop();
    const before = await index.indexes.live();
    await (await index.beginRebuild()).swap();
    await failCommits();
    await expect(rebuildSearch()).rejects.toThrow();
    await allowCommits();
    expect(await index.indexes.all()).toContain(before);
    await start();
    const second = await approved();
    await reached(second.position);
    expect(await index.indexes.live()).toBe(before);
    expect(await found()).toEqual(new Set([first.id, second.id]));
  });

  it("keeps the new index when the reply to its swap's commit was lost", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    await projector.stop();
    const torn = await openSearchTarget(index).beginRebuild(fixture.pool);
    const client = await fixture.pool.connect();
    await torn.prepare(client);
    await client.query("begin");
    await torn.swap(client);
    await client.query("commit");
    client.release();
    const after = await index.indexes.live();
    await torn.abort();
    expect(await index.indexes.live()).toBe(after);
    expect((await readOutsideIndex(fixture.pool))?.name).toBe(after);
  });

  it("asks for a rebuild when the index was restored to an earlier state", async () => {
    const { id, position } = await approved();
    let projector = await start();
    await reached(position);
    for (const _ of ["as it was written", "as it was rebuilt"]) {
      await projector.stop();
      await setBack();
      projector = await start();
      await stoppedWith(
        projector,
        "layout",
        /reverted to an older state: npm run rebuild -- search/,
      );
      await rebuildSearch();
      await eventually("the search goes on", () => !searchHealth(projector)?.stop, timeout);
      expect(await found()).toEqual(new Set([id]));
    }
  });

  it("is rebuilt automatically when the index was filled under earlier matching rules", async () => {
    const { id, position } = await approved();
    const before = await start();
    await reached(position);
    const earlier = await index.indexes.live();
    await before.stop();
    await put("_mapping", { _meta: { matching_version: 0 } });
    const projector = await start();
    await eventually(
      "the search goes on",
      () => searchHealth(projector)?.state === "live",
      timeout,
    );
    expect(await index.indexes.live()).not.toBe(earlier);
    expect(await found()).toEqual(new Set([id]));
  });

  it("asks for a rebuild when the index is gone, and resumes after it", async () => {
    const projector = await start();
    const first = await approved();
    await reached(first.position);
    await index.indexes.drop(await index.indexes.all());
    const second = await approved();
    await stoppedWith(projector, "layout", /missing: npm run rebuild -- search/);
    expect(await index.indexes.all()).toEqual([]);
    await rebuildSearch();
    await reached(second.position);
    expect(await found()).toEqual(new Set([first.id, second.id]));
  });

  it("asks for a rebuild when the engine was changed, in either direction", async () => {
    const inDatabase = { ...fixture.config, searchUrl: fixture.config.databaseUrl };
    const before = await start(inDatabase);
    const first = await approved();
    await reached(first.position);
    await before.stop();

    const here = await start();
    await stoppedWith(here, "layout", /npm run rebuild -- search/);
    await rebuildSearch();
    const second = await approved();
    await reached(second.position);
    expect(await found()).toEqual(new Set([first.id, second.id]));
    await here.stop();

    const back = await start(inDatabase);
    await stoppedWith(back, "layout", /npm run rebuild -- search/);
    await rebuildSearch(inDatabase);
    const third = await approved();
    await reached(third.position);
    expect(await fixture.rows("select id from search.documents")).toHaveLength(3);
  });

  it("asks for a rebuild when the index was filled from another log", async () => {
    await index.install();
    await index.apply([], "00000000000000000009");
    const projector = await start();
    await stoppedWith(projector, "layout", /another log: npm run rebuild -- search/);
    const { id, position } = await approved();
    await rebuildSearch();
    await reached(position);
    expect(await found()).toEqual(new Set([id]));
  });
}
