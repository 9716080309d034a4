import type { ExportFormat } from "#contracts/http/list-exports.ts";

/** Counts the rows of an exported list in the pieces of its text, wherever these are cut. */
export interface RowCounter {
  /** @returns the rows that are whole by now. */
  add(piece: string): number;
}

/**
 * In CSV each line outside quotes is a row, but for the first, which has the names of the columns. In JSON a
 * row is a line that begins with a brace: no text in it holds a line break.
 */
export function rowCounter(format: ExportFormat): RowCounter {
  let rows = format === "csv" ? -1 : 0;
  let isQuoted = false;
  let before = "";
  return {
    add(piece) {
      for (const sign of piece) {
        if (format === "json") rows += before === "\n" && sign === "{" ? 1 : 0;
        // A doubled quote ends and begins.
        else if (sign === '"') isQuoted = !isQuoted;
        else if (sign === "\n" && !isQuoted) rows += 1;
        before = sign;
      }
      return Math.max(0, rows);
    },
  };
}
