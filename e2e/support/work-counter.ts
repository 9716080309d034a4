import { createRequire } from "node:module";

interface PgResult {
  readonly fields: readonly { readonly name: string }[];
  addRow(row: unknown): unknown;
}
const Result = createRequire(import.meta.url)("pg/lib/result.js") as { prototype: PgResult };

/** Columns that only such rows have: of events, and of the services' keys. */
const UNCOUNTED: ReadonlySet<string> = new Set(["found", "bound_name", "public_key"]);

/** What this process has done since the counters were last read. */
export interface Work {
  /** Texts and names that were checked for what no store can keep. */
  readonly texts: number;
  /**
   * Rows that PostgreSQL returned, without events of the log, and without the services' own keys: each
   * process reads those again every few seconds, whatever it is asked.
   */
  readonly rows: number;
}

/** Counts from outside, by the calls that each kind of work must make. */
export function countWork(): { take(): Work; [Symbol.dispose](): void } {
  let texts = 0;
  let rows = 0;
  const { includes } = String.prototype;
  const { addRow } = Result.prototype;
  String.prototype.includes = function (this: string, part: string, from?: number) {
    if (part === "\0") texts += 1;
    return includes.call(this, part, from);
  };
  Result.prototype.addRow = function (this: PgResult, row: unknown) {
    if (!this.fields.some(({ name }) => UNCOUNTED.has(name))) rows += 1;
    return addRow.call(this, row);
  };
  return {
    take() {
      const work = { texts, rows };
      texts = 0;
      rows = 0;
      return work;
    },
    [Symbol.dispose]() {
      String.prototype.includes = includes;
      Result.prototype.addRow = addRow;
    },
  };
}
