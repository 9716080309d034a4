import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { actionText } from "../shared/action-words.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { formatInstant } from "../shared/formats.ts";
import { roleText } from "../shared/labels.ts";
import { AuditStatus, ResourceText } from "./AuditParts.tsx";

export interface AuditTableProps {
  /** Undefined while the first page loads. */
  readonly entries: readonly AuditEntry[] | undefined;
}

const COLUMNS = [
  ["Timestamp", 190],
  ["User", 160],
  ["Action", undefined],
  ["Resource", 180],
  ["IP Address", 120],
  ["Status", 104],
] as const;
const cut = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/** The audit log as a table with one line for each entry. */
export function AuditTable({ entries }: AuditTableProps) {
  return (
    <Table sx={{ tableLayout: "fixed" }}>
      <TableHead>
        <TableRow>
          {COLUMNS.map(([label, width]) => (
            <TableCell key={label} sx={{ width, "&:first-of-type": { pl: 2 } }}>
              {label}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {entries
          ? entries.map((entry) => <AuditRow key={entry.id} entry={entry} />)
          : Array.from({ length: 8 }, (_, row) => row).map((row) => (
              <TableRow key={row}>
                <TableCell colSpan={COLUMNS.length}>
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

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  return (
    <TableRow hover sx={{ "& td": { fontVariantNumeric: "tabular-nums" } }}>
      <TableCell sx={{ pl: 2, whiteSpace: "nowrap" }}>
        <time dateTime={entry.timestamp}>{formatInstant(entry.timestamp)}</time>
      </TableCell>
      <TableCell sx={cut} title={roleText(entry.role)}>
        {entry.user}
      </TableCell>
      <TableCell sx={cut}>{actionText(entry.action)}</TableCell>
      <TableCell sx={cut}>
        <ResourceText stream={entry.resource} />
      </TableCell>
      <TableCell sx={cut} title={entry.userAgent}>
        {entry.ipAddress ?? "Not recorded"}
      </TableCell>
      <TableCell>
        <AuditStatus status={entry.status} />
      </TableCell>
    </TableRow>
  );
}
