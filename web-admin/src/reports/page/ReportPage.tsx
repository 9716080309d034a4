import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useRef } from "react";
import { useRequireAccess } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { paths } from "../../config/paths.ts";
import { Instant } from "../../shared/Instant.tsx";
import { valueText } from "../../shared/labels.ts";
import { PageHeading } from "../../shared/PageHeading.tsx";
import { HEADER_HEIGHT } from "../../shared/theme.ts";
import { useNextPending } from "../../shared/use-next-pending.ts";
import { useShortcuts } from "../../shared/use-shortcuts.ts";
import { TakenNotice } from "../commands/TakenByOther.tsx";
import { EvidenceFiles } from "../record/evidence/EvidenceFiles.tsx";
import { KeptBack } from "../record/KeptBack.tsx";
import { OwnReportNotice } from "../record/OwnReportNotice.tsx";
import { personName } from "../record/person-name.ts";
import { RecordSkeleton } from "../record/RecordSkeleton.tsx";
import { RecordView } from "../record/RecordView.tsx";
import { ReportLoadError } from "../record/ReportLoadError.tsx";
import { ResolutionSection } from "../record/resolution/ResolutionSection.tsx";
import { useReport } from "../record/use-report.ts";
import { useReveal } from "../record/use-reveal.ts";
import { DecisionBar } from "./DecisionBar.tsx";
import { DecisionPanel } from "./DecisionPanel.tsx";
import { ModeratorNotes } from "./ModeratorNotes.tsx";
import { PossibleMatches } from "./PossibleMatches.tsx";
import { ReporterQuestions } from "./ReporterQuestions.tsx";
import { StatusLine } from "./StatusLine.tsx";
import { useDecisions } from "./use-decisions.tsx";

/** One report: the record, with the possible decisions beside it. */
export function ReportPage() {
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "reports", action: "show" });
  const { data, error, refetch } = useReport(id, !isChecking);
  if (error) return <ReportLoadError id={id} error={error} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  return <OpenReport key={data.id} report={data} />;
}

function OpenReport({ report }: { readonly report: AdminReportDetail }) {
  const { id } = report;
  const navigate = useNavigate();
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const nextButton = useRef<HTMLAnchorElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const next = useNextPending(id);
  const reveal = useReveal(id);
  const { evidence: _, ...full } = reveal.full ?? {};
  const shown = reveal.full ? { ...report, ...full } : report;
  const decisions = useDecisions(
    report,
    () => (nextButton.current ?? place.current)?.focus(),
    reveal.full,
  );
  const shortcuts = useShortcuts({
    ...decisions.shortcuts,
    e: () => void (report.own || navigate(paths.reportEdit(id))),
    h: () => void navigate(paths.reportHistory(id)),
    n: () => void (next?.nextId && navigate(paths.report(next.nextId))),
  });
  const panel = {
    report,
    decisions,
    queue: next,
    nextButton,
    shortcuts,
  };
  return (
    <>
      <Box sx={{ mb: 2 }}>
        <PageHeading title={personName(report)}>{personName(report)}</PageHeading>
        <Typography color="textSecondary">
          {valueText("report_type", report.report_type)} report, submitted{" "}
          <Instant at={report.created_at} />
          {report.origin === "sample" && ", a sample"}
        </Typography>
        {!isWide && (
          <Box sx={{ mt: 1 }}>
            <StatusLine report={report} />
          </Box>
        )}
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: { xs: 2, md: 3 },
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 304px" },
          alignItems: "start",
        }}
      >
        <Box sx={{ display: "grid", gap: 2 }}>
          {report.own && <OwnReportNotice />}
          <TakenNotice reportId={id} />
          {!report.own && <KeptBack report={report} reveal={reveal} />}
          <ModeratorNotes report={report} />
          <ReporterQuestions report={report} />
          <ResolutionSection report={report} />
          <RecordView report={shown} opened={reveal.full !== undefined} />
          <EvidenceFiles report={report} full={reveal.full} />
          <PossibleMatches matches={report.possible_matches} hasMore={report.has_more_matches} />
        </Box>
        {isWide && (
          <Box
            ref={place}
            tabIndex={-1}
            sx={{ position: "sticky", top: HEADER_HEIGHT + 16, outline: "none" }}
          >
            <DecisionPanel {...panel} />
          </Box>
        )}
      </Box>
      {!isWide && <DecisionBar {...panel} />}
      {decisions.dialog}
    </>
  );
}
