import {
  EXPORT_PARTS,
  EXPORTED,
  type ExportPage,
  type ExportPart,
} from "#contracts/http/account-export.ts";

/** After so many characters a page ends, whatever is left. */
const PAGE_LENGTH = 1_000_000;

/** One step through a part of an export. */
export interface Step<T> {
  /** Where the part goes on after it. */
  readonly cursor: string;
  /** Absent for what does not belong into the export. */
  readonly item?: T | undefined;
}

type ItemOf<P extends ExportPart> = ExportPage[P][number];

/** Walks each part from a cursor on, in a fixed order; from its beginning when the cursor is empty. */
export type ExportWalks = {
  readonly [P in ExportPart]: (after: string) => AsyncIterable<Step<ItemOf<P>>>;
};

/** Where a page begins. */
export interface PageStart {
  readonly part: ExportPart;
  readonly after: string;
}

type Items = Pick<ExportPage, ExportPart>;

/** Fills a page up to its limits. @returns the items, and where the next page begins; nothing there after the last. */
export async function fillPage(
  walks: ExportWalks,
  { part: first, after }: PageStart,
): Promise<{ readonly items: Items; readonly next?: PageStart }> {
  const items: Items = { history: [], sessions: [], claims: [], inquiries: [], reports: [] };
  let length = 0;
  for (const part of EXPORT_PARTS.slice(EXPORT_PARTS.indexOf(first))) {
    const found: unknown[] = items[part];
    let last = part === first ? after : "";
    let steps = 0;
    for await (const { cursor, item } of walks[part](last)) {
      if (steps >= EXPORTED[part] || length >= PAGE_LENGTH)
        return { items, next: { part, after: last } };
      steps += 1;
      last = cursor;
      if (item === undefined) continue;
      found.push(item);
      length += JSON.stringify(item).length;
    }
  }
  return { items };
}
