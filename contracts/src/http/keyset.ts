import { Type } from "typebox";

/** Page size of lists that continue after the last row. */
export const KEYSET_PAGE = 25;

/** Console lists with such pages, by the name of their rows. */
export type KeysetList = "documents" | "inquiries" | "mails" | "notices" | "payments";

const TIME = "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z";
const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** Whether this is a valid time in the lists' format. PostgreSQL has no year 0 and no February 30. */
export function isRowTime(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text && /^(?!0000)\d{4}-/.test(text);
}

/** Where the next page begins: the list, and its last row's time and ID. @param id pattern of the rows' IDs. */
export function afterOf(list: KeysetList, id = UUID) {
  return Type.Optional(
    Type.Refine(
      Type.String({ pattern: `^${list}~${TIME}~${id}$` }),
      (after) => isRowTime(rowOfAfter(after).at),
      () => "after must be a cursor from this list",
    ),
  );
}
/** Absent on the last page. */
export const Next = Type.Optional(Type.String());

/** The last row of a page. */
export interface LastRow {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly id: string;
}

/** The `after` of the page that follows this row. @param list absent if no client can write it. */
export function afterRow({ at, id }: LastRow, list?: KeysetList): string {
  return [...(list ? [list] : []), at, id].join("~");
}

/** @param after valid against {@link afterOf}. */
export function rowOfAfter(after: string): LastRow {
  const [at = "", id = ""] = after.split("~").slice(-2);
  return { at, id };
}
