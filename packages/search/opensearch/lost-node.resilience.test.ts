import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  noOwnSearchNode,
  type OwnSearchNode,
  startOwnSearchNode,
} from "#test-kit/own-search-node.ts";
import { at, document, ids, remove, upsert } from "../contract/documents.ts";
import { type SearchIndex, SearchUnavailable } from "../port.ts";
import { OpenSearchIndex } from "./opensearch-search-index.ts";

/** Time for a node to start on a busy machine. */
const patience = 600_000;

/** Leaves the CPU to the node while it starts. */
const backOffMs = 50;

const absent = await noOwnSearchNode();
if (absent) it("an OpenSearch node that goes down", ({ skip }) => skip(absent));
else
  describe("an OpenSearch node that goes down", { timeout: patience }, () => {
    let node: OwnSearchNode;
    let index: OpenSearchIndex;
    beforeAll(async () => {
      node = await startOwnSearchNode();
      index = new OpenSearchIndex(node.url, { limits: { manage: 120_000 } });
      await index.install();
    }, patience);
    afterAll(async () => {
      await index?.close();
      await node?.dispose();
    }, patience);

    it("is reported by searches and writes, and comes back with everything it acknowledged", async () => {
      let going = true;
      const acknowledged = new Set<string>();
      const failures = { searches: 0, writes: 0 };
      const strange: unknown[] = [];
      const count = (kind: keyof typeof failures) => async (error: unknown) => {
        if (error instanceof SearchUnavailable) failures[kind] += 1;
        else strange.push(error);
        await delay(backOffMs);
      };
      const searching = (async () => {
        while (going) await index.search({ q: "quinn", size: 9 }).catch(count("searches"));
      })();
      const writing = (async () => {
        for (let n = 1; going; n++)
          await index
            .apply([upsert(n, document(n))], at(n))
            .then(() => acknowledged.add(document(n).id), count("writes"));
      })();
      await expect.poll(() => acknowledged.size, { timeout: patience }).toBeGreaterThan(5);
      const [late, deleted] = [document(1, { title: "Late" }), document(2)];
      const beyond = 1_000_000;
      await until(() => index.apply([remove(beyond, deleted)], at(beyond)));
      await node.kill();
      const wanted = { searches: failures.searches + 2, writes: failures.writes + 2 };
      await expect
        .poll(() => failures.searches >= wanted.searches && failures.writes >= wanted.writes, {
          timeout: patience,
        })
        .toBe(true);
      await node.start();
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size, { timeout: patience }).toBeGreaterThan(before + 5);
      going = false;
      await Promise.all([searching, writing]);
      expect(strange).toEqual([]);
      await until(() => index.apply([upsert(0, late), upsert(beyond, deleted)], at(1)));
      const kept = await until(() => allIds(index));
      acknowledged.delete(deleted.id);
      expect(kept).toEqual(expect.arrayContaining([...acknowledged]));
      expect(kept).not.toContain(deleted.id);
      expect(await until(() => ids(index, { q: "late" }))).toEqual([]);
      expect(await until(() => index.state())).toEqual({ position: at(beyond), matching: "same" });
    });

    it("times out within limits while it is frozen, and is used again afterward", async () => {
      await until(() => index.clear());
      await until(() => index.apply([upsert(1, document(1))], at(1)));
      // No reply ever comes, however long the wait.
      const limits = { search: 300, state: 300, write: 300 };
      const hasty = new OpenSearchIndex(node.url, { limits });
      await node.freeze();
      try {
        await expect(hasty.search({ size: 9 })).rejects.toThrow("timed out");
        await expect(hasty.state()).rejects.toThrow("timed out");
        const late = hasty.apply([upsert(2, document(2))], at(2));
        await expect(late).rejects.toThrow("timed out");
      } finally {
        node.thaw();
        await hasty.close();
      }
      await until(() => index.apply([upsert(2, document(2))], at(2)));
      expect(await until(() => ids(index, {}))).toEqual([document(2).id, document(1).id]);
    });

    it("does not serve an index that it lost until one is installed again", async () => {
      const live = await until(() => index.install());
      await node.kill();
      await node.wipe();
      await node.start();
      await expect(index.search({ size: 9 })).rejects.toThrow(SearchUnavailable);
      const late = index.writer(live).apply([upsert(1, document(1))], at(1));
      await expect(late).rejects.toThrow(SearchUnavailable);
      expect(await until(() => index.install())).not.toBe(live);
      expect(await until(() => ids(index, {}))).toEqual([]);
    });
  });

async function allIds(index: SearchIndex): Promise<string[]> {
  const found: string[] = [];
  let page: string | undefined;
  do {
    const result = await index.search({ size: 200, page });
    found.push(...result.hits.map(({ id }) => id));
    page = result.next ?? undefined;
  } while (page !== undefined);
  return found;
}

/** Retries while the node does not serve yet, or is too slow on a busy machine. */
async function until<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SearchUnavailable) || performance.now() > deadline) throw error;
      await delay(backOffMs);
    }
  }
}
