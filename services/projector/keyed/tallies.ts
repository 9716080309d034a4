import type pg from "pg";
import type { StoredEvent } from "#event-store/port.ts";
import type { Batch } from "../daemon/projection.ts";
import { type EventType, type Happened, handledKey, type ReadModel } from "./read-model.ts";

/** Sums over a read model's rows. A row's counts are added and subtracted with it. */
export interface TallyTable {
  /** Name without the schema. */
  readonly name: string;
  /** Columns of the primary key. */
  readonly keys: readonly string[];
  /** Columns of sums. A row that has only zeros is deleted. */
  readonly sums: readonly string[];
}

/** What one row adds to one row of a tally: a key, and a number for each sum. */
export interface Count {
  readonly tally: TallyTable;
  readonly key: readonly (string | number | boolean)[];
  readonly sums: readonly (number | bigint)[];
}

interface Sum {
  readonly key: Count["key"];
  readonly sums: bigint[];
}

/** Non-zero differences by tally and key. */
export type Differences = ReadonlyMap<TallyTable, readonly Sum[]>;

/** Computes how the changes affect the tallies. @param countsOf what a row counts for; it depends on the row alone. */
export function differencesOf<Row>(
  { loaded, changed, removed }: Changes<Row>,
  countsOf: (row: Row) => Iterable<Count>,
): Differences {
  const found = new Map<TallyTable, Map<string, Sum>>();
  const add = (row: Row | undefined, sign: bigint) => {
    if (!row) return;
    for (const { tally, key, sums } of countsOf(row)) {
      const ofTally = found.get(tally) ?? new Map<string, Sum>();
      found.set(tally, ofTally);
      const id = JSON.stringify(key);
      const sum = ofTally.get(id) ?? { key, sums: sums.map(() => 0n) };
      ofTally.set(id, sum);
      for (const [i, n] of sums.entries()) sum.sums[i] = (sum.sums[i] ?? 0n) + sign * BigInt(n);
    }
  };
  for (const id of new Set([...changed.keys(), ...removed])) {
    add(loaded.get(id), -1n);
    add(changed.get(id), 1n);
  }
  const differs = ({ sums }: Sum) => sums.some((n) => n !== 0n);
  return new Map([...found].map(([tally, sums]) => [tally, [...sums.values()].filter(differs)]));
}

/** Adds the differences to the tables in this schema, with at most two statements each. */
export async function writeDifferences(
  client: pg.ClientBase,
  schema: string,
  differences: Differences,
): Promise<void> {
  for (const [tally, sums] of differences) {
    if (sums.length === 0) continue;
    const { name, keys, sums: columns } = tally;
    const table = `${schema}.${name}`;
    const rows = JSON.stringify(sums.map((sum) => rowOf(tally, sum)));
    const all = [...keys, ...columns].join(", ");
    await client.query(
      `insert into ${table} as t (${all})
       select ${all} from json_populate_recordset(null::${table}, $1::json)
       on conflict (${keys.join(", ")}) do update
       set ${columns.map((column) => `${column} = t.${column} + excluded.${column}`).join(", ")}`,
      [rows],
    );
    if (!sums.some((sum) => sum.sums.some((n) => n < 0n))) continue;
    await client.query(
      `delete from ${table} t using json_populate_recordset(null::${table}, $1::json) d
       where ${keys.map((key) => `t.${key} = d.${key}`).join(" and ")}
         and ${columns.map((column) => `t.${column} = 0`).join(" and ")}`,
      [rows],
    );
  }
}

/** Writes sums as text: a JSON number past 2^53 would lose digits. */
function rowOf({ keys, sums: columns }: TallyTable, { key, sums }: Sum): object {
  return Object.fromEntries([
    ...keys.map((name, i) => [name, key[i]]),
    ...columns.map((name, i) => [name, String(sums[i])]),
  ]);
}

/** An event that changed a row. */
export interface Step<Row> {
  readonly key: string;
  readonly stored: StoredEvent;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** How a batch of the log changes the rows of a table. */
export interface Changes<Row> {
  /** Rows before the batch, if they are known to have existed. */
  readonly loaded: ReadonlyMap<string, Row>;
  /** Rows that the batch created or changed, as they are after it. */
  readonly changed: ReadonlyMap<string, Row>;
  /** Keys of rows that the batch removed. */
  readonly removed: ReadonlySet<string>;
}

/** Returns the batch's events that the model handles, in order. */
export function happenedIn<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  { events, keys }: Pick<Batch, "events" | "keys">,
): Happened<Type>[] {
  const happened: Happened<Type>[] = [];
  for (const { stored, event } of events) {
    const key = handledKey(model, stored);
    if (key !== undefined) happened.push({ key, event, stored, keys } as Happened<Type>);
  }
  return happened;
}

/** Folds events over their rows, without mutating them. @param onStep called for each event that changes a row. */
export function foldRows<Row extends object, Type extends EventType>(
  model: ReadModel<Row, Type>,
  loaded: ReadonlyMap<string, Row>,
  happened: readonly Happened<Type>[],
  onStep?: (step: Step<Row>) => void,
): Changes<Row> {
  const rows = new Map<string, Row | undefined>();
  for (const one of happened) {
    const { key, stored } = one;
    const before = rows.has(key) ? rows.get(key) : loaded.get(key);
    const after = model.evolve(before, one);
    if (after === before) continue;
    rows.set(key, after);
    onStep?.({ key, stored, before, after });
  }
  const changed = new Map<string, Row>();
  const removed = new Set<string>();
  for (const [key, row] of rows) {
    if (row) changed.set(key, row);
    else removed.add(key);
  }
  return { loaded, changed, removed };
}
