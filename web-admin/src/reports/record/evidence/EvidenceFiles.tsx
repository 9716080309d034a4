import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useState } from "react";
import type { ReportFile } from "#contracts/http/evidence.ts";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { COPY_KINDS, type CopyKind, FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import type { RevealedReport } from "../../../data/console-data-provider.ts";
import { formatInstant } from "../../../shared/formats.ts";
import { Instant } from "../../../shared/Instant.tsx";
import { Section } from "../../../shared/Section.tsx";
import { formatBytes } from "./format-bytes.ts";
import { HideDialog } from "./HideDialog.tsx";

const EvidenceDialog = lazy(() =>
  import("./EvidenceDialog.tsx").then(({ EvidenceDialog }) => ({ default: EvidenceDialog })),
);

type Copy = ReportFile["copies"][number];
const nameOfKind = (kind: string) => COPY_KINDS[kind as CopyKind] ?? kind;

/**
 * The files of a report and what is published of them. They are opened after a reveal, and each look is
 * recorded; a published picture can be hidden without one.
 */
export function EvidenceFiles({
  report,
  full,
}: {
  readonly report: AdminReportDetail;
  /** Undefined before a reveal. */
  readonly full: RevealedReport | undefined;
}) {
  const [opened, setOpened] = useState<ReportFile>();
  const [hidden, setHidden] = useState<Copy>();
  const { files } = report;
  if (files.length === 0) return null;
  const revealed = new Map(full?.evidence?.map((file) => [file.file_id, file]));
  return (
    <Section title={files.length === 1 ? "1 file" : `${files.length} files`}>
      {!full && !report.own && (
        <Typography color="textSecondary">
          Reveal the kept-back data to see their names and to open them.
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {files.map((file) => {
          const { name, bytes } = revealed.get(file.file_id) ?? {};
          const facts = [
            FILE_TYPES[file.type],
            ...(bytes === undefined ? [] : [formatBytes(bytes)]),
            `added ${formatInstant(file.added_at)}`,
            ...(file.kind === "evidence" ? [] : [file.kind.replaceAll("_", " ")]),
            ...(file.copies.length === 0 ? ["not published"] : []),
          ];
          return (
            <Box
              component="li"
              key={file.file_id}
              sx={{ py: 1.5, "& + &": { borderTop: 1, borderColor: "divider" } }}
            >
              <Box sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap" }}>
                <Box sx={{ flex: "1 1 240px", minWidth: 0 }}>
                  {name && (
                    <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>
                      {name}
                    </Typography>
                  )}
                  <Typography color={name ? "textSecondary" : "textPrimary"}>
                    {facts.join(", ")}
                  </Typography>
                </Box>
                {name && (
                  <Button
                    variant="outlined"
                    onClick={() => setOpened(file)}
                    aria-label={`Open ${name}`}
                  >
                    Open
                  </Button>
                )}
              </Box>
              {file.copies.map((copy) => (
                <Box
                  key={copy.copy_id}
                  sx={{ display: "flex", gap: 2, alignItems: "center", flexWrap: "wrap", mt: 1 }}
                >
                  <Typography sx={{ flex: "1 1 240px" }}>
                    {nameOfKind(copy.kind)}
                    {copy.page !== undefined && `, page ${copy.page}`}, published{" "}
                    <Instant at={copy.published_at} />, {copy.width} × {copy.height}
                    {report.status === "approved"
                      ? ""
                      : "; not seen while the report is not approved"}
                  </Typography>
                  {report.status === "approved" && (
                    <Button
                      href={`/prod/api/reports/${report.id}/evidence/${copy.copy_id}`}
                      target="_blank"
                      rel="noreferrer"
                    >
                      View
                    </Button>
                  )}
                  {!report.own && (
                    <Button color="warning" onClick={() => setHidden(copy)}>
                      Hide
                    </Button>
                  )}
                </Box>
              ))}
            </Box>
          );
        })}
      </Box>
      <Suspense fallback={null}>
        {opened && (
          <EvidenceDialog
            report={report}
            file={files.find(({ file_id }) => file_id === opened.file_id) ?? opened}
            name={revealed.get(opened.file_id)?.name ?? ""}
            onClose={() => setOpened(undefined)}
          />
        )}
      </Suspense>
      {hidden && (
        <HideDialog reportId={report.id} copy={hidden} onClose={() => setHidden(undefined)} />
      )}
    </Section>
  );
}
