import { CSV_END, CSV_MARK, csvLine } from "#contracts/csv.ts";
import type { ExportFormat } from "#contracts/http/list-exports.ts";
import { cellOf, type ExportedPage } from "./exported-list.ts";

/**
 * The export as text, a piece for each page, so that memory holds no more than one of them. CSV begins with
 * the names of the columns; JSON is an array with a row on each line.
 * @param most rows that the log says are given. More are left out.
 */
export async function* exportText(
  pages: AsyncIterable<ExportedPage>,
  format: ExportFormat,
  columns: readonly string[],
  most: number,
): AsyncGenerator<string> {
  yield format === "csv" ? `${CSV_MARK}${csvLine(columns)}${CSV_END}` : "[";
  let given = 0;
  for await (const { rows } of pages) {
    const shown = rows.slice(0, most - given);
    if (format === "csv") {
      const lines = shown.map((row) => csvLine(cellsOf(row, columns)) + CSV_END);
      if (lines.length > 0) yield lines.join("");
    } else {
      const lines = shown.map((row, i) => `${given + i > 0 ? "," : ""}\n${JSON.stringify(row)}`);
      if (lines.length > 0) yield lines.join("");
    }
    given += shown.length;
    if (given >= most) break;
  }
  if (format === "json") yield "\n]\n";
}

function cellsOf(row: object, columns: readonly string[]) {
  const values = row as Readonly<Record<string, unknown>>;
  return columns.map((column) => cellOf(values[column]));
}
