import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { COPY_KINDS, type CopyKind, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { Instant } from "../../../shared/Instant.tsx";
import type { Reveal } from "../use-reveal.ts";
import { HideDialog } from "./HideDialog.tsx";
import { Thumbnail } from "./Thumbnail.tsx";
import { useRevealedFiles } from "./use-revealed-files.ts";

const EvidenceDialog = lazy(() =>
  import("./EvidenceDialog.tsx").then(({ EvidenceDialog }) => ({ default: EvidenceDialog })),
);

type Copy = ReportFile["copies"][number];
const nameOfKind = (kind: string) => COPY_KINDS[kind as CopyKind] ?? kind;

/**
 * The files of a report and what is published of them. A press reveals them and opens one; a published picture can
 * be hidden without a reveal.
 */
export function EvidenceFiles({
  report,
  reveal,
  openedId,
  onOpen,
  onDrawing,
}: {
  readonly report: AdminReportDetail;
  readonly reveal: Reveal;
  /** The file that is shown large. */
  readonly openedId: string | undefined;
  readonly onOpen: (fileId: string | undefined) => void;
  /** Told when boxes begin and cease to be drawn over a picture. */
  readonly onDrawing: (isDrawing: boolean) => void;
}) {
  const [hidden, setHidden] = useState<Copy>();
  const { files, own } = report;
  const revealed = new Map(reveal.full?.evidence?.map((file) => [file.file_id, file]));
  const load = useRevealedFiles(report.id, reveal.full?.reveal_id);
  if (files.length === 0) return null;
  return (
    <Box component="section" aria-labelledby="evidence">
      <Typography id="evidence" component="h2" variant="h3" sx={{ mb: 0.5 }}>
        Evidence, {files.length === 1 ? "1 file" : `${files.length} files`}
      </Typography>
      <Box
        component="ul"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
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
                  <Thumbnail type={file.type} load={() => load(file.file_id)} />
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
        <Typography color="textSecondary">Not seen while the report is not approved.</Typography>
      )}
      <Suspense fallback={null}>
        {openedId !== undefined && revealed.has(openedId) && (
          <EvidenceDialog
            report={report}
            files={files.filter(({ file_id }) => revealed.has(file_id))}
            fileId={openedId}
            nameOf={(id) => revealed.get(id)?.name ?? ""}
            load={load}
            onOpen={onOpen}
            onDrawing={onDrawing}
            onClose={() => onOpen(undefined)}
          />
        )}
      </Suspense>
      {hidden && (
        <HideDialog reportId={report.id} copy={hidden} onClose={() => setHidden(undefined)} />
      )}
    </Box>
  );
}
