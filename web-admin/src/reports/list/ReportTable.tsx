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
import { paths } from "../../app/paths.ts";
import { Appears } from "../../shared/Appears.tsx";
import { formatDay } from "../../shared/formats.ts";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../person-name.ts";
import { FeesAndTotal } from "./FeesAndTotal.tsx";
import { RowActions } from "./RowActions.tsx";

export interface Sort {
  readonly field: string;
  readonly order: "ASC" | "DESC";
}

export interface ReportTableProps {
  /** Undefined while the first page loads. */
  readonly reports: readonly AdminReport[] | undefined;
  readonly rows: number;
  readonly sort: Sort;
  readonly onSort: (field: string) => void;
}

interface Column {
  readonly label: string;
  readonly sort?: string;
  readonly align?: TableCellProps["align"];
  readonly width: number | string | undefined;
}

const COLUMNS: readonly Column[] = [
  { label: "Name", sort: "last_name", width: "14%" },
  { label: "Amount", sort: "amount", align: "right", width: 108 },
  { label: "Title", width: undefined },
  { label: "Status", sort: "status", width: 122 },
  { label: "Verified", width: 72 },
  { label: "Additional CBs", align: "right", width: 80 },
  { label: "Fees & Total", align: "right", width: 116 },
  { label: "Submitted", sort: "created_at", align: "right", width: 104 },
  { label: "Emergency Actions", align: "right", width: 112 },
];

/** The reports as rows of one line each. */
export function ReportTable({ reports, rows, sort, onSort }: ReportTableProps) {
  return (
    <Table sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {COLUMNS.map((column) => (
            <TableCell
              key={column.label}
              align={column.align}
              sx={{
                width: column.width,
                "&:first-of-type": { pl: 2 },
                "&:last-of-type": { pr: 2 },
              }}
              sortDirection={sort.field === column.sort && (sort.order === "ASC" ? "asc" : "desc")}
            >
              <ColumnHead column={column} sort={sort} onSort={onSort} />
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {reports
          ? reports.map((report) => <ReportRow key={report.id} report={report} />)
          : Array.from({ length: rows }, (_, row) => row).map((row) => <EmptyRow key={row} />)}
      </TableBody>
    </Table>
  );
}

function ColumnHead({
  column,
  sort,
  onSort,
}: {
  readonly column: Column;
  readonly sort: Sort;
  readonly onSort: (field: string) => void;
}) {
  const field = column.sort;
  if (!field) return column.label;
  const active = sort.field === field;
  return (
    <TableSortLabel
      active={active}
      direction={active && sort.order === "ASC" ? "asc" : "desc"}
      onClick={() => onSort(field)}
    >
      {column.label}
    </TableSortLabel>
  );
}

const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

function ReportRow({ report }: { readonly report: AdminReport }) {
  const navigate = useNavigate();
  const address = paths.report(report.id);
  return (
    <TableRow
      hover
      sx={{ cursor: "pointer", "& td": { fontVariantNumeric: "tabular-nums" } }}
      onClick={(event) => {
        // Menus and dialogs of the row are its children for React, but not on the screen.
        const target = event.target as Element;
        if (!event.currentTarget.contains(target) || target.closest("a, button")) return;
        navigate(address);
      }}
    >
      <TableCell sx={{ ...cut, pl: 2 }}>
        <Link component={RouterLink} to={address} underline="hover" sx={{ fontWeight: 600 }}>
          {personName(report)}
        </Link>
      </TableCell>
      <TableCell align="right">{formatMoney(report.amount, report.currency)}</TableCell>
      <TableCell sx={cut} title={report.title}>
        {report.title}
      </TableCell>
      <TableCell>
        <StatusChip status={report.status} />
      </TableCell>
      <TableCell sx={{ color: report.verified ? "text.primary" : "text.secondary" }}>
        {report.verified ? "Yes" : "No"}
      </TableCell>
      <TableCell align="right">{report.chargebacks.length}</TableCell>
      {/* Two lines in a row of one: money is never cut. */}
      <TableCell align="right" sx={{ whiteSpace: "nowrap", lineHeight: "18px" }}>
        <FeesAndTotal report={report} />
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: "nowrap" }}>
        <time dateTime={report.created_at}>{formatDay(report.created_at)}</time>
      </TableCell>
      <TableCell sx={{ pr: 1 }}>
        <RowActions report={report} />
      </TableCell>
    </TableRow>
  );
}

function EmptyRow() {
  return (
    <TableRow>
      <TableCell colSpan={COLUMNS.length}>
        <Appears>
          <Skeleton variant="text" />
        </Appears>
      </TableCell>
    </TableRow>
  );
}
