import type { ReactNode } from "react";
import { useGetIdentity, useStore } from "react-admin";

/** A column of a list. The first one of a list names the row and always stands. */
export interface Column<Row> {
  /** Its name in the address, where the list can be sorted by it, and in the choice of columns. */
  readonly source: string;
  readonly label: string;
  readonly sortable?: true;
  readonly align?: "right";
  readonly width?: number | string;
  readonly render: (row: Row) => ReactNode;
  /**
   * What a phone shows of it in the row's second line, where its name is not seen; the same as elsewhere when absent.
   * `title` makes it the first line, which else is the first column; `end` puts it at the end of the row, `hidden` leaves
   * it to screen readers, and `none` to the record's page: buttons.
   */
  readonly phone?: ((row: Row) => ReactNode) | "title" | "end" | "hidden" | "none";
  /** What stands below it in the same cell, by which the list can be sorted too. */
  readonly second?: Pick<Column<Row>, "source" | "label" | "render">;
}

/** Which columns of a list somebody wants to see. */
export interface ShownColumns {
  /** Those that can be chosen. */
  readonly names: readonly { readonly source: string; readonly label: string }[];
  /** Key of the choice in react-admin's store. */
  readonly key: string;
  shows(source: string): boolean;
  toggle(source: string): void;
  showAll(): void;
}

/** Start of the keys of all choices in react-admin's store. */
export const COLUMNS_KEY = "columns.";
const NONE: string[] = [];

/**
 * The choice of columns in a list, which the browser keeps for each account. What is not chosen away is shown, so a
 * column that a later version adds appears. react-admin's table reads the same key.
 * @param list name of the list, which is part of the key.
 */
export function useShownColumns(
  list: string,
  [, ...names]: readonly Pick<Column<never>, "source" | "label">[],
): ShownColumns {
  const { identity } = useGetIdentity();
  const key = `${COLUMNS_KEY}${identity?.id ?? "nobody"}.${list}`;
  const [hidden, keep] = useStore<string[]>(key, NONE);
  return {
    names,
    key,
    shows: (source) => !hidden.includes(source),
    toggle: (source) =>
      keep(hidden.includes(source) ? hidden.filter((it) => it !== source) : [...hidden, source]),
    showAll: () => keep(NONE),
  };
}
