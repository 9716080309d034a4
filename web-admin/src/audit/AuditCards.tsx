import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { color } from "#theme/color.ts";
import { CardFacts } from "../shared/CardFacts.tsx";
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
    <Box component="ul" aria-label="Audit log" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {entries
        ? entries.map((entry) => (
            <Box
              key={entry.id}
              component="li"
              sx={{ px: 2, py: 1.5, borderTop: `1px solid ${color.line}` }}
            >
              <OpenEntry entry={entry} onOpen={onOpen} />
              <EntryDetails details={entry.details} />
              <CardFacts facts={[["Timestamp", <Instant key="at" at={entry.timestamp} />]]} />
              <CardFacts
                shows={columns.shows}
                facts={[
                  ["User", entry.user],
                  ["Resource", <ResourceText key="resource" stream={entry.resource} />],
                  ["IP Address", entry.ipAddress ?? "Not recorded"],
                  ["Status", <AuditStatus key="status" status={entry.status} />],
                ]}
              />
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
