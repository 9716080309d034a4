import FileIcon from "@mui/icons-material/InsertDriveFileOutlined";
import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import { COPY_KINDS, type CopyKind, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { REASON_CHARS } from "#contracts/report/reporter-rules.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { longText } from "../commands/report-commands.ts";
import { SHOWN_IN } from "../commands/use-command.ts";
import type { Reveal } from "../record/KeptBack.tsx";
import { useShownReport } from "../record/OpenReport.tsx";
import { SendDialog } from "../shared/AskDialog.tsx";
import { lazyExport } from "../shared/later.ts";
import { Instant } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";
import { drawPicture, publishedSize } from "./boxes.ts";
import { type FileSource, fileQuery, openPdf } from "./FileView.tsx";

const EvidenceDialog = lazyExport("EvidenceDialog", () => import("./EvidenceDialog.tsx"));

type Copy = ReportFile["copies"][number];
const nameOfKind = (kind: string) => COPY_KINDS[kind as CopyKind] ?? kind;

/**
 * The files of a report and their published pictures. Opening a file reveals the report; a published picture can be
 * hidden without a reveal.
 */
export function EvidenceFiles(props: {
  readonly reveal: Reveal;
  readonly openedId: string | undefined;
  readonly onOpen: (fileId: string | undefined) => void;
  readonly onDrawing: (isDrawing: boolean) => void;
}) {
  const { reveal, openedId, onOpen, onDrawing } = props;
  const report = useShownReport();
  const [hidden, setHidden] = useState<Copy>();
  const { files, own } = report;
  const revealed = new Map(reveal.full?.evidence?.map((file) => [file.file_id, file]));
  const provider = useProvider();
  const revealId = reveal.full?.reveal_id ?? "";
  const sourceOf = ({ file_id, type }: ReportFile): FileSource => ({
    key: [revealId, file_id],
    type,
    load: () => provider.openRevealed(report.id, revealId, file_id),
  });
  return (
    <Box component="section" aria-labelledby="evidence">
      <Typography id="evidence" component="h2" variant="h3" sx={{ mb: 0.5 }}>
        Evidence, {files.length === 1 ? "1 file" : `${files.length} files`}
      </Typography>
      <Box
        component="ul"
        sx={{
          display: "grid",
          gap: 1,
          gridTemplateColumns: "repeat(auto-fill, minmax(80px, 1fr))",
        }}
      >
        {files.map((file) => {
          const name = revealed.get(file.file_id)?.name;
          return (
            <li key={file.file_id}>
              <ButtonBase
                aria-label={`Open ${name ?? FILE_TYPES[file.type]}`}
                disabled={own === true || (reveal.full !== undefined && !name)}
                onClick={() => onOpen(file.file_id)}
                sx={{
                  width: "100%",
                  height: 88,
                  p: 0.5,
                  flexDirection: "column",
                  justifyContent: "flex-end",
                  gap: 0.5,
                  border: `1px solid ${color.line}`,
                  borderRadius: `${radius.small}px`,
                  bgcolor: name ? "background.paper" : color.groundStrong,
                  overflow: "hidden",
                }}
              >
                {name ? (
                  <Thumbnail source={sourceOf(file)} />
                ) : (
                  <LockIcon sx={{ color: color.inkMuted, m: "auto" }} />
                )}
                <Typography noWrap sx={{ maxWidth: "100%" }} color="textSecondary">
                  {name ?? FILE_TYPES[file.type].split(" ")[0]}
                </Typography>
              </ButtonBase>
            </li>
          );
        })}
      </Box>
      {files.flatMap(({ copies }) =>
        copies.map((copy) => (
          <Box
            key={copy.copy_id}
            sx={{
              mt: 0.5,
              display: "flex",
              alignItems: "center",
              "& .MuiButton-root": { minWidth: 0, px: 1 },
            }}
          >
            <Typography sx={{ flex: 1, minWidth: 0 }}>
              {nameOfKind(copy.kind)}
              {copy.page !== undefined && `, page ${copy.page}`}, published{" "}
              <Instant at={copy.published_at} as="day" />
            </Typography>
            {report.status === "approved" && (
              <Button
                size="small"
                href={`/prod/api/reports/${report.id}/evidence/${copy.copy_id}`}
                target="_blank"
                rel="noreferrer"
              >
                View
              </Button>
            )}
            {!own && (
              <Button size="small" color="warning" onClick={() => setHidden(copy)}>
                Hide
              </Button>
            )}
          </Box>
        )),
      )}
      {report.status !== "approved" && files.some(({ copies }) => copies.length > 0) && (
        <Typography color="textSecondary">Not visible until the report is approved.</Typography>
      )}
      <Suspense fallback={null}>
        {openedId !== undefined && revealed.has(openedId) && (
          <EvidenceDialog
            files={files.filter(({ file_id }) => revealed.has(file_id))}
            fileId={openedId}
            nameOf={(id) => revealed.get(id)?.name ?? ""}
            sourceOf={sourceOf}
            onOpen={onOpen}
            onDrawing={onDrawing}
            onClose={() => onOpen(undefined)}
          />
        )}
      </Suspense>
      {hidden && (
        <SendDialog
          title="Hide the published picture?"
          consequence="The picture is removed from the site immediately and permanently. The file stays, and you can publish a new picture of it."
          confirm="Hide picture"
          cancel="Keep it"
          fields={REASON}
          isFinal
          send={(_, { reason }) => provider.hideEvidence(report.id, hidden.copy_id, reason)}
          again={SHOWN_IN}
          tells="success"
          refetchFirst
          failed="Couldn't hide the picture. Try again."
          onClose={() => setHidden(undefined)}
        />
      )}
    </Box>
  );
}

const REASON = [longText("reason", "Reason, for the history", REASON_CHARS)];

/** Longest side in pixels: twice the displayed size, for high-density screens. */
const SIDE = 240;

function Thumbnail({ source }: { readonly source: FileSource }) {
  const { data: file } = useQuery(fileQuery(source));
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const { type } = source;
  useEffect(() => {
    let isHere = true;
    const draw = async (of: File) => {
      const picture = await createImageBitmap(await pictureOf(of, type));
      if (canvas.current && isHere) {
        drawPicture(canvas.current, picture, publishedSize(picture, SIDE));
        setDrawn(true);
      }
      picture.close();
    };
    if (file) draw(file).catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [file, type]);
  return (
    <Box sx={{ flex: 1, minHeight: 0, width: "100%", display: "grid", placeItems: "center" }}>
      {!isDrawn && <FileIcon sx={{ color: color.inkMuted }} />}
      <Box
        component="canvas"
        ref={canvas}
        aria-hidden
        sx={{ display: isDrawn ? "block" : "none", maxWidth: "100%", maxHeight: 56 }}
      />
    </Box>
  );
}

async function pictureOf(file: File, type: string): Promise<Blob> {
  if (type !== "application/pdf") return file;
  const pdf = await openPdf(await file.arrayBuffer());
  try {
    return await pdf.draw(1);
  } finally {
    pdf.close();
  }
}
