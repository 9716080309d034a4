import { newestOf } from "../newest-writes.ts";
import type { LogPosition, SearchWrite, SearchWriter } from "../port.ts";
import { BULK_SIZE, type BulkItem, bulkLines, checkBulk } from "./bulk.ts";
import type { SearchConnection } from "./connection.ts";
import { type StoredDocument, storedDocument, storedState } from "./stored-documents.ts";

export interface WriterOptions {
  readonly alias: string;
  /** The index that must be behind the alias; any when absent. */
  readonly physical?: string | undefined;
  /** Whether writes can be found at once; a rebuild needs that only at its end. */
  readonly refresh: boolean;
}

/**
 * Writes through an alias: first the documents and then, once all are stored and visible, the
 * position.
 */
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
    // An engine that is busy for some seconds must not undo a rebuild of an hour.
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
