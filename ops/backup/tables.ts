import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { KEYS_SCHEMAS, type KeptSchema, LEFT_OUT } from "#launcher/migrate/rights.ts";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { BEGIN_RESTORE, END_RESTORE } from "#vault/keys/key-store.ts";
import type { Entry, ReadEntry } from "./archive.ts";
import type { Manifest } from "./manifest.ts";

const PREFIX = "table/";

export interface Table {
  /** `schema.name`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** Name of the archive part that holds a table. */
export function partOfTable(name: string): string {
  return `${PREFIX}${name}`;
}

/** Undefined if the part is not a table. */
export function tableOfPart(part: string): string | undefined {
  return part.startsWith(PREFIX) ? part.slice(PREFIX.length) : undefined;
}

/** Returns the tables of schemas, referenced tables first. */
export async function tablesOf(
  client: pg.ClientBase,
  schemas: readonly KeptSchema[],
): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `select n.nspname || '.' || c.relname as name,
       (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
         as columns,
       (select coalesce(json_agg(distinct rn.nspname || '.' || r.relname), '[]')
        from pg_constraint f join pg_class r on r.oid = f.confrelid
          join pg_namespace rn on rn.oid = r.relnamespace
        where f.contype = 'f' and f.conrelid = c.oid and r.oid <> c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relname <> 'migration' and n.nspname = any($1)
     order by 1`,
    [schemas.map(({ name }) => name)],
  );
  const left = rows.filter(({ name }) => !LEFT_OUT.has(name));
  const sorted: Table[] = [];
  while (left.length > 0) {
    const isThere = (name: string) => sorted.some((table) => table.name === name);
    const next = left.findIndex(({ needs }) => needs.every(isThere));
    for (const { name, columns } of left.splice(Math.max(next, 0), 1))
      sorted.push({ name, columns });
  }
  return sorted;
}

/** Returns IDs of the migrations applied to this database's schemas. */
export async function appliedMigrations(
  client: pg.ClientBase,
  schemas: readonly KeptSchema[],
): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const { name } of schemas) {
    const { rows } = await client.query<{ id: string }>(
      `select id from "${name}".migration order by id`,
    );
    applied[name] = rows.map(({ id }) => id);
  }
  return applied;
}

/** Yields a table's rows as PostgreSQL's COPY writes them, in entries that end with a whole row. */
export async function* rowsOf(client: pg.ClientBase, table: Table): AsyncGenerator<Entry> {
  const rows = client.query(copyTo(`copy ${table.name} (${listOf(table)}) to stdout`));
  for await (const { bytes, lines, number } of byLines(rows))
    yield {
      name: entryName(partOfTable(table.name), number),
      size: bytes.length,
      content: [bytes],
      items: lines,
    };
}

/** Adds rows in COPY format. */
async function addRows(
  client: pg.ClientBase,
  table: Table,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(rows, client.query(copyFrom(`copy ${table.name} (${listOf(table)}) from stdin`)));
}

function listOf({ columns }: Table): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", ");
}

export function entryName(part: string, number: number): string {
  return `${part}/${String(number).padStart(9, "0")}`;
}

/** Bytes per entry of lines, unless one line is longer. */
const ENTRY_BYTES = 1_048_576;
const NEWLINE = 10;

/** Collects lines into chunks of about {@link ENTRY_BYTES}. */
export async function* byLines(
  source: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<{ bytes: Buffer; lines: number; number: number }> {
  let waiting: Buffer[] = [];
  let size = 0;
  let number = 0;
  const piece = (bytes: Buffer) => ({ bytes, lines: countLines(bytes), number: ++number });
  for await (const chunk of source) {
    waiting.push(Buffer.from(chunk));
    size += chunk.length;
    if (size < ENTRY_BYTES) continue;
    const bytes = Buffer.concat(waiting);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield piece(bytes.subarray(0, end));
    waiting = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) yield piece(Buffer.concat(waiting));
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

/** Yields the lines of an entry, without line ends. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, start)) {
      yield rest.toString("utf8", start, at);
      start = at + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield rest.toString("utf8");
}

/** Restores tables: creates them as they were, adds the rows, and migrates them to this version. */
export class TableRestore {
  readonly #pool: pg.Pool;
  readonly #client: pg.PoolClient;
  readonly #schemas: readonly KeptSchema[];
  readonly #manifest: Manifest;

  private constructor(
    pool: pg.Pool,
    client: pg.PoolClient,
    schemas: readonly KeptSchema[],
    manifest: Manifest,
  ) {
    this.#pool = pool;
    this.#client = client;
    this.#schemas = schemas;
    this.#manifest = manifest;
  }

  /** @throws {Refusal} if the archive has tables unknown to this version; nothing was created. */
  static async open(
    url: string,
    schemas: readonly KeptSchema[],
    manifest: Manifest,
  ): Promise<TableRestore> {
    refuseNewerTables(schemas, manifest);
    const pool = openPool({ url, name: "restore", max: 2, statementMs: "unlimited" });
    try {
      for (const { name, migrations } of schemas) {
        const applied = new Set(manifest.migrations[name]);
        await applyMigrations(
          pool,
          name,
          migrations.filter(({ id }) => applied.has(id)),
        );
      }
      return new TableRestore(pool, await pool.connect(), schemas, manifest);
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  /** Adds rows to a table. @param rows in COPY format. */
  async add(table: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
    const columns = this.#manifest.parts[partOfTable(table)]?.columns;
    const isKnown = this.#schemas.some(({ name }) => table.startsWith(`${name}.`));
    if (!columns || !isKnown || !/^[a-z_]+\.[a-z_]+$/.test(table))
      throw new Refusal(`The archive has a table that this version does not know (${table}).`);
    await addRows(this.#client, { name: table, columns }, rows);
  }

  /** Runs one statement on the connection that adds the rows. */
  async run(statement: string, values: unknown[] = []): Promise<void> {
    await this.#client.query(statement, values);
  }

  /** Migrates the tables to this version. */
  async finish(): Promise<void> {
    for (const { name, migrations } of this.#schemas)
      await applyMigrations(this.#pool, name, migrations);
  }

  async close(): Promise<void> {
    this.#client.release(true);
    await this.#pool.end();
  }
}

/** @throws {Refusal} */
export function refuseNewerTables(
  schemas: readonly KeptSchema[],
  { migrations, version }: Manifest,
) {
  for (const { name, migrations: known } of schemas) {
    const ids = new Set(known.map(({ id }) => id));
    const unknown = migrations[name]?.find((id) => !ids.has(id));
    if (unknown !== undefined || !migrations[name])
      throw new Refusal(
        `The archive was made by another version of this program (${version}): restore it with that one.`,
      );
  }
}

const SUBJECT_KEYS = "keys.subject_key";

interface MarkedStores {
  /** Removes the mark once everything is restored. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Marks the stores, then restores all keys except destroyed ones. @param erasures time of each, by subject. */
export async function restoreKeys(
  url: string,
  manifest: Manifest,
  erasures: ReadonlyMap<string, string>,
  readAll: (use: (entry: ReadEntry) => Promise<void>) => Promise<void>,
): Promise<MarkedStores> {
  const tables = await TableRestore.open(url, KEYS_SCHEMAS, manifest);
  try {
    await tables.run(BEGIN_RESTORE);
    const columns = manifest.parts[partOfTable(SUBJECT_KEYS)]?.columns ?? [];
    const left = new Map(erasures);
    await readAll(async ({ part, content }) => {
      const table = tableOfPart(part) ?? part;
      const rows = table === SUBJECT_KEYS ? withoutErased(content, columns, left) : content;
      await tables.add(table, rows);
    });
    await tables.finish();
    await tables.run(
      `insert into keys.subject_key (subject, destroyed_at)
       select subject, at::timestamptz from json_to_recordset($1) as n (subject text, at text)`,
      [JSON.stringify([...left].map(([subject, at]) => ({ subject, at })))],
    );
    return { finish: () => tables.run(END_RESTORE), close: () => tables.close() };
  } catch (error) {
    await tables.close();
    throw error;
  }
}

const NULL = "\\N";

/** Yields the rows of keys, with destroyed ones emptied. @param erasures from which those found are removed. */
async function* withoutErased(
  rows: AsyncIterable<Uint8Array>,
  columns: readonly string[],
  erasures: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const place = (name: string) => columns.indexOf(name);
  const [subject, wrapped, version, destroyed] = [
    place("subject"),
    place("wrapped"),
    place("key_version"),
    place("destroyed_at"),
  ] as [number, number, number, number];
  async function* lines() {
    for await (const line of linesOf(rows)) {
      const values = line.split("\t");
      const at = erasures.get(values[subject] ?? "");
      erasures.delete(values[subject] ?? "");
      if (at !== undefined && values[wrapped] !== NULL) {
        values[wrapped] = NULL;
        values[version] = NULL;
        values[destroyed] = at;
      }
      yield `${values.join("\t")}\n`;
    }
  }
  for await (const { bytes } of byLines(lines())) yield bytes;
}
