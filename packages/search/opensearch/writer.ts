import { newestOf } from "../newest-writes.ts";
import type { LogPosition, SearchWrite, SearchWriter } from "../port.ts";
import { BULK_SIZE, type BulkItem, bulkLines, checkBulk } from "./bulk.ts";
import type { SearchConnection } from "./connection.ts";
import { type StoredDocument, storedDocument, storedState } from "./stored-documents.ts";

export interface WriterOptions {
  readonly alias: string;
  /** The index that must be behind the alias; any when absent. */
  readonly physical?: string | undefined;
  /** Whether what is written can be found at once; a rebuild looks at it at its end only. */
  readonly refresh: boolean;
}

/** Writes by an alias: first the documents, then, when all are stored and seen, the position. */
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
    // A rebuild of an hour is not undone by an engine that is busy for some seconds.
    const kind = this.#options.refresh ? "write" : "manage";
    const { items } = await this.#connection.call(kind, (client, options) =>
      client.bulk(
        {
          index,
          // Never an index that the engine makes up for a name that it does not know.
          require_alias: true,
          refresh: refresh ? "true" : "false",
          // Typed as objects only; a line of text is sent unchanged.
          body: bulkLines(documents) as unknown as Record<string, unknown>[],
        },
        options,
      ),
    );
    checkBulk(items as readonly BulkItem[], documents.length, physical);
  }
}
