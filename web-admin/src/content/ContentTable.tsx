import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TableSortLabel from "@mui/material/TableSortLabel";
import { Link as RouterLink } from "react-router-dom";
import { CONTENT_KINDS } from "#contracts/content/content-rules.ts";
import type { ContentItem } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import type { Columns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";
import { authorText, statusText, viewsText } from "./labels.ts";

export interface ContentTableProps {
  /** Undefined while the first page loads. */
  readonly items: readonly ContentItem[] | undefined;
  /** All are FAQ items: shows their places, and no views, because they have no page of their own. */
  readonly isFaq: boolean;
  readonly sort: { readonly field: string; readonly order: string };
  readonly onSort: (field: string) => void;
  readonly columns: ContentColumns;
}

/** What can be chosen in the list of texts. FAQ items have no views, and only they have a place. */
export const CONTENT_COLUMNS = ["Type", "Status", "Author", "Last modified", "Views"] as const;
export type ContentColumns = Columns<(typeof CONTENT_COLUMNS)[number]>;

interface Column {
  readonly label: Label;
  /** Absent where the list cannot be sorted by it. */
  readonly sort?: string;
  readonly width?: number;
  readonly isNumber?: boolean;
}

type Label = "Place" | "Question" | "Title" | (typeof CONTENT_COLUMNS)[number];

const PLACE: Column = { label: "Place", sort: "order", width: 80, isNumber: true };
const VIEWS: Column = { label: "Views", sort: "views", width: 120, isNumber: true };
const QUESTION: Column = { label: "Question", sort: "title" };
const TITLE: Column = { label: "Title", sort: "title" };
const TYPE: Column = { label: "Type", sort: "type", width: 110 };
const COLUMNS: readonly Column[] = [
  { label: "Status", sort: "status", width: 190 },
  { label: "Author", width: 160 },
  { label: "Last modified", sort: "last_modified", width: 224 },
];
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/** The texts as a table with a row for each. */
export function ContentTable({ items, isFaq, sort, onSort, columns: chosen }: ContentTableProps) {
  const all = isFaq ? [PLACE, QUESTION, ...COLUMNS] : [TITLE, TYPE, ...COLUMNS, VIEWS];
  const columns = all.filter(
    ({ label }) =>
      label === "Place" || label === "Question" || label === "Title" || chosen.shows(label),
  );
  return (
    <Table aria-label="Texts" sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {columns.map(({ label, sort: field, width, isNumber }) => {
            const order = sort.order === "ASC" ? "asc" : "desc";
            const isSorted = field !== undefined && sort.field === field;
            return (
              <TableCell
                key={label}
                align={isNumber ? "right" : "left"}
                sortDirection={isSorted ? order : false}
                sx={{ width, "&:first-of-type": { pl: 2 }, "&:last-of-type": { pr: 2 } }}
              >
                {field ? (
                  <TableSortLabel
                    active={isSorted}
                    direction={isSorted ? order : "asc"}
                    onClick={() => onSort(field)}
                  >
                    {label}
                  </TableSortLabel>
                ) : (
                  label
                )}
              </TableCell>
            );
          })}
        </TableRow>
      </TableHead>
      <TableBody>
        {items
          ? items.map((item) => <Row key={item.id} item={item} isFaq={isFaq} columns={chosen} />)
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={columns.length}>
                  <Delayed>
                    <Skeleton variant="text" />
                  </Delayed>
                </TableCell>
              </TableRow>
            ))}
      </TableBody>
    </Table>
  );
}

function Row({
  item,
  isFaq,
  columns,
}: {
  readonly item: ContentItem;
  readonly isFaq: boolean;
  readonly columns: ContentColumns;
}) {
  const { id, title, type, status, last_modified, order } = item;
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      {isFaq && (
        <TableCell align="right" sx={{ pl: 2 }}>
          {order}
        </TableCell>
      )}
      <TableCell sx={{ overflowWrap: "anywhere", "&:first-of-type": { pl: 2 } }}>
        <Link component={RouterLink} to={paths.text(id)} underline="hover">
          {title}
        </Link>
      </TableCell>
      {!isFaq && columns.shows("Type") && <TableCell sx={cut}>{CONTENT_KINDS[type]}</TableCell>}
      {columns.shows("Status") && (
        <TableCell>
          <StatusChip status={status} label={statusText(item)} />
        </TableCell>
      )}
      {columns.shows("Author") && <TableCell sx={cut}>{authorText(item)}</TableCell>}
      {columns.shows("Last modified") && (
        <TableCell sx={cut}>{last_modified ? <Instant at={last_modified} /> : "Never"}</TableCell>
      )}
      {!isFaq && columns.shows("Views") && (
        <TableCell align="right" sx={{ pr: 2, whiteSpace: "nowrap" }}>
          {viewsText(item)}
        </TableCell>
      )}
    </TableRow>
  );
}
