import CheckBoxIcon from "@mui/icons-material/CheckBox";
import EmptyBoxIcon from "@mui/icons-material/CheckBoxOutlineBlank";
import ViewWeekIcon from "@mui/icons-material/ViewWeek";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import ListItemIcon from "@mui/material/ListItemIcon";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { ReactNode } from "react";
import { Link, useGetIdentity, useStore } from "react-admin";
import { formatCount } from "../formats.ts";
import { Instant } from "../parts.tsx";
import { useAnchor } from "../use-anchor.ts";

/** A column of a list. A list's first column names the row and is always shown. */
export interface Column<Row> {
  /** ID of the column: in the URL if the list is sorted by it, and in the column selection. */
  readonly source: string;
  readonly label: string;
  readonly sortable?: true;
  readonly align?: "right";
  readonly width?: number | string;
  readonly render: (row: Row) => ReactNode;
  /**
   * How a phone shows the column in the row's second line, where its label is not visible; defaults to `render`.
   * `title` makes it the first line instead of the first column; `end` puts it at the end of the row; `hidden` leaves
   * it to screen readers; `none` leaves it out, for buttons that the record's page also has.
   */
  readonly phone?: ((row: Row) => ReactNode) | "title" | "end" | "hidden" | "none";
  /** Shown below it in the same cell; the list can also be sorted by it. */
  readonly second?: Pick<Column<Row>, "source" | "label" | "render">;
}

export type ShownColumns = ReturnType<typeof useShownColumns>;

/** Prefix of the keys of all column selections in react-admin's store. */
export const COLUMNS_KEY = "columns.";
const NONE: string[] = [];

/**
 * Returns the column selection of a list, which the browser stores per account. Only hidden columns are stored, so a
 * column added by a later version appears. react-admin's table reads the same key.
 * @param list name of the list, part of the key.
 */
export function useShownColumns(
  list: string,
  [, ...names]: readonly Pick<Column<never>, "source" | "label">[],
) {
  const { identity } = useGetIdentity();
  const key = `${COLUMNS_KEY}${identity?.id ?? "nobody"}.${list}`;
  const [hidden, keep] = useStore<string[]>(key, NONE);
  return {
    names,
    key,
    shows: (source: string) => !hidden.includes(source),
    toggle: (source: string) =>
      keep(hidden.includes(source) ? hidden.filter((it) => it !== source) : [...hidden, source]),
    showAll: () => keep(NONE),
  };
}

type Having<Name extends string, Value> = { readonly [Each in Name]?: Value | undefined };
interface More {
  readonly width?: number | string;
  readonly sortable?: true;
  readonly phone?: "end" | "hidden";
}

/** The column that names the row and links to its page. */
export function linkColumn<Name extends string>(
  source: Name,
  label: string,
  to: (id: string) => string,
  more: More = {},
): Column<Having<Name, string> & { readonly id: string }> {
  return {
    source,
    label,
    ...more,
    render: (row) => (
      <Link to={to(row.id)} underline="hover" title={row[source]}>
        {row[source]}
      </Link>
    ),
  };
}

/** The day of an instant. */
export function dayColumn<Name extends string>(
  source: Name,
  label: string,
  more: More = {},
): Column<Having<Name, string>> {
  return {
    source,
    label,
    ...more,
    render: ({ [source]: at }) => (at ? <Instant at={at} as="day" /> : "Never"),
  };
}

/** A right-aligned number. */
export function countColumn<Name extends string>(
  source: Name,
  label: string,
  more: More = {},
): Column<Having<Name, number>> {
  return {
    source,
    label,
    align: "right",
    ...more,
    render: ({ [source]: count = 0 }) => formatCount(count),
  };
}

/** The label of a code. */
export function wordColumn<Name extends string, Code extends string>(
  source: Name,
  label: string,
  words: Readonly<Record<Code, string>>,
  more: More = {},
): Column<Readonly<Record<Name, Code>>> {
  return { source, label, ...more, render: ({ [source]: code }) => words[code] };
}

/**
 * A menu with a checkbox for each column. It stays open so that several can be changed. react-admin's own nests
 * switches in options outside a list box, which screen readers don't read.
 */
export function ColumnsButton({ columns }: { readonly columns: ShownColumns }) {
  const { button, below } = useAnchor("menu");
  const { names } = columns;
  const hidden = names.filter(({ source }) => !columns.shows(source)).length;
  return (
    <>
      <Button variant="outlined" startIcon={<ViewWeekIcon />} {...button}>
        {hidden > 0 ? `Columns, ${formatCount(hidden)} hidden` : "Columns"}
      </Button>
      <Menu {...below} slotProps={{ list: { "aria-label": "Columns", dense: true } }}>
        {names.map(({ source, label }) => (
          <MenuItem
            key={source}
            role="menuitemcheckbox"
            aria-checked={columns.shows(source)}
            onClick={() => columns.toggle(source)}
          >
            <ListItemIcon>
              {columns.shows(source) ? <CheckBoxIcon /> : <EmptyBoxIcon />}
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
        <Divider />
        <MenuItem disabled={hidden === 0} onClick={columns.showAll}>
          Show all columns
        </MenuItem>
      </Menu>
    </>
  );
}
