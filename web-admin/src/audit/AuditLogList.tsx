import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { AuditEntry } from "#contracts/http/audit.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { ACTIONS, actionText } from "../shared/action-words.ts";
import { Instant } from "../shared/Instant.tsx";
import { roleText } from "../shared/labels.ts";
import type { Column } from "../shared/list/columns.ts";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { EntryDialog } from "./EntryDialog.tsx";
import { LogCheck } from "./LogCheck.tsx";
import { AUDIT_STATUSES, auditStatusText, detailsText, resourceOf } from "./labels.ts";

const ACTION_OPTIONS = Object.entries(ACTIONS).sort((a, b) => a[1].localeCompare(b[1]));

/** What can be sorted: the rest has no order of its own, or is sealed. */
const columnsFor = (onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    source: "timestamp",
    label: "Timestamp",
    sortable: true,
    width: 232,
    phone: ({ timestamp }) => <Instant at={timestamp} as="ago" />,
    render: ({ timestamp }) => <Instant at={timestamp} />,
  },
  {
    source: "user",
    label: "User",
    width: 160,
    render: ({ user, role }) => <span title={roleText(role)}>{user}</span>,
  },
  {
    source: "action",
    label: "Action",
    sortable: true,
    phone: "title",
    render: (entry) => (
      <>
        <Link
          component="button"
          type="button"
          underline="hover"
          aria-haspopup="dialog"
          onClick={() => onOpen(entry)}
          sx={{ font: "inherit", fontWeight: 600 }}
        >
          {actionText(entry.action)}
        </Link>
        {entry.details && (
          <Box component="span" sx={{ color: "text.secondary", display: { lg: "block" } }}>
            {" "}
            {detailsText(entry.details)}
          </Box>
        )}
      </>
    ),
  },
  {
    source: "resource",
    label: "Resource",
    width: 172,
    render: ({ resource }) => <ResourceText stream={resource} />,
  },
  {
    source: "ipAddress",
    label: "IP Address",
    width: 120,
    render: ({ ipAddress, userAgent }) => (
      <span title={userAgent}>{ipAddress ?? "Not recorded"}</span>
    ),
  },
  {
    source: "status",
    label: "Status",
    sortable: true,
    width: 100,
    phone: "end",
    render: ({ status }) => <AuditStatus status={status} />,
  },
];

/** All entries of the audit log, newest first unless they are sorted otherwise. */
export function AuditLogList() {
  const [opened, setOpened] = useState<AuditEntry>();
  const [columns] = useState(() => columnsFor(setOpened));
  return (
    <>
      <RecordList<AuditEntry>
        resource="audit-logs"
        of={["entry", "entries"]}
        label="Audit log"
        sort={{ field: "timestamp", order: "DESC" }}
        columns={columns}
        saved
        exports="audit"
        failure={(error) => fetchFailureText("audit logs", error)}
        actions={<LogCheck />}
        filters={
          <ListFilters>
            <SearchFilter source="search" placeholder="User, action, resource or ID" />
            <SelectFilter source="status" label="Status" options={Object.entries(AUDIT_STATUSES)} />
            <SelectFilter source="action" label="Action" options={ACTION_OPTIONS} />
          </ListFilters>
        }
      />
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function AuditStatus({ status }: Pick<AuditEntry, "status">) {
  const text = auditStatusText(status);
  if (status === "success") return text;
  return (
    <Chip
      variant="outlined"
      label={text}
      sx={{
        bgcolor: color.warningTint,
        borderColor: color.warningLine,
        color: color.warning,
        fontWeight: 600,
      }}
    />
  );
}

/** What the action changed. A report is a link to its history. */
export function ResourceText({ stream }: { readonly stream: string }) {
  const { text, reportId } = resourceOf(stream);
  if (!reportId) return text;
  return (
    <Link component={RouterLink} to={paths.reportHistory(reportId)} underline="hover">
      {text}
    </Link>
  );
}
