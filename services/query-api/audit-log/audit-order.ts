import { PLACE } from "#contracts/http/list-place.ts";
import { invalidRequest } from "#http/validation.ts";
import type { AuditEntryTable } from "#read-model/tables/audit.ts";
import type { Reading } from "../placed-lists.ts";
import type { Source } from "./audit-sources.ts";

/** What the log may be sorted by before the time. */
type Key = keyof NonNullable<Source["shared"]>;
const COLUMNS: Readonly<Record<string, Key>> = {
  action: "command",
  status: "status",
  role: "actor_role",
};

/** An entry beside a page: what it shares with its neighbours, empty in the log's order, and its position. */
interface Beside {
  readonly shared: string;
  readonly position: string;
}

/** Sources with the same value of what the list is sorted by, in the order of the log. */
export interface Stretch {
  readonly sources: readonly Source[];
  /** The position behind which it is read, or from which on. */
  readonly behind?: { readonly position: string; readonly including?: boolean } | undefined;
}

/** What an entry is sorted by, as one text: for a page that begins beside it. */
export function keyOf(row: Pick<AuditEntryTable, Key | "position">, field: string): string {
  const column = COLUMNS[field];
  return column ? `${row[column]} ${row.position}` : row.position;
}

/** The reverse of {@link keyOf}. @throws {DomainError} `invalid_request` for a place in a list of another order. */
export function besideOf({ key }: { readonly key: string }, field: string): Beside {
  const [shared, position, ...more] = COLUMNS[field] ? key.split(" ") : ["", key];
  if (shared === undefined || position === undefined || more.length > 0)
    throw invalidRequest({ [PLACE]: "place must be one that this list has given" });
  return { shared, position };
}

/**
 * Which stretches of the log a page lies in, in the order of the list, and how many entries of the first are
 * before the page. Those whose number is known are left out before the page, and behind it.
 */
export function stretchesOf(
  sources: readonly Source[],
  {
    order,
    beside,
    offset,
    limit,
  }: Pick<Reading, "order" | "offset" | "limit"> & { readonly beside: Beside | undefined },
  field: string,
): { readonly stretches: readonly Stretch[]; readonly offset: number } {
  const column = COLUMNS[field];
  const groups = [...Map.groupBy(sources, ({ shared }) => (column && shared?.[column]) ?? "")];
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string, b: string) => sign * (a < b ? -1 : Number(a > b));
  const stretches: Stretch[] = [];
  let before = offset;
  let found = 0;
  for (const [value, of] of groups.toSorted(([a], [b]) => compare(a, b))) {
    const side = beside ? compare(value, beside.shared) : 1;
    if (side < 0) continue;
    if (beside && side === 0) {
      stretches.push({ sources: of, behind: { position: beside.position } });
      continue;
    }
    const entries = of.reduce((sum, source) => sum + source.entries, 0);
    const isKnown = !of.some(({ atLeast }) => atLeast);
    if (stretches.length === 0 && isKnown && entries <= before) {
      before -= entries;
      continue;
    }
    stretches.push({ sources: of });
    found += entries;
    if (found >= before + limit) break;
  }
  return { stretches, offset: before };
}
