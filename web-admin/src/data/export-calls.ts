import type { Static } from "typebox";
import {
  type ExportAsk,
  type ExportCountReply,
  type ExportFormat,
  type ExportStartedReply,
  exportHeader,
  LIST_EXPORT_COUNT,
  LIST_EXPORT_ROWS,
  LIST_EXPORTS,
  X_EXPORT,
  X_EXPORT_TICKET,
} from "#contracts/http/list-exports.ts";
import type { ApiClient } from "./api-client.ts";

export interface ExportProgress {
  readonly done: number;
  /** Upper bound of the number of rows. */
  readonly total: number;
}

interface ExportOptions {
  /** Cancels the export, here and on the server. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/** Creates the calls that export lists, using one session's client. */
export function exportCalls(client: ApiClient) {
  async function started(ask: ExportAsk, format: ExportFormat, signal?: AbortSignal) {
    const headers = new Headers({ [X_EXPORT]: exportHeader(ask) });
    const counted = await client.request(LIST_EXPORT_COUNT, { headers, signal });
    const { statement } = (counted.json as Static<typeof ExportCountReply>).data;
    signal?.throwIfAborted();
    const { json } = await client.command(LIST_EXPORTS, "POST", { statement, format });
    return (json as Static<typeof ExportStartedReply>).data;
  }
  return {
    /** Exports the list as a file. The registry logs the export before it sends any row. */
    async exportList(ask: ExportAsk, format: ExportFormat, { signal, onProgress }: ExportOptions) {
      const { ticket, rows: total } = await started(ask, format, signal);
      const counter = rowCounter(format);
      onProgress({ done: 0, total });
      const content = await client.download(LIST_EXPORT_ROWS, {
        headers: new Headers({ [X_EXPORT_TICKET]: ticket }),
        signal,
        onText: (text) => onProgress({ done: counter.add(text), total }),
      });
      return { content, rows: counter.add("") };
    },
    async recordExport(ask: ExportAsk, format: ExportFormat) {
      await started(ask, format);
    },
  };
}

interface RowCounter {
  add(piece: string): number;
}

/**
 * In CSV, each line outside quotes is a row, except the header. In JSON, a row is a line that begins with a brace:
 * strings contain no line breaks.
 */
export function rowCounter(format: ExportFormat): RowCounter {
  let rows = format === "csv" ? -1 : 0;
  let isQuoted = false;
  let before = "";
  return {
    add(piece) {
      for (const sign of piece) {
        if (format === "json") rows += before === "\n" && sign === "{" ? 1 : 0;
        // A doubled quote toggles twice.
        else if (sign === '"') isQuoted = !isQuoted;
        else if (sign === "\n" && !isQuoted) rows += 1;
        before = sign;
      }
      return Math.max(0, rows);
    },
  };
}
