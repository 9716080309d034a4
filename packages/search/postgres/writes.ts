import type pg from "pg";
import { indexedText, storable } from "../matching.ts";
import { newestOf } from "../newest-writes.ts";
import type { LogPosition, SearchDocument, SearchWrite } from "../port.ts";
import { blindTerms } from "../search-plan.ts";

/** Maximum number of documents in one statement. */
const CHUNK = 500;

/** Writes into the tables of `schema`, in a transaction: the newest write of each ID, if newer than the stored one. */
export async function applyWrites(
  client: pg.ClientBase,
  schema: string,
  writes: readonly SearchWrite[],
  position: LogPosition,
): Promise<void> {
  const winners = newestOf(writes);
  const upserts = winners.filter((write) => write.op === "upsert");
  const deletes = winners.filter((write) => write.op === "delete");
  if (deletes.length > 0) {
    await removeDocuments(client, schema, deletes);
  }
  for (let i = 0; i < upserts.length; i += CHUNK) {
    await storeDocuments(client, schema, upserts.slice(i, i + CHUNK));
  }
  await client.query(
    `update ${schema}.meta set position = greatest(position, $1::text collate "C")`,
    [position],
  );
}

async function removeDocuments(
  client: pg.ClientBase,
  schema: string,
  deletes: readonly { readonly id: string; readonly position: LogPosition }[],
): Promise<void> {
  const columns = [deletes.map((d) => d.id), deletes.map((d) => d.position)];
  await client.query(
    `with gone as (select * from unnest($1::text[], $2::text[]) as g (id, position)),
      remembered as (
        insert into ${schema}.tombstones as t (id, position) select id, position from gone
        on conflict (id) do update set position = greatest(t.position, excluded.position)
      )
    delete from ${schema}.documents d using gone
    where d.id = gone.id and d.position <= gone.position`,
    columns,
  );
}

async function storeDocuments(
  client: pg.ClientBase,
  schema: string,
  upserts: readonly { readonly document: SearchDocument; readonly position: LogPosition }[],
): Promise<void> {
  const rows = upserts.map(({ document, position }) => rowOf(document, position));
  const columns = Object.keys(rows[0] ?? {});
  await client.query(
    `insert into ${schema}.documents as d (${columns.join(", ")})
    select ${columns.map((column) => `new.${column}`).join(", ")}
    from json_populate_recordset(null::${schema}.documents, $1::json) new
    where not exists (
      select from ${schema}.tombstones t where t.id = new.id and t.position >= new.position)
    on conflict (id) do update
      set ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
      where d.position <= excluded.position`,
    [JSON.stringify(rows)],
  );
  await client.query(
    `delete from ${schema}.tombstones t using ${schema}.documents d
    where t.id = d.id and t.position < d.position and d.id = any($1::text[])`,
    [rows.map((row) => row.id)],
  );
}

function rowOf(document: SearchDocument, position: LogPosition) {
  const { name_text, search_text, terms } = indexedText(document);
  return {
    id: document.id,
    position,
    first_name: storable(document.first_name),
    last_name: storable(document.last_name),
    title: storable(document.title),
    description: storable(document.description),
    city: storable(document.city),
    state: storable(document.state).toUpperCase(),
    country: document.country,
    amount_cents: document.amount_cents,
    reasons: document.reasons,
    submitted_ms: Date.parse(document.submitted_at),
    name_text,
    search_text,
    terms: lexemes([...terms, ...blindTerms(document.blind ?? {})]),
  };
}

/**
 * Terms are stored in a tsvector, whose sorted words are found by bisection. No text search configuration is
 * involved.
 */

/** Returns the text form of a tsvector of these terms. */
function lexemes(terms: readonly string[]): string {
  return terms.map(quoted).join(" ");
}

/** Returns the text form of a tsquery that matches any of these terms. */
export function anyLexeme(terms: readonly string[]): string {
  return terms.map(quoted).join(" | ");
}

function quoted(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
