import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TableSortLabel from "@mui/material/TableSortLabel";
import type { AuditEntry } from "#contracts/http/audit.ts";
import type { Columns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { roleText } from "../shared/labels.ts";
import { AuditStatus, EntryDetails, OpenEntry, ResourceText } from "./AuditParts.tsx";

export interface AuditTableProps {
  /** Undefined while the first page loads. */
  readonly entries: readonly AuditEntry[] | undefined;
  readonly columns: AuditColumns;
  readonly sort: { readonly field: string; readonly order: "ASC" | "DESC" };
  readonly onSort: (field: string) => void;
  /** Shows the event behind an entry. */
  readonly onOpen: (entry: AuditEntry) => void;
}

/** What can be chosen in the audit log. */
export const AUDIT_COLUMNS = ["User", "Resource", "IP Address", "Status"] as const;
export type AuditColumns = Columns<(typeof AUDIT_COLUMNS)[number]>;

const COLUMNS = [
  ["Timestamp", 224],
  ["User", 160],
  ["Action", undefined],
  ["Resource", 180],
  ["IP Address", 120],
  ["Status", 104],
] as const;
/** What the list can be sorted by. The rest has no order of its own, or is sealed. */
const SORTS: Readonly<Record<string, string>> = {
  Timestamp: "timestamp",
  Action: "action",
  Status: "status",
};
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/** The audit log as a table with a row for each entry. */
export function AuditTable({ entries, columns, sort, onSort, onOpen }: AuditTableProps) {
  const shown = COLUMNS.filter(
    ([label]) => label === "Timestamp" || label === "Action" || columns.shows(label),
  );
  return (
    <Table aria-label="Audit log" sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {shown.map(([label, width]) => {
            const field = SORTS[label];
            const isSorted = field !== undefined && sort.field === field;
            const order = sort.order === "ASC" ? "asc" : "desc";
            return (
              <TableCell
                key={label}
                sortDirection={isSorted ? order : false}
                sx={{ width, "&:first-of-type": { pl: 2 } }}
              >
                {field ? (
                  <TableSortLabel
                    active={isSorted}
                    direction={isSorted ? order : "desc"}
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
        {entries
          ? entries.map((entry) => (
              <AuditRow key={entry.id} entry={entry} columns={columns} onOpen={onOpen} />
            ))
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={shown.length}>
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

function AuditRow({
  entry,
  columns,
  onOpen,
}: Pick<AuditTableProps, "columns" | "onOpen"> & { readonly entry: AuditEntry }) {
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ pl: 2, whiteSpace: "nowrap" }}>
        <Instant at={entry.timestamp} />
      </TableCell>
      {columns.shows("User") && (
        <TableCell sx={cut} title={roleText(entry.role)}>
          {entry.user}
        </TableCell>
      )}
      <TableCell sx={{ overflowWrap: "anywhere" }}>
        <OpenEntry entry={entry} onOpen={onOpen} />
        <EntryDetails details={entry.details} />
      </TableCell>
      {columns.shows("Resource") && (
        <TableCell sx={cut}>
          <ResourceText stream={entry.resource} />
        </TableCell>
      )}
      {columns.shows("IP Address") && (
        <TableCell sx={cut} title={entry.userAgent}>
          {entry.ipAddress ?? "Not recorded"}
        </TableCell>
      )}
      {columns.shows("Status") && (
        <TableCell>
          <AuditStatus status={entry.status} />
        </TableCell>
      )}
    </TableRow>
  );
}
