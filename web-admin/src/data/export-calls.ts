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
import { rowCounter } from "./row-counter.ts";

/** How far an export is. */
export interface ExportProgress {
  /** Rows that are here. */
  readonly done: number;
  /** Rows that there will be at most. */
  readonly total: number;
}

interface ExportOptions {
  /** Ends it, here and on the server. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/** Exports of what the lists show, with one session's client. */
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
    /** The list as a file. The registry records the export before it sends a row. */
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
    /** Records an export of what the console has already. */
    async recordExport(ask: ExportAsk, format: ExportFormat) {
      await started(ask, format);
    },
  };
}
