/** A cell; null is an empty one. */
export type Cell = string | number | boolean | null;

/**
 * A spreadsheet takes a text that begins with one of these for a formula, some of them after white space;
 * the wide forms count in East Asian ones.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Before the first line, so that a spreadsheet reads the file as UTF-8. */
export const CSV_MARK = "\u{feff}";
/** Ends each line (RFC 4180). */
export const CSV_END = "\r\n";

/**
 * A field of RFC 4180. A text that a spreadsheet would calculate gets an apostrophe in front: names and
 * texts of the registry are written by strangers.
 */
function fieldOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  // In many countries a spreadsheet splits at semicolons, and what follows one begins a cell.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line without its end. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(fieldOf).join(",");
}
