import { CURRENCIES, type Currency } from "./report/words.ts";

interface Total {
  readonly currency: Currency;
  readonly amount: number;
}

/** A cell; null is empty. */
export type Cell = string | number | boolean | null;

/** Spreadsheets treat text that begins this way as a formula. East Asian ones also accept the full-width forms. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/**
 * Spreadsheets turn "0042" into 42, "12345678901234567" into 1.23E+16, "12e5" or "1.2E+06" into 1200000, and
 * "3-4" into a date.
 */
const CHANGED =
  /^\s*(?:0\d[\d.]*|\d{16,}|\d+(?:\.\d+)?e[+-]?\d+|\d{1,2}[-/]\d{1,4}(?:[-/]\d{1,4})?)\s*$/i;

/** Byte order mark, so that spreadsheets read the file as UTF-8. */
export const CSV_MARK = "\u{feff}";
/** Line ending (RFC 4180). */
export const CSV_END = "\r\n";

/**
 * Formats a field according to RFC 4180. Text that a spreadsheet would evaluate or convert gets a leading
 * apostrophe. So does text that begins with one, so a program can always remove one to get the original.
 */
function fieldOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const marked = cell.startsWith("'") || FORMULA.test(cell) || CHANGED.test(cell);
  const safe = marked ? `'${cell}` : cell;
  // In many locales spreadsheets split at semicolons, so what follows one would begin a cell.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats a row, without its line ending. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(fieldOf).join(",");
}

/** Returns a column name for each currency, such as `totals_USD`. */
export function totalColumns(name: string): string[] {
  return CURRENCIES.map((currency) => `${name}_${currency}`);
}

/** Returns the cells of {@link totalColumns}; 0 for a currency without a total. */
export function totalCells(name: string, totals: readonly Total[]): Record<string, Cell> {
  const amounts = new Map(totals.map(({ currency, amount }) => [`${name}_${currency}`, amount]));
  return Object.fromEntries(totalColumns(name).map((column) => [column, amounts.get(column) ?? 0]));
}
