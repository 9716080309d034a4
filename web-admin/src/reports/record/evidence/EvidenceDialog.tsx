import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import CircularProgress from "@mui/material/CircularProgress";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { COPY_SIDE, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { saveFile } from "../../../shared/save-file.ts";
import { useProof } from "../../../shared/use-proof.tsx";
import { BoxesOverPicture } from "./BoxesOverPicture.tsx";
import { BoxFields } from "./BoxFields.tsx";
import { type Box as Area, publishedSize } from "./boxes.ts";
import { burn } from "./burn.ts";
import { useEvidence } from "./use-evidence.tsx";
import { useOpenedFile } from "./use-opened-file.ts";

/** A file of a report: to look at, to download, and to publish with boxes over it. */
export function EvidenceDialog({
  report,
  file,
  name,
  onClose,
}: {
  readonly report: AdminReportDetail;
  readonly file: ReportFile;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { file_id: fileId, type } = file;
  const [page, setPage] = useState(1);
  const [boxes, setBoxes] = useState<readonly Area[]>();
  const [isCheck, setCheck] = useState(false);
  const proof = useProof();
  const opened = useOpenedFile({ reportId: report.id, fileId, type }, page, proof, onClose);
  const evidence = useEvidence(report.id);
  const { content, pages, picture, failure } = opened;
  const isEditing = boxes !== undefined;
  const size = picture && publishedSize(picture, COPY_SIDE);
  const shownPage = pages === undefined ? undefined : page;
  const refusal = refusalOf(report, file, shownPage);
  const publish = async () => {
    if (!picture || !size || !boxes) return;
    const done = await evidence.publish({
      fileId,
      kind: isCheck ? "check_image" : "evidence",
      page: shownPage,
      boxes: boxes.length,
      picture: await burn(picture, size, boxes),
    });
    if (done) onClose();
  };
  const turn = (to: number) => {
    setPage(to);
    setBoxes(undefined);
  };
  return (
    <Dialog open onClose={evidence.running ? undefined : onClose} maxWidth="lg" fullWidth>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>
        {isEditing ? `Publish ${name}` : name}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        {failure && <Alert severity="warning">{failure}</Alert>}
        {!picture && !failure && (
          <Box sx={{ display: "grid", placeItems: "center", minHeight: 200 }}>
            <CircularProgress aria-label="Opening the file" />
          </Box>
        )}
        {isEditing && size && <BoxFields boxes={boxes} size={size} onChange={setBoxes} />}
        {picture && size && (
          <BoxesOverPicture
            picture={picture}
            size={size}
            label={`${FILE_TYPES[type]} ${name}${shownPage ? `, page ${shownPage}` : ""}`}
            boxes={boxes ?? []}
            onChange={isEditing && !evidence.running ? setBoxes : undefined}
          />
        )}
        {pages !== undefined && pages > 1 && (
          <Box sx={{ display: "flex", gap: 1, alignItems: "center", justifyContent: "center" }}>
            <Button disabled={page <= 1 || evidence.running} onClick={() => turn(page - 1)}>
              Previous page
            </Button>
            <Typography>
              Page {page} of {pages}
            </Typography>
            <Button disabled={page >= pages || evidence.running} onClick={() => turn(page + 1)}>
              Next page
            </Button>
          </Box>
        )}
        {isEditing && report.report_type === "bad_check" && (
          <FormControlLabel
            control={
              <Checkbox checked={isCheck} onChange={(event) => setCheck(event.target.checked)} />
            }
            label="This is the check"
          />
        )}
        {isEditing && report.status !== "approved" && (
          <Typography color="textSecondary">
            The picture is seen by everybody once the report is approved.
          </Typography>
        )}
        {evidence.failure && <Alert severity="error">{evidence.failure}</Alert>}
        {!isEditing && picture && refusal && (
          <Typography color="textSecondary">{refusal}</Typography>
        )}
      </DialogContent>
      <DialogActions sx={{ p: 2, flexWrap: "wrap" }}>
        <Button
          onClick={isEditing ? () => setBoxes(undefined) : onClose}
          disabled={evidence.running}
        >
          {isEditing ? "Back" : "Close"}
        </Button>
        {!isEditing && content && <Button onClick={() => saveFile(content, name)}>Download</Button>}
        {!isEditing && picture && !refusal && (
          <Button variant="contained" onClick={() => setBoxes([])}>
            Prepare to publish
          </Button>
        )}
        {isEditing && (
          <Button variant="contained" loading={evidence.running} onClick={() => void publish()}>
            {`Publish with ${boxes.length === 1 ? "1 box" : `${boxes.length} boxes`}`}
          </Button>
        )}
      </DialogActions>
      {proof.dialog}
      {evidence.dialog}
    </Dialog>
  );
}

/** Why the file or page cannot be published now; undefined if it can. */
function refusalOf(
  { status, holds }: AdminReportDetail,
  { kind, copies }: ReportFile,
  shown: number | undefined,
): string | undefined {
  if (kind !== "evidence") return "Only evidence can be published.";
  if (status === "rejected")
    return "Evidence of a rejected report is not published. Approve it or put it under review first.";
  if (holds.some(({ copy_id }) => copy_id === undefined))
    return "A copyright notice holds the report. Decide about the notice first.";
  return copies.some(({ page }) => page === shown)
    ? "This is published already. Hide it to publish another picture of it."
    : undefined;
}
