import { createRequire } from "node:module";

interface PgResult {
  readonly fields: readonly { readonly name: string }[];
  addRow(row: unknown): unknown;
}
const Result = createRequire(import.meta.url)("pg/lib/result.js") as { prototype: PgResult };

/** Columns that only rows of events and of the services' keys have. */
const UNCOUNTED: ReadonlySet<string> = new Set(["found", "bound_name", "public_key"]);

/** Work of this process since the counters were last read. */
export interface Work {
  /** Texts and names checked for characters that no store can keep. */
  readonly texts: number;
  /**
   * Rows that PostgreSQL returned, without log events and the services' own keys: each process rereads those
   * every few seconds, whatever it is asked.
   */
  readonly rows: number;
}

/** Counts work from outside, through a call that each kind of work must make. */
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
