import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import OpenIcon from "@mui/icons-material/VisibilityOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { Suspense, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type ListedDocument,
} from "#contracts/http/documents.ts";
import { DOCUMENT_DELETIONS, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import { paths } from "../config/paths.ts";
import { SendDialog, type Typed } from "../shared/AskDialog.tsx";
import type { FormField } from "../shared/fields.tsx";
import { counted, formatInstant } from "../shared/formats.ts";
import { lazyExport } from "../shared/later.ts";
import { type Column, dayColumn } from "../shared/list/columns.tsx";
import { ListFilters, SelectFilter } from "../shared/list/filters.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { DocumentTabs } from "../shared/page.tsx";
import { ReportName, RowButton, StatusChip } from "../shared/parts.tsx";

const Preview = lazyExport("Preview", () => import("./Preview.tsx"));

type Row = ListedDocument & { readonly id: string };
const PUBLISHED = { yes: "Published", no: "Not published" } as const;

interface Asked {
  readonly act: "open" | "delete";
  readonly document: ListedDocument;
}
type Ask = (asked: Asked) => void;

const columnsFor = (onAsk: Ask): readonly Column<Row>[] => [
  { source: "report", label: "Report", render: ({ report }) => <ReportName report={report} /> },
  {
    source: "report_status",
    label: "Report status",
    width: 104,
    phone: "hidden",
    render: ({ report }) => <StatusChip status={report.status} />,
  },
  {
    source: "kind",
    label: "Kind and type",
    width: 180,
    render: ({ kind, type }) => `${kindText(kind)}, ${FILE_TYPES[type]}`,
  },
  dayColumn("added_at", "Added", { width: 108 }),
  {
    source: "published",
    label: "On the site",
    width: 140,
    render: ({ kind, published }) => {
      if (kind === LETTER) return "Never";
      if (published === 0) return "Not published";
      return counted(published, "published picture", "published pictures");
    },
  },
  {
    source: "actions",
    label: "Actions",
    align: "right",
    width: 168,
    phone: "end",
    render: (document) => <Actions document={document} onAsk={onAsk} />,
  },
];

/** Evidence and letters of all reports. */
export function DocumentList() {
  const [asked, setAsked] = useState<Asked>();
  const [columns] = useState(() => columnsFor(setAsked));
  const close = () => setAsked(undefined);
  return (
    <Stack spacing={2}>
      <DocumentTabs />
      <RecordList<Row>
        resource="documents"
        of={["document", "documents"]}
        columns={columns}
        pageSizes={[25]}
        isUneven
        to={({ report }) => paths.report(report.id)}
        filters={
          <ListFilters>
            <SelectFilter source="kind" label="Kind" options={DOCUMENT_KINDS} />
            <SelectFilter source="published" label="On the site" options={PUBLISHED} />
          </ListFilters>
        }
      />
      <Suspense fallback={null}>
        {asked?.act === "open" && <Preview document={asked.document} onClose={close} />}
      </Suspense>
      {asked?.act === "delete" && <DeleteDialog document={asked.document} onClose={close} />}
    </Stack>
  );
}

function Actions({ document, onAsk }: { readonly document: ListedDocument; readonly onAsk: Ask }) {
  const { report, kind, published } = document;
  const what = nameOf(document);
  return (
    <Box sx={{ display: "flex", justifyContent: "flex-end", alignItems: "center" }}>
      {kind !== LETTER && (
        // Hidden on phones for lack of space; the name in the first column links there too.
        <Button
          component={RouterLink}
          size="small"
          to={paths.report(report.id)}
          aria-label={`${published > 0 ? "Hide" : "Publish"} ${what}, on the report's page`}
          sx={{ display: { xs: "none", lg: "inline-flex" } }}
        >
          {published > 0 ? "Hide…" : "Publish…"}
        </Button>
      )}
      <RowButton
        label={`Open ${what}`}
        tip="Open"
        icon={OpenIcon}
        onClick={() => onAsk({ act: "open", document })}
      />
      <RowButton
        label={`Delete ${what}`}
        tip="Delete"
        icon={DeleteIcon}
        onClick={() => onAsk({ act: "delete", document })}
      />
    </Box>
  );
}

const kindText = (kind: string) => DOCUMENT_KINDS[kind as DocumentKind] ?? kind;

function nameOf({ kind, report, added_at }: ListedDocument): string {
  const person = `${report.first_name} ${report.last_name}`;
  return `${kindText(kind).toLowerCase()} of ${person}, added ${formatInstant(added_at)}`;
}

const fields = ({ reason_code }: Typed): readonly FormField[] => [
  {
    source: "reason_code",
    label: "Reason for the deletion",
    choices: DOCUMENT_DELETIONS,
    help: "Kept in the history",
    needs: "Choose a reason",
  },
  {
    source: "reason",
    label: reason_code === "other" ? "Details" : "Details (optional)",
    isLong: true,
    max: 1000,
    help: "For the history",
    needs: reason_code === "other" ? "Enter the details" : undefined,
  },
];

function DeleteDialog({
  document: { report, file_id: fileId, published },
  onClose,
}: {
  readonly document: ListedDocument;
  readonly onClose: () => void;
}) {
  const path = `/reports/${report.id}/evidence/${fileId}/delete`;
  return (
    <SendDialog
      title="Delete this document?"
      consequence={`The file ${published > 0 ? "and its published pictures " : ""}will be permanently deleted. The report stays, and its history records who deleted the file and why.`}
      confirm="Delete permanently"
      cancel="Keep it"
      isFinal
      fields={fields}
      send={(provider, typed) => provider.command(path, typed)}
      again={["documents", "reports"]}
      tells="success"
      failed="Couldn't delete the document. Try again."
      refetchFirst
      onClose={onClose}
    />
  );
}
