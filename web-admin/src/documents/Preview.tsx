import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type ListedDocument,
} from "#contracts/http/documents.ts";
import { COPY_SIDE, FILE_ENDINGS, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { BoxesOverPicture } from "../reports/record/evidence/BoxesOverPicture.tsx";
import { publishedSize } from "../reports/record/evidence/boxes.ts";
import { formatBytes } from "../reports/record/evidence/format-bytes.ts";
import { useOpenedFile } from "../reports/record/evidence/use-opened-file.ts";
import { saveFile } from "../shared/save-file.ts";
import { useProof } from "../shared/use-proof.tsx";

/** A document, opened to look at it and to download it. The log has the look first. */
export function Preview({
  document: { report, file_id: fileId, type, kind },
  onClose,
}: {
  readonly document: ListedDocument;
  readonly onClose: () => void;
}) {
  const [page, setPage] = useState(1);
  const proof = useProof();
  const provider = useDataProvider<ConsoleDataProvider>();
  const load = () => proof.run(() => provider.openEvidence(report.id, fileId));
  const { content, pages, picture, failure } = useOpenedFile(type, load, page, onClose);
  const size = picture && publishedSize(picture, COPY_SIDE);
  const what = DOCUMENT_KINDS[kind as DocumentKind] ?? kind;
  const label = `${what} of ${report.first_name} ${report.last_name}`;
  return (
    <Dialog open onClose={onClose} maxWidth="lg" fullWidth>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>{label}</DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {content?.name && `${content.name}, `}
          {FILE_TYPES[type]}
          {content && `, ${formatBytes(content.size)}`}. That you opened it is recorded in the log.
        </Typography>
        {failure && <Alert severity="warning">{failure}</Alert>}
        {!picture && !failure && (
          <Box sx={{ display: "grid", placeItems: "center", minHeight: 200 }}>
            <CircularProgress aria-label="Opening the document" />
          </Box>
        )}
        {picture && size && (
          <BoxesOverPicture
            picture={picture}
            size={size}
            label={pages === undefined ? label : `${label}, page ${page}`}
            boxes={[]}
            onChange={undefined}
          />
        )}
        {pages !== undefined && pages > 1 && (
          <Box sx={{ display: "flex", gap: 1, alignItems: "center", justifyContent: "center" }}>
            <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
              Previous page
            </Button>
            <Typography>
              Page {page} of {pages}
            </Typography>
            <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
              Next page
            </Button>
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ p: 2, flexWrap: "wrap" }}>
        <Button onClick={onClose}>Close</Button>
        {content && (
          <Button
            onClick={() => saveFile(content, `${report.number} ${kind}.${FILE_ENDINGS[type]}`)}
          >
            Download
          </Button>
        )}
      </DialogActions>
      {proof.dialog}
    </Dialog>
  );
}
