import { describe, expect, it } from "vitest";
import { at, document, remove, upsert } from "../contract/documents.ts";
import { SearchUnavailable, SearchWriteRefused } from "../port.ts";
import { bulkLines, checkBulk, storedDocument, versionOf } from "./writer.ts";

const item = (status: number, type?: string, _index = "live") => ({
  index: { _index, status, ...(type ? { error: { type } } : {}) },
});

describe("the response to a bulk request", () => {
  it("succeeds when every document was stored, or superseded by a later write", () => {
    const late = item(409, "version_conflict_engine_exception");
    expect(() => checkBulk([item(201), item(200), late], 3, "live")).not.toThrow();
  });

  it("is invalid when it is about other documents", () => {
    expect(() => checkBulk([item(201)], 2)).toThrow(SearchUnavailable);
    expect(() => checkBulk([{}], 1)).toThrow(SearchUnavailable);
  });

  it("fails when a single document was not stored, whatever happened to the others", () => {
    for (const [status, type] of [
      [429, "rejected_execution_exception"],
      [503, "unavailable_shards_exception"],
      [403, "cluster_block_exception"],
      [404, "index_not_found_exception"],
      [409, "another_conflict"],
    ] as const)
      expect(() => checkBulk([item(201), item(status, type)], 2), type).toThrow(SearchUnavailable);
  });

  it("distinguishes a document that is never accepted from an engine that accepts none now", () => {
    const refused = item(400, "mapper_parsing_exception");
    expect(() => checkBulk([refused, item(201)], 2)).toThrow(SearchWriteRefused);
    expect(() => checkBulk([refused, item(429, "busy")], 2)).toThrow(SearchUnavailable);
  });

  it("fails when the documents went into another index", () => {
    expect(() => checkBulk([item(201, undefined, "other")], 1, "live")).toThrow(SearchUnavailable);
    expect(() => checkBulk([item(201, undefined, "other")], 1)).not.toThrow();
  });
});

describe("the version of a write", () => {
  it("is higher at a later position, and for a deletion at the same one", () => {
    const high = 2n ** 62n - 1n;
    const text = (n: bigint) => n.toString().padStart(20, "0");
    const versions = [high - 1n, high].flatMap((n) => [
      versionOf(text(n), false),
      versionOf(text(n), true),
    ]);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => (a < b ? -1 : 1)));
    expect(versions.at(-1)).toBe(2n ** 63n - 1n);
    expect(() => versionOf(text(high + 1n), false)).toThrow(RangeError);
  });

  it("is written with all its digits", () => {
    const position = (2n ** 62n - 1n).toString().padStart(20, "0");
    const [line] = bulkLines([storedDocument({ op: "delete", position, id: 'a"b' })]);
    expect(line).toContain('"version":9223372036854775807,');
    expect(JSON.parse(line ?? "")).toMatchObject({ index: { _id: 'a"b' } });
  });

  it("is sent with only an id when the document is deleted", () => {
    const write = remove(3, document(1));
    expect(storedDocument(write).source).toEqual({ id: document(1).id, hidden: true });
    expect(storedDocument(upsert(3, document(1))).version).toBe(versionOf(at(3), false));
  });
});
