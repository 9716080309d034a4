/** Query parameter of console lists: the row next to the requested page. */
export const PLACE = "place";
/** Response headers: the page's first and last rows, as {@link PLACE} takes them. */
export const LIST_START = "list-start";
export const LIST_END = "list-end";

/** A row's sort key, as text, and its ID. */
export interface PlacedRow {
  /** The list and its order, which give the key its meaning. */
  readonly of: string;
  readonly key: string;
  readonly id: string;
}

/** The row, encoded for headers and URLs. */
export function placeOf({ of, key, id }: PlacedRow): string {
  return encodeURIComponent(JSON.stringify([of, key, id]));
}

/** The `place` of the page after or before a row. @param row written by {@link placeOf}. */
export function besideRow(side: "after" | "before", row: string): string {
  return `${side}~${row}`;
}

/** @returns undefined if it was not written by {@link besideRow}. */
export function rowOfPlace(
  place: string,
): (PlacedRow & { readonly side: "after" | "before" }) | undefined {
  const [, side, row] = /^(after|before)~(.*)$/s.exec(place) ?? [];
  if (side !== "after" && side !== "before") return undefined;
  try {
    const read: unknown = JSON.parse(decodeURIComponent(row ?? ""));
    if (!Array.isArray(read) || read.length !== 3) return undefined;
    const [of, key, id] = read as unknown[];
    if (typeof of !== "string" || typeof key !== "string" || typeof id !== "string")
      return undefined;
    return { side, of, key, id };
  } catch {
    return undefined;
  }
}
