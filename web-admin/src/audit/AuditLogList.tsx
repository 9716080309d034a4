import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { AUDITED_EVENT, type AuditEntry, type AuditedEvent } from "#contracts/http/audit.ts";
import { paths } from "../config/paths.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { ACTIONS, actionText } from "../shared/action-labels.ts";
import { Dialog } from "../shared/Dialog.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatBoth } from "../shared/formats.ts";
import { roleText, sentenceCase } from "../shared/labels.ts";
import type { Column } from "../shared/list/columns.tsx";
import { ListFilters, SearchFilter, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { oneLine } from "../shared/list/RecordRows.tsx";
import { Instant, StatusChip } from "../shared/parts.tsx";
import { useRead } from "../shared/reads.ts";
import { Read } from "../shared/states.tsx";
import { LogCheck } from "./LogCheck.tsx";
import { AUDIT_STATUSES, chainText, detailsText, resourceOf, sealedText } from "./labels.ts";

const ACTION_OPTIONS = Object.entries(ACTIONS).sort((a, b) => a[1].localeCompare(b[1]));

/** Only sortable where marked: the other columns have no order of their own or are encrypted. */
const columnsFor = (onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    source: "timestamp",
    label: "Timestamp",
    sortable: true,
    width: 248,
    phone: ({ timestamp }) => <Instant at={timestamp} as="ago" />,
    render: ({ timestamp }) => <Instant at={timestamp} />,
  },
  {
    source: "user",
    label: "User",
    width: 128,
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
          sx={{
            font: "inherit",
            fontWeight: 600,
            maxWidth: 1,
            verticalAlign: "bottom",
            ...oneLine,
          }}
        >
          {actionText(entry.action)}
        </Link>
        {entry.details && (
          <Box
            component="span"
            sx={{ color: "text.secondary", display: { lg: "block" }, ...oneLine }}
          >
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
    width: 144,
    render: ({ resource }) => <ResourceText stream={resource} />,
  },
  {
    source: "ipAddress",
    label: "IP Address",
    width: 92,
    render: ({ ipAddress, userAgent }) => (
      <span title={userAgent}>{ipAddress ?? "Not recorded"}</span>
    ),
  },
  {
    source: "status",
    label: "Status",
    sortable: true,
    width: 96,
    phone: "end",
    render: ({ status }) => <AuditStatus status={status} />,
  },
];

/** All audit log entries, newest first by default. */
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
            <SelectFilter source="status" label="Status" options={AUDIT_STATUSES} />
            <SelectFilter source="action" label="Action" options={ACTION_OPTIONS} />
          </ListFilters>
        }
      />
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function AuditStatus({ status }: Pick<AuditEntry, "status">) {
  const text = AUDIT_STATUSES[status];
  return status === "success" ? text : <StatusChip status={status} label={text} />;
}

function ResourceText({ stream }: { readonly stream: string }) {
  const { text, reportId } = resourceOf(stream);
  if (!reportId) return text;
  return (
    <Link component={RouterLink} to={paths.reportHistory(reportId)} underline="hover">
      {text}
    </Link>
  );
}

interface EntryDialogProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

function EntryDialog({ entry, onClose }: EntryDialogProps) {
  const query = useRead<AuditedEvent>(
    ["audited-event", entry.id],
    AUDITED_EVENT.replace(":id", encodeURIComponent(entry.id)),
  );
  return (
    <Dialog
      title={actionText(entry.action)}
      maxWidth="md"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <Read query={query} what="the event">
        {(event) => <EventFacts event={event} />}
      </Read>
    </Dialog>
  );
}

function EventFacts({ event }: { readonly event: AuditedEvent }) {
  const { entry, chain } = event;
  const status = AUDIT_STATUSES[entry.status];
  const happened = [
    { label: "Time", value: formatBoth(entry.timestamp) },
    ...(entry.user_id === entry.role
      ? [{ label: "User", value: entry.user }]
      : [
          { label: "User", value: `${entry.user}, ${roleText(entry.role).toLowerCase()}` },
          { label: "User ID", value: entry.user_id },
        ]),
    { label: "IP address", value: entry.ipAddress ?? "Not recorded" },
    { label: "Browser", value: entry.userAgent ?? "Not recorded" },
    {
      label: "Status",
      value: entry.details ? `${status}: ${detailsText(entry.details)}` : status,
    },
    { label: "Resource", value: <ResourceText stream={entry.resource} /> },
  ];
  const held = event.fields.map(({ name, value }) => ({
    label: sentenceCase(name),
    value: value || "None",
  }));
  const stored = [
    {
      label: "Event",
      value: `${event.type}, version ${event.version}${event.origin === "sample" ? ", sample data" : ""}`,
    },
    {
      label: "Also unencrypted",
      value: event.composed.map(sentenceCase).join(", ") || undefined,
    },
    { label: "Encrypted", value: sealedText(event.sealed) || undefined },
    { label: "Stream", value: entry.resource },
    { label: "Revision", value: event.revision },
    { label: "Position", value: event.position.replace(/^0+(?=.)/, "") },
    { label: "Event ID", value: entry.id },
    { label: "Request ID", value: event.correlation_id },
    { label: "Hash", value: event.hash },
    { label: "Previous hash", value: event.previous_hash },
  ];
  return (
    <>
      <Alert severity={chain === "fits" ? "success" : "error"}>{chainText(chain)}</Alert>
      <FieldList fields={happened} />
      {held.length > 0 && (
        <>
          <Heading>Event data</Heading>
          <FieldList fields={held} />
        </>
      )}
      <Heading>Stored record</Heading>
      <FieldList fields={stored} />
    </>
  );
}

function Heading({ children }: { readonly children: string }) {
  return (
    <Typography component="h3" variant="h3" sx={{ mt: 1 }}>
      {children}
    </Typography>
  );
}
