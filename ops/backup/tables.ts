import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { type KeptSchema, LEFT_OUT } from "#launcher/migrate/backed-up.ts";
import type { Entry } from "./archive/write-archive.ts";

const PREFIX = "table/";

export interface Table {
  /** `schema.name`. */
  readonly name: string;
  readonly columns: readonly string[];
}

/** The part of an archive that holds a table. */
export function partOfTable(name: string): string {
  return `${PREFIX}${name}`;
}

/** Undefined for a part that is no table. */
export function tableOfPart(part: string): string | undefined {
  return part.startsWith(PREFIX) ? part.slice(PREFIX.length) : undefined;
}

/** The tables of schemas, those first that others refer to. */
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

/** Ids of the steps that made the schemas of this database. */
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

/** The rows of a table as PostgreSQL's COPY writes them, in entries that end with a row. */
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

/** Adds rows as COPY reads them. */
export async function addRows(
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

/** Bytes of an entry that holds lines, unless one line is longer. */
const ENTRY_BYTES = 1_048_576;
const NEWLINE = 10;

/** Collects lines into pieces of about {@link ENTRY_BYTES}. */
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

/** The lines of an entry, without their ends. */
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
