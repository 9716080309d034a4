import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useEffect, useRef } from "react";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { Instant } from "../../shared/Instant.tsx";
import { valueText } from "../../shared/labels.ts";
import { HEADER_HEIGHT } from "../../shared/theme.ts";
import { useShortcuts } from "../../shared/use-shortcuts.ts";
import { EvidenceFiles } from "../record/evidence/EvidenceFiles.tsx";
import { KeptBack } from "../record/KeptBack.tsx";
import { personName } from "../record/person-name.ts";
import { RecordView } from "../record/RecordView.tsx";
import { useReveal } from "../record/use-reveal.ts";
import { ModeratorNotes } from "./ModeratorNotes.tsx";
import { PossibleMatches } from "./PossibleMatches.tsx";
import { QueuePanel } from "./QueuePanel.tsx";
import { ReporterQuestions } from "./ReporterQuestions.tsx";
import { useDecisions } from "./use-decisions.tsx";
import type { QueueWork } from "./use-queue.ts";

export interface QueueReportProps {
  readonly report: AdminReportDetail;
  /** Until when it is this moderator's, RFC 3339. */
  readonly until: string;
  readonly work: QueueWork;
}

/** A report of the queue: evidence and possible matches beside the record, decisions within reach. */
export function QueueReport({ report, until, work }: QueueReportProps) {
  const { id } = report;
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const heading = useRef<HTMLHeadingElement>(null);
  const reveal = useReveal(id);
  const { evidence: _, ...full } = reveal.full ?? {};
  const shown = reveal.full ? { ...report, ...full } : report;
  const decisions = useDecisions(report, () => void work.next(), reveal.full);
  const shortcuts = useShortcuts({ ...decisions.shortcuts, s: () => void work.skip() });
  // Each report that follows is announced, and Tab starts at its record.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const panel = (
    <QueuePanel
      report={report}
      until={until}
      work={work}
      decisions={decisions}
      shortcuts={shortcuts}
    />
  );
  return (
    <>
      <Box sx={{ mb: 2 }}>
        <Typography
          ref={heading}
          component="h2"
          variant="h1"
          tabIndex={-1}
          sx={{ overflowWrap: "anywhere", width: "fit-content", mb: 0.5 }}
        >
          {personName(report)}
        </Typography>
        <Typography color="textSecondary">
          {valueText("report_type", report.report_type)} report, submitted{" "}
          <Instant at={report.created_at} />
          {report.origin === "sample" && ", a sample"}
        </Typography>
      </Box>
      <Box
        sx={{
          display: "grid",
          gap: { xs: 2, md: 3 },
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 304px" },
          alignItems: "start",
        }}
      >
        {!isWide && panel}
        <Box sx={{ display: "grid", gap: 2 }}>
          <ModeratorNotes report={report} />
          <ReporterQuestions report={report} />
          <EvidenceFiles report={report} full={reveal.full} />
          <PossibleMatches matches={report.possible_matches} hasMore={report.has_more_matches} />
          <RecordView report={shown} opened={reveal.full !== undefined} />
          <KeptBack report={report} reveal={reveal} />
        </Box>
        {isWide && <Box sx={{ position: "sticky", top: HEADER_HEIGHT + 16 }}>{panel}</Box>}
      </Box>
      {decisions.dialog}
    </>
  );
}
