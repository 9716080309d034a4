import Alert from "@mui/material/Alert";
import Typography from "@mui/material/Typography";
import type { AuditedEvent } from "#contracts/http/audit.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { formatBoth } from "../shared/formats.ts";
import { roleText, sentenceCase } from "../shared/labels.ts";
import { ResourceText } from "./AuditLogList.tsx";
import { auditStatusText, chainText, detailsText, sealedText } from "./labels.ts";

/** Everything that an auditor may know of an event. */
export function EventFacts({ event }: { readonly event: AuditedEvent }) {
  const { entry, chain } = event;
  const status = auditStatusText(entry.status);
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
      <Alert severity={chain === "fits" ? "success" : "error"} sx={{ mb: 2 }}>
        {chainText(chain)}
      </Alert>
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
    <Typography component="h3" variant="h3" sx={{ mt: 3, mb: 1 }}>
      {children}
    </Typography>
  );
}
