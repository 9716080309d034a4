import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell, { type TableCellProps } from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TableSortLabel from "@mui/material/TableSortLabel";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { paths } from "../../config/paths.ts";
import type { Columns } from "../../shared/columns/use-columns.ts";
import { Delayed } from "../../shared/Delayed.tsx";
import { Instant } from "../../shared/Instant.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../record/person-name.ts";
import { FeesAndTotal } from "./FeesAndTotal.tsx";
import { HeldMark } from "./HeldMark.tsx";
import { RowActions } from "./RowActions.tsx";
import { SelectBox } from "./SelectBox.tsx";
import type { Selection } from "./use-selection.ts";

export interface Sort {
  readonly field: string;
  readonly order: "ASC" | "DESC";
}

/** What can be chosen in the list of reports. */
export const REPORT_COLUMNS = [
  "Amount",
  "Title",
  "Status",
  "Verified",
  "Additional CBs",
  "Fees & Total",
  "Emergency Actions",
] as const;
export type ReportColumns = Columns<(typeof REPORT_COLUMNS)[number]>;

export interface ReportTableProps {
  /** Undefined while the first page loads. */
  readonly reports: readonly AdminReport[] | undefined;
  readonly selection: Selection;
  readonly columns: ReportColumns;
  readonly rows: number;
  readonly sort: Sort;
  readonly onSort: (field: string) => void;
}

interface Heading {
  readonly label: string;
  readonly sort?: string;
}

interface Column {
  /** Absent where the column always stands. */
  readonly name?: (typeof REPORT_COLUMNS)[number];
  /** What the column shows, from top to bottom. */
  readonly heads: readonly Heading[];
  readonly align?: TableCellProps["align"];
}

const COLUMNS: readonly Column[] = [
  {
    heads: [
      { label: "Name", sort: "last_name" },
      { label: "Submitted", sort: "created_at" },
    ],
  },
  ...REPORT_COLUMNS.map((name): Column => {
    const sort = { Amount: "amount", Status: "status" }[name as string];
    const isText = name === "Title" || name === "Status" || name === "Verified";
    return {
      name,
      heads: [{ label: name, ...(sort ? { sort } : {}) }],
      align: isText ? "left" : "right",
    };
  }),
];

/** Two lines fit in a row. */
const LINE = "18px";
const NAME_WIDTH = 164;

/**
 * The reports as rows of equal height with room for two lines of text. A column is as wide as its
 * longest amount or status. The title gets the remaining width.
 */
export function ReportTable(props: ReportTableProps) {
  const { reports, selection, columns, rows, sort, onSort } = props;
  const shown = COLUMNS.filter(({ name }) => !name || columns.shows(name));
  const selected = reports?.filter(({ id }) => selection.has(id)).length ?? 0;
  return (
    <Table aria-label="Reports">
      <TableHead>
        <TableRow>
          {/* While it is empty it is no heading. */}
          <TableCell component={reports ? "th" : "td"} padding="none" sx={{ pl: 0.5 }}>
            {reports && (
              <SelectBox
                label="Select all reports on this page"
                checked={reports.length > 0 && selected === reports.length}
                some={selected > 0}
                onChange={(isSelected) => selection.set(reports, isSelected)}
              />
            )}
          </TableCell>
          {shown.map((column) => (
            <TableCell
              key={column.heads[0]?.label}
              align={column.align}
              sx={{
                px: 0.5,
                lineHeight: LINE,
                "&:last-of-type": { pr: 2 },
              }}
              sortDirection={sortedBy(column, sort)}
            >
              {column.heads.map((head) => (
                <ColumnHead key={head.label} head={head} sort={sort} onSort={onSort} />
              ))}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {reports
          ? reports.map((report) => (
              <ReportRow key={report.id} report={report} selection={selection} columns={columns} />
            ))
          : Array.from({ length: rows }, (_, row) => row).map((row) => (
              <EmptyRow key={row} cells={shown.length + 1} />
            ))}
      </TableBody>
    </Table>
  );
}

function sortedBy({ heads }: Column, sort: Sort): "asc" | "desc" | false {
  if (!heads.some((head) => head.sort === sort.field)) return false;
  return sort.order === "ASC" ? "asc" : "desc";
}

function ColumnHead({
  head: { label, sort: field },
  sort,
  onSort,
}: {
  readonly head: Heading;
  readonly sort: Sort;
  readonly onSort: (field: string) => void;
}) {
  if (!field) return label;
  const active = sort.field === field;
  return (
    <TableSortLabel
      active={active}
      direction={active && sort.order === "ASC" ? "asc" : "desc"}
      onClick={() => onSort(field)}
      sx={{ display: "flex", width: "fit-content", ".MuiTableCell-alignRight > &": { ml: "auto" } }}
    >
      {label}
    </TableSortLabel>
  );
}

const oneLine = { overflow: "hidden", textOverflow: "ellipsis" } as const;
const twoLines = {
  whiteSpace: "normal",
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 2,
  overflow: "hidden",
  overflowWrap: "anywhere",
} as const;

function ReportRow({
  report,
  selection,
  columns,
}: {
  readonly report: AdminReport;
  readonly selection: Selection;
  readonly columns: ReportColumns;
}) {
  const navigate = useNavigate();
  const address = paths.report(report.id);
  return (
    <TableRow
      hover
      sx={{
        cursor: "pointer",
        "& td": {
          px: 0.5,
          fontVariantNumeric: "tabular-nums",
          lineHeight: LINE,
          whiteSpace: "nowrap",
        },
      }}
      onClick={(event) => {
        // React also passes on clicks in menus and dialogs of the row, which are elsewhere on the
        // screen.
        const target = event.target as Element;
        if (!event.currentTarget.contains(target) || target.closest("a, button, input, label"))
          return;
        navigate(address);
      }}
    >
      <TableCell padding="none" sx={{ "td&": { pl: 0.5, pr: 0 } }}>
        <SelectBox
          label={`Select ${personName(report)}`}
          checked={selection.has(report.id)}
          onChange={(isSelected) => selection.set([report], isSelected)}
        />
      </TableCell>
      <TableCell>
        <Link
          component={RouterLink}
          to={address}
          underline="hover"
          title={personName(report)}
          sx={{ ...oneLine, display: "block", maxWidth: NAME_WIDTH, fontWeight: 600 }}
        >
          {personName(report)}
        </Link>
        <Box sx={{ color: "text.secondary" }}>
          <Instant at={report.created_at} as="day" />
          {report.origin === "sample" && " · Sample"}
        </Box>
      </TableCell>
      {columns.shows("Amount") && (
        <TableCell align="right">{formatMoney(report.amount, report.currency)}</TableCell>
      )}
      {columns.shows("Title") && (
        <TableCell sx={{ width: "100%" }}>
          <Box title={report.title} sx={twoLines}>
            {report.title}
          </Box>
        </TableCell>
      )}
      {columns.shows("Status") && (
        <TableCell sx={{ py: report.held ? 0.5 : undefined }}>
          <StatusChip status={report.status} />
          <HeldMark report={report} />
        </TableCell>
      )}
      {columns.shows("Verified") && (
        <TableCell sx={{ color: report.verified ? "text.primary" : "text.secondary" }}>
          {report.verified ? "Yes" : "No"}
        </TableCell>
      )}
      {columns.shows("Additional CBs") && (
        <TableCell align="right">{report.chargebacks.length}</TableCell>
      )}
      {columns.shows("Fees & Total") && (
        <TableCell align="right">
          <FeesAndTotal report={report} />
        </TableCell>
      )}
      {columns.shows("Emergency Actions") && (
        <TableCell sx={{ "td&": { pr: 1 } }}>
          <RowActions report={report} />
        </TableCell>
      )}
    </TableRow>
  );
}

function EmptyRow({ cells }: { readonly cells: number }) {
  return (
    <TableRow>
      <TableCell colSpan={cells}>
        <Delayed>
          <Skeleton variant="text" />
        </Delayed>
      </TableCell>
    </TableRow>
  );
}
