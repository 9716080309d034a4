import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type ListedDocument,
} from "#contracts/http/documents.ts";
import { FILE_ENDINGS, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { FileView, useOpenedFile } from "../evidence/FileView.tsx";
import { Dialog } from "../shared/Dialog.tsx";
import { useProvider } from "../shared/reads.ts";
import { saveFile } from "../shared/save-file.ts";

/** A document, opened to view and download. The view is logged before the file is sent. */
export function Preview({
  document: { report, file_id: fileId, type, kind },
  onClose,
}: {
  readonly document: ListedDocument;
  readonly onClose: () => void;
}) {
  const [page, setPage] = useState(1);
  const provider = useProvider();
  const opened = useOpenedFile(
    { key: [fileId], type, load: () => provider.openEvidence(report.id, fileId) },
    page,
  );
  const { content } = opened;
  const what = DOCUMENT_KINDS[kind as DocumentKind] ?? kind;
  const label = `${what} of ${report.first_name} ${report.last_name}`;
  return (
    <Dialog
      title={label}
      maxWidth="lg"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {content && (
            <Button
              onClick={() => saveFile(content, `${report.number} ${kind}.${FILE_ENDINGS[type]}`)}
            >
              Download
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {content?.name && `${content.name}, `}
        {FILE_TYPES[type]}
        {content && `, ${formatBytes(content.size)}`}. This view is recorded in the log.
      </Typography>
      <FileView opened={opened} label={label} page={page} onTurn={setPage} />
    </Dialog>
  );
}

function formatBytes(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
