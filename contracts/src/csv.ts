import { CURRENCIES, type Currency } from "./report/words.ts";

interface Total {
  readonly currency: Currency;
  readonly amount: number;
}

/** A cell; null is an empty one. */
export type Cell = string | number | boolean | null;

/** A spreadsheet takes a text that begins so for a formula; the wide forms count in East Asian ones. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** A spreadsheet turns "0042" into 42, "12345678901234567" into 1.23E+16, "12e5" or "1.2E+06" into 1200000, and "3-4" into a day. */
const CHANGED =
  /^\s*(?:0\d[\d.]*|\d{16,}|\d+(?:\.\d+)?e[+-]?\d+|\d{1,2}[-/]\d{1,4}(?:[-/]\d{1,4})?)\s*$/i;

/** Before the first line, so that a spreadsheet reads the file as UTF-8. */
export const CSV_MARK = "\u{feff}";
/** Ends each line (RFC 4180). */
export const CSV_END = "\r\n";

/**
 * A field of RFC 4180. A text that a spreadsheet would calculate or change gets an apostrophe in front, and so
 * does one that begins with an apostrophe: a program that takes one off has the text.
 */
function fieldOf(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const marked = cell.startsWith("'") || FORMULA.test(cell) || CHANGED.test(cell);
  const safe = marked ? `'${cell}` : cell;
  // In many countries a spreadsheet splits at semicolons, and what follows one begins a cell.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line without its end. */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(fieldOf).join(",");
}

/** A column for each currency, such as `totals_USD`. */
export function totalColumns(name: string): string[] {
  return CURRENCIES.map((currency) => `${name}_${currency}`);
}

/** The cells of {@link totalColumns}: 0 for a currency that nothing is in. */
export function totalCells(name: string, totals: readonly Total[]): Record<string, Cell> {
  const amounts = new Map(totals.map(({ currency, amount }) => [`${name}_${currency}`, amount]));
  return Object.fromEntries(totalColumns(name).map((column) => [column, amounts.get(column) ?? 0]));
}
