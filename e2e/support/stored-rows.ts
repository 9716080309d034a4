import type pg from "pg";
import { found } from "./canaries.ts";

/** The text of every row by table, except those of the named schemas. */
export async function storedRows(
  db: pg.Pool,
  ...without: readonly string[]
): Promise<Map<string, string>> {
  const { rows: tables } = await db.query<{ name: string; schema: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  const texts = new Map<string, string>();
  for (const { name, schema } of tables) {
    if (without.includes(schema)) continue;
    const { rows } = await db.query(
      `select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`,
    );
    texts.set(name, rows[0].text);
  }
  return texts;
}

/** Where the canaries are, each beside the name of the text. */
export const leaks = (texts: ReadonlyMap<string, string>, canaries: readonly string[]) =>
  [...texts].flatMap(([name, text]) => found(text, canaries).map((canary) => `${name}: ${canary}`));
