import type { ProjectorFixture } from "./projector.fixture.ts";

/** One page of a table, an index, or a table's TOAST storage. */
export interface RawPage {
  readonly relation: string;
  /** `r` for a table, `i` for an index, `t` for TOAST storage. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/** Reads every page of the schemas' relations, from their files or from the server's buffers. */
export async function readPages(
  { rows }: Pick<ProjectorFixture, "rows">,
  schemas: readonly string[],
): Promise<RawPage[]> {
  await rows("create extension if not exists pageinspect schema public");
  const relations = await rows<{ name: string; kind: string; pages: number }>(
    `with own as (
       select c.oid, c.relkind, c.reltoastrelid from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any($1) and c.relkind in ('r', 'i')
     ), every as (
       select oid, relkind from own
       union all select reltoastrelid, 't' from own where reltoastrelid <> 0
     )
     select oid::regclass::text as name, relkind as kind,
       (pg_relation_size(oid) / current_setting('block_size')::int)::int as pages
     from every`,
    [schemas],
  );
  const found: RawPage[] = [];
  for (const { name, kind, pages } of relations)
    for (let page = 0; page < pages; page += 1) {
      const [row] = await rows<{ raw: Buffer }>("select get_raw_page($1, $2) as raw", [
        name,
        page,
      ]).catch(unlessCutOff);
      if (row) found.push({ relation: name, kind, bytes: row.raw });
    }
  return found;
}

/** VACUUM may have truncated empty pages at the end in the meantime. */
function unlessCutOff(error: Error): [] {
  if (/^block number \d+ is out of range/.test(error.message)) return [];
  throw error;
}

/** Returns the items that a page's line pointers lead to (`ItemIdData`: offset, flags, length). */
export function itemsOf(page: Buffer): Buffer[] {
  const HEADER_BYTES = 24;
  const end = Math.min(page.readUInt16LE(12), page.readUInt16LE(16));
  const found: Buffer[] = [];
  for (let at = HEADER_BYTES; at + 4 <= end; at += 4) {
    const pointer = page.readUInt32LE(at);
    const [offset, length] = [pointer & 0x7fff, pointer >>> 17];
    if (length > 0) found.push(page.subarray(offset, offset + length));
  }
  return found;
}
