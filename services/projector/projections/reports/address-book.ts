import type pg from "pg";
import { REMOVED_ADDRESS_DAYS, type SlugTable } from "#read-model/tables/address.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";

export type SlugRow = JsonRow<SlugTable>;

/** How an event changes a report's address. Times are RFC 3339. */
export type AddressChange = {
  readonly report_id: string;
  readonly position: string;
  readonly at: string;
} & (
  | { readonly kind: "given"; readonly slug_hash: string }
  /** The report is deleted or erased. */
  | { readonly kind: "gone" }
  /** Its deletion is undone. */
  | { readonly kind: "back" }
);

/**
 * Folds address changes over their reports' rows. Rows written by a later event are kept, because a
 * rebuild reads old events beside a live projector. A row from another epoch counts as older.
 * @returns rows to write.
 */
export function foldAddresses(
  loaded: readonly SlugRow[],
  changes: readonly AddressChange[],
  epoch: string,
): readonly SlugRow[] {
  const rows = new Map(loaded.map((row) => [row.slug_hash, row]));
  const written = new Map<string, SlugRow>();
  for (const change of changes) {
    const { report_id, position, kind, at } = change;
    const isNewer = (row: SlugRow) => row.epoch === epoch && row.position >= position;
    const write = (slug_hash: string, gone_at: string | null) => {
      const known = rows.get(slug_hash);
      if (known && isNewer(known)) return;
      const row = { slug_hash, report_id, gone_at, position, epoch };
      rows.set(slug_hash, row);
      written.set(slug_hash, row);
    };
    if (kind === "back") {
      for (const { slug_hash } of hiddenLast(rows.values(), change)) write(slug_hash, null);
      continue;
    }
    const given = kind === "given" ? change.slug_hash : undefined;
    // A row from a later event says nothing about the report at this event.
    const present = [...rows.values()].filter(
      (row) => row.report_id === report_id && row.gone_at === null && !isNewer(row),
    );
    for (const { slug_hash } of present) if (slug_hash !== given) write(slug_hash, at);
    if (given !== undefined) write(given, null);
  }
  return [...written.values()];
}

/** Returns the rows that a report's deletion hid, written last; earlier addresses stay gone. */
function hiddenLast(all: Iterable<SlugRow>, { report_id, position }: AddressChange): SlugRow[] {
  const rows = [...all].filter((row) => row.report_id === report_id);
  if (rows.some((row) => row.gone_at === null)) return [];
  const last = rows.reduce((newest, row) => (row.position > newest ? row.position : newest), "");
  return last < position ? rows.filter((row) => row.position === last) : [];
}

/** Writes the changes to `address.slug` in the caller's transaction. Call it last. */
export async function writeAddresses(
  client: pg.ClientBase,
  changes: readonly AddressChange[],
  epoch: string,
): Promise<void> {
  if (changes.length === 0) return;
  const { rows: loaded } = await client.query<{ row: SlugRow }>(
    "select to_json(s) as row from address.slug s where report_id = any($1::uuid[])",
    [[...new Set(changes.map(({ report_id }) => report_id))]],
  );
  const rows = foldAddresses(
    loaded.map(({ row }) => row),
    changes,
    epoch,
  );
  if (rows.length === 0) return;
  // Locks are taken in a fixed order, so that a rebuild and the live projector cannot deadlock.
  await client.query(
    "select from address.slug where slug_hash = any($1::text[]) order by slug_hash for update",
    [rows.map(({ slug_hash }) => slug_hash).toSorted()],
  );
  await client.query(
    `insert into address.slug as s
     select * from json_populate_recordset(null::address.slug, $1::json) order by slug_hash
     on conflict (slug_hash) do update
       set gone_at = excluded.gone_at, report_id = excluded.report_id,
           position = excluded.position, epoch = excluded.epoch
       where s.epoch <> excluded.epoch or s.position < excluded.position`,
    [JSON.stringify(rows)],
  );
  // A rebuild may find addresses in the log that were deleted long ago.
  if (rows.some(({ gone_at }) => gone_at !== null)) await deleteExpiredAddresses(client);
}

/** Deletes addresses that have been gone for so long that they no longer answer 410. */
export async function deleteExpiredAddresses(sql: Pick<pg.ClientBase, "query">): Promise<void> {
  await sql.query(
    `delete from address.slug where gone_at < now() - interval '${REMOVED_ADDRESS_DAYS} days'`,
  );
}
