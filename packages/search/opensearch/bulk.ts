import { SearchUnavailable, SearchWriteRefused } from "../errors.ts";
import { EngineRefusal } from "./connection.ts";
import type { StoredDocument } from "./stored-documents.ts";

/** Most documents in one request. */
export const BULK_SIZE = 500;

/** What the engine reports for one document of a bulk request. */
export interface BulkItem {
  readonly index?: {
    readonly _index?: string;
    readonly status?: number;
    readonly error?: { readonly type?: string };
  };
}

/**
 * Lines of a bulk request. Versions are written as digits, since numbers in JavaScript are exact
 * only up to 2^53.
 */
export function bulkLines(documents: readonly StoredDocument[]): string[] {
  return documents.flatMap(({ id, version, source }) => [
    `{"index":{"_id":${JSON.stringify(id)},"version":${version},"version_type":"external_gte"}}`,
    JSON.stringify(source),
  ]);
}

/**
 * Checks the reply for each document: a bulk request succeeds even if none of its documents was
 * stored.
 * @param physical the index that they should be stored in, whatever alias was used; any when
 * absent.
 * @throws {SearchWriteRefused} the engine will never accept one of them.
 * @throws {SearchUnavailable} one was not stored now, or was stored elsewhere.
 */
export function checkBulk(items: readonly BulkItem[], expected: number, physical?: string): void {
  if (items.length !== expected)
    throw new SearchUnavailable("the search engine answers for other documents than it was given");
  let refused: SearchWriteRefused | undefined;
  for (const { index: item } of items) {
    const status = item?.status ?? 0;
    const type = item?.error?.type ?? "no reason given";
    // A later write is already stored, and wins.
    const isLate = status === 409 && type === "version_conflict_engine_exception";
    if (status === 400) refused = new SearchWriteRefused(`the search engine refuses (${type})`);
    else if (!isLate && (status < 200 || status > 299)) throw new EngineRefusal(status, type);
    if (physical !== undefined && item?._index !== physical)
      throw new SearchUnavailable("another search index was put in place of the one written to");
  }
  if (refused) throw refused;
}
