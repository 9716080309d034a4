import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { color } from "#theme/color.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { AuditStatus, EntryDetails, OpenEntry, ResourceText } from "./AuditParts.tsx";
import type { AuditTableProps } from "./AuditTable.tsx";

/** The audit log as a list of cards, for narrow screens. */
export function AuditCards({
  entries,
  columns,
  onOpen,
}: Pick<AuditTableProps, "entries" | "columns" | "onOpen">) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {entries
        ? entries.map((entry) => (
            <Box
              key={entry.id}
              component="li"
              sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}
            >
              <Box sx={{ display: "flex", gap: 1, justifyContent: "space-between" }}>
                <OpenEntry entry={entry} onOpen={onOpen} />
                {columns.shows("Status") && <AuditStatus status={entry.status} />}
              </Box>
              <EntryDetails details={entry.details} />
              <Typography sx={{ overflowWrap: "anywhere" }}>
                {columns.shows("User") && entry.user}
                {columns.shows("User") && columns.shows("Resource") && ", "}
                {columns.shows("Resource") && <ResourceText stream={entry.resource} />}
              </Typography>
              <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
                <Instant at={entry.timestamp} />
                {columns.shows("IP Address") && entry.ipAddress && `, ${entry.ipAddress}`}
              </Typography>
            </Box>
          ))
        : ["first", "second", "third"].map((key) => (
            <Box key={key} component="li" sx={{ p: 2, borderTop: `1px solid ${color.line}` }}>
              <Delayed>
                <Skeleton variant="text" width="60%" />
                <Skeleton variant="text" />
              </Delayed>
            </Box>
          ))}
    </Box>
  );
}
