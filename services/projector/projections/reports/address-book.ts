import type pg from "pg";
import { GONE_DAYS, type SlugTable } from "#read-model/tables/address.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";

export type SlugRow = JsonRow<SlugTable>;

/** How an event changes a report's address. Times are RFC 3339. */
export type AddressChange = {
  readonly report_id: string;
  readonly position: string;
  readonly at: string;
} & (
  | { readonly kind: "given"; readonly slug_hash: string }
  /** The report becomes public, at this address or at the one that it already has. */
  | { readonly kind: "approved"; readonly slug_hash?: string }
  /** The report is no longer public but keeps its address. */
  | { readonly kind: "withdrawn" }
  /** The report is deleted: its address is gone, unless that is undone. */
  | { readonly kind: "hidden" }
  | { readonly kind: "shown"; readonly is_live: boolean }
  | { readonly kind: "retired" }
);

/**
 * Folds changes of addresses over the rows of their reports. Rows written by a later event are
 * kept, because a rebuild reads old events beside a live projector. A row of another epoch counts
 * as older.
 * @returns rows to write, and rows to remove: an address that was never public leaves no trace.
 */
export function foldAddresses(
  loaded: readonly SlugRow[],
  changes: readonly AddressChange[],
  epoch: string,
): { readonly rows: readonly SlugRow[]; readonly removed: readonly SlugRow[] } {
  const rows = new Map(loaded.map((row) => [row.slug_hash, row]));
  const written = new Map<string, SlugRow>();
  const removed = new Map<string, SlugRow>();
  const isNewer = (row: SlugRow, position: string) =>
    row.epoch === epoch && row.position >= position;
  const write = (row: SlugRow) => {
    const known = rows.get(row.slug_hash);
    if (known && isNewer(known, row.position)) return;
    rows.set(row.slug_hash, row);
    written.set(row.slug_hash, row);
    removed.delete(row.slug_hash);
  };
  const retire = (row: SlugRow, { at, position }: AddressChange) => {
    if (isNewer(row, position)) return;
    if (row.published) return write({ ...row, is_live: false, gone_at: at, position, epoch });
    rows.delete(row.slug_hash);
    written.delete(row.slug_hash);
    removed.set(row.slug_hash, { ...row, position, epoch });
  };
  for (const change of changes) {
    const { report_id, position, kind } = change;
    // A row from a later event says nothing about the report at this event.
    const present = [...rows.values()].filter(
      (row) => row.report_id === report_id && row.gone_at === null && !isNewer(row, position),
    );
    switch (kind) {
      case "retired":
        for (const row of present) retire(row, change);
        break;
      case "hidden":
        for (const row of present) {
          const gone_at = row.published ? change.at : null;
          write({ ...row, is_live: false, gone_at, position, epoch });
        }
        break;
      case "shown":
        for (const row of hiddenLast(rows.values(), change))
          write({ ...row, is_live: change.is_live, gone_at: null, position, epoch });
        break;
      case "withdrawn":
        for (const row of present) write({ ...row, is_live: false, position, epoch });
        break;
      default: {
        const { slug_hash } = change;
        const is_live = kind === "approved" || present.some((row) => row.is_live);
        if (slug_hash === undefined) {
          for (const row of present) write({ ...row, published: true, is_live, position, epoch });
          break;
        }
        const published =
          is_live || present.some((row) => row.slug_hash === slug_hash && row.published);
        for (const row of present) if (row.slug_hash !== slug_hash) retire(row, change);
        write({ slug_hash, report_id, published, is_live, gone_at: null, position, epoch });
      }
    }
  }
  return { rows: [...written.values()], removed: [...removed.values()] };
}

/** The rows that a report's deletion has hidden, written last; earlier addresses stay gone. */
function hiddenLast(all: Iterable<SlugRow>, { report_id, position }: AddressChange): SlugRow[] {
  const rows = [...all].filter((row) => row.report_id === report_id);
  if (rows.some((row) => row.published && row.gone_at === null)) return [];
  const last = rows.reduce((newest, row) => (row.position > newest ? row.position : newest), "");
  return last < position ? rows.filter((row) => row.position === last && row.gone_at !== null) : [];
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
  const { rows, removed } = foldAddresses(
    loaded.map(({ row }) => row),
    changes,
    epoch,
  );
  if (rows.length + removed.length === 0) return;
  // Locks are taken in a fixed order, so that a rebuild and the live projector cannot deadlock.
  const all = [...rows, ...removed].map(({ slug_hash }) => slug_hash).toSorted();
  await client.query(
    "select from address.slug where slug_hash = any($1::text[]) order by slug_hash for update",
    [all],
  );
  if (removed.length > 0)
    await client.query(
      `delete from address.slug s using json_populate_recordset(null::address.slug, $1::json) r
       where s.slug_hash = r.slug_hash and (s.epoch <> r.epoch or s.position < r.position)`,
      [JSON.stringify(removed)],
    );
  if (rows.length > 0)
    await client.query(
      `insert into address.slug as s
       select * from json_populate_recordset(null::address.slug, $1::json) order by slug_hash
       on conflict (slug_hash) do update
         set published = excluded.published, is_live = excluded.is_live,
             gone_at = excluded.gone_at, report_id = excluded.report_id,
             position = excluded.position, epoch = excluded.epoch
         where s.epoch <> excluded.epoch or s.position < excluded.position`,
      [JSON.stringify(rows)],
    );
  // A rebuild may find addresses in the log that were deleted long ago.
  if (rows.some(({ gone_at }) => gone_at !== null)) await forgetGoneAddresses(client);
}

/** Removes addresses that were deleted so long ago that they no longer answer 410. */
export async function forgetGoneAddresses(sql: Pick<pg.ClientBase, "query">): Promise<void> {
  await sql.query(`delete from address.slug where gone_at < now() - interval '${GONE_DAYS} days'`);
}
