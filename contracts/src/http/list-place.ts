/** Parameter of a list of the console: the row beside the page that is asked for. */
export const PLACE = "place";
/** Headers of an answer: the first and the last row of its page, for {@link PLACE}. */
export const LIST_START = "list-start";
export const LIST_END = "list-end";

/** A row of a list: what the list is sorted by, as text, and its id. */
export interface PlacedRow {
  /** The list and its order, in which alone the key says something. */
  readonly of: string;
  readonly key: string;
  readonly id: string;
}

/** The row in signs that a header and an address take. */
export function placeOf({ of, key, id }: PlacedRow): string {
  return encodeURIComponent(JSON.stringify([of, key, id]));
}

/** The `place` of the page behind a row, or before it. @param row as {@link placeOf} wrote it. */
export function besideRow(side: "after" | "before", row: string): string {
  return `${side}~${row}`;
}

/** @returns undefined where it is not what {@link besideRow} makes. */
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
