import { indexedText, storable } from "../matching.ts";
import { idOf, newestOf } from "../newest-writes.ts";
import {
  type LogPosition,
  type SearchDocument,
  SearchUnavailable,
  type SearchWrite,
  SearchWriteRefused,
  type SearchWriter,
} from "../port.ts";
import { blindTerms, countryTerm } from "../search-plan.ts";
import { EngineRefusal, type SearchConnection } from "./connection.ts";

interface WriterOptions {
  readonly alias: string;
  /** The index that must be behind the alias; any if absent. */
  readonly physical?: string | undefined;
  /** Whether writes can be found immediately; a rebuild needs that only at its end. */
  readonly refresh: boolean;
}

/** Writes through an alias: the documents first and then, once all are stored and visible, the position. */
export class OpenSearchWriter implements SearchWriter {
  readonly #connection: SearchConnection;
  readonly #options: WriterOptions;

  constructor(connection: SearchConnection, options: WriterOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    const documents = newestOf(writes).map(storedDocument);
    const state = storedState(position);
    for (let i = 0; i < documents.length; i += BULK_SIZE) {
      const isLast = i + BULK_SIZE >= documents.length;
      await this.#send(documents.slice(i, i + BULK_SIZE), isLast && this.#options.refresh);
    }
    await this.#send([state], false);
  }

  async #send(documents: readonly StoredDocument[], refresh: boolean): Promise<void> {
    const { alias: index, physical } = this.#options;
    // An engine that is busy for a few seconds must not undo an hour-long rebuild.
    const kind = this.#options.refresh ? "write" : "manage";
    const { items } = await this.#connection.call(kind, (client, options) =>
      client.bulk(
        {
          index,
          // Otherwise the engine would create an index for an unknown name.
          require_alias: true,
          refresh: refresh ? "true" : "false",
          // The types allow objects only; a line of text is sent unchanged.
          body: bulkLines(documents) as unknown as Record<string, unknown>[],
        },
        options,
      ),
    );
    checkBulk(items as readonly BulkItem[], documents.length, physical);
  }
}

/** Maximum number of documents in one request. */
const BULK_SIZE = 500;

/** The engine's result for one document of a bulk request. */
interface BulkItem {
  readonly index?: {
    readonly _index?: string;
    readonly status?: number;
    readonly error?: { readonly type?: string };
  };
}

/**
 * Returns the lines of a bulk request. Versions are written as digits, since JavaScript numbers are exact only up
 * to 2^53.
 */
export function bulkLines(documents: readonly StoredDocument[]): string[] {
  return documents.flatMap(({ id, version, source }) => [
    `{"index":{"_id":${JSON.stringify(id)},"version":${version},"version_type":"external_gte"}}`,
    JSON.stringify(source),
  ]);
}

/**
 * Checks the reply for each document: a bulk request succeeds even if none of its documents was stored.
 * @param physical the index that must have stored them, regardless of the alias used; any if absent.
 * @throws {SearchWriteRefused} if the engine will never accept one of them.
 * @throws {SearchUnavailable} if one was not stored now, or was stored in another index.
 */
export function checkBulk(items: readonly BulkItem[], expected: number, physical?: string): void {
  if (items.length !== expected)
    throw new SearchUnavailable("the search engine's bulk reply does not match the request");
  let refused: SearchWriteRefused | undefined;
  for (const { index: item } of items) {
    const status = item?.status ?? 0;
    const type = item?.error?.type ?? "no reason given";
    // A later write is already stored, and wins.
    const isLate = status === 409 && type === "version_conflict_engine_exception";
    if (status === 400) refused = new SearchWriteRefused(`the search engine refuses (${type})`);
    else if (!isLate && (status < 200 || status > 299)) throw new EngineRefusal(status, type);
    if (physical !== undefined && item?._index !== physical)
      throw new SearchUnavailable("the search index was replaced during the write");
  }
  if (refused) throw refused;
}

/** ID of the hidden document that records the position of the index. Reports have UUIDs. */
export const STATE_ID = "index-state";

/** A document as stored in the index, with the number that decides which write wins. */
interface StoredDocument {
  readonly id: string;
  readonly version: bigint;
  readonly source: object;
}

const HIGHEST = 2n ** 62n;

/**
 * Returns the external version of a write: at the same position a deletion wins over a document.
 * @throws {RangeError} if the position is invalid.
 */
export function versionOf(position: LogPosition, isDelete: boolean): bigint {
  if (!/^\d{20}$/.test(position)) throw new RangeError("a position has twenty digits");
  const number = BigInt(position);
  if (number >= HIGHEST) throw new RangeError("a position is below 2^62");
  return number * 2n + (isDelete ? 1n : 0n);
}

/** Returns the document to store. A deleted one keeps only its ID and a flag that hides it. */
export function storedDocument(write: SearchWrite): StoredDocument {
  const id = idOf(write);
  const isDelete = write.op === "delete";
  return {
    id,
    version: versionOf(write.position, isDelete),
    source: isDelete ? { id, hidden: true } : sourceOf(write.document),
  };
}

function storedState(position: LogPosition): StoredDocument {
  return {
    id: STATE_ID,
    version: versionOf(position, false),
    source: { id: STATE_ID, hidden: true, position },
  };
}

function sourceOf(given: SearchDocument): object {
  const submitted_at = new Date(given.submitted_at);
  const document: Omit<SearchDocument, "blind"> = {
    id: given.id,
    first_name: storable(given.first_name),
    last_name: storable(given.last_name),
    title: storable(given.title),
    description: storable(given.description),
    city: storable(given.city),
    state: storable(given.state).toUpperCase(),
    country: given.country,
    amount_cents: given.amount_cents,
    reasons: given.reasons,
    submitted_at: submitted_at.toISOString(),
  };
  const text = indexedText(given);
  return {
    id: given.id,
    hidden: false,
    document,
    state: document.state,
    reasons: given.reasons,
    amount_cents: given.amount_cents,
    submitted_ms: submitted_at.getTime(),
    name_text: text.name_text,
    search_text: text.search_text,
    terms: [...text.terms, countryTerm(given.country), ...blindTerms(given.blind ?? {})],
  };
}
