import { Type } from "typebox";

/** How many reports a page of a list takes that is read on from its last row. */
export const KEYSET_PAGE = 25;

/**
 * Where the next page begins: the last row's time and report, as the page before gave it. No page number reaches
 * so far, and rows that come or go meanwhile shift nothing.
 */
export const After = Type.Optional(
  Type.String({
    pattern:
      "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  }),
);
/** Absent on the last page. */
export const Next = Type.Optional(Type.String());

/** The last row of a page. */
export interface LastRow {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly id: string;
}

/** The `after` of the page behind this row. */
export function afterRow({ at, id }: LastRow): string {
  return `${at}~${id}`;
}

/** @param after valid against {@link After}. */
export function rowOfAfter(after: string): LastRow {
  const [at = "", id = ""] = after.split("~");
  return { at, id };
}
