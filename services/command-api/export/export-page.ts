import {
  EXPORT_PARTS,
  EXPORTED,
  type ExportPage,
  type ExportPart,
} from "#contracts/http/account-export.ts";

/** Characters after which a page ends. */
const PAGE_LENGTH = 1_000_000;

export interface Step<T> {
  /** Cursor to continue after this step. */
  readonly cursor: string;
  /** Absent if this step isn't part of the export. */
  readonly item?: T | undefined;
}

type ItemOf<P extends ExportPart> = ExportPage[P][number];

/** Walks each part in a fixed order, starting after a cursor; an empty cursor means from the beginning. */
export type ExportWalks = {
  readonly [P in ExportPart]: (after: string) => AsyncIterable<Step<ItemOf<P>>>;
};

export interface PageStart {
  readonly part: ExportPart;
  readonly after: string;
}

type Items = Pick<ExportPage, ExportPart>;

/** Fills a page up to its limits. @returns the items and the start of the next page; no `next` on the last page. */
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
