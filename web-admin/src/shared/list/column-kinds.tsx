import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router-dom";
import { formatCount } from "../formats.ts";
import { Instant } from "../Instant.tsx";
import type { Column } from "./columns.ts";

type Having<Name extends string, Value> = { readonly [Each in Name]?: Value | undefined };
interface More {
  readonly width?: number | string;
  readonly sortable?: true;
  readonly phone?: "end" | "hidden";
}

/** What names the row, with the way to its page. */
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
      <Link component={RouterLink} to={to(row.id)} underline="hover" title={row[source]}>
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

/** A number, at the right. */
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

/** A code in words. */
export function wordColumn<Name extends string, Code extends string>(
  source: Name,
  label: string,
  words: Readonly<Record<Code, string>>,
  more: More = {},
): Column<Readonly<Record<Name, Code>>> {
  return { source, label, ...more, render: ({ [source]: code }) => words[code] };
}
