import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { color } from "#theme/color.ts";
import { claimOn, useQueueForReport } from "../commands/CommandDialog.tsx";
import { takenByText } from "../commands/labels.ts";
import { isOpen, PAGE_COMMANDS } from "../commands/report-commands.ts";
import { paths } from "../config/paths.ts";
import { DecisionNotices } from "../decision/DecisionNotices.tsx";
import { DecisionBar, DecisionPanel } from "../decision/DecisionPanel.tsx";
import { verifiedText } from "../decision/labels.ts";
import { ReportAside } from "../decision/ReportAside.tsx";
import {
  type Action,
  type Actions,
  NEXT_KEY,
  type Offered,
  type QueueTurn,
  useActions,
} from "../decision/use-actions.tsx";
import { EvidenceFiles } from "../evidence/EvidenceFiles.tsx";
import { CompareDialog, PossibleMatches } from "../matches/PossibleMatches.tsx";
import { HiddenData, useReveal } from "../record/KeptBack.tsx";
import { OpenReport, useShownReport } from "../record/OpenReport.tsx";
import { RecordView } from "../record/RecordView.tsx";
import { personName, recordFields, type ShownReport } from "../record/record-fields.ts";
import { ResolutionSection } from "../resolutions/ResolutionSection.tsx";
import { valueText } from "../shared/labels.ts";
import { markedPlaces } from "../shared/marked-places.ts";
import { PageHeading } from "../shared/page.tsx";
import { CopyNumber, Instant, KeyHint, StatusChip } from "../shared/parts.tsx";
import { waitingText } from "../shared/reads.ts";

/** One report: the record with the available actions. */
export function ReportShow() {
  return (
    <OpenReport>
      <OwnPage />
    </OpenReport>
  );
}

function OwnPage() {
  const report = useShownReport();
  const { queue, taken } = useQueueForReport(report.id);
  const nextId = queue?.reports.find((id) => id !== report.id && !claimOn(queue, id));
  const next: Offered = queue &&
    nextId && {
      label: `Next report (${waitingText(queue.to_decide, "to_decide")})`,
      key: NEXT_KEY,
      place: isOpen(report.status) ? "more" : "main",
      to: paths.report(nextId),
    };
  return (
    <ReportSheet
      heading={(words) => (
        <PageHeading title={`${reportNumber(report.id)} ${personName(report)}`}>
          {words}
        </PageHeading>
      )}
      notice={
        <>
          {report.own && <Alert severity="info">{OWN_REPORT}</Alert>}
          {taken && <Alert severity="info">{takenByText(taken)}</Alert>}
        </>
      }
      others={[next]}
    />
  );
}

const IN_HEADING = ["Title", "Report type"];
const COLUMN = { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 1.5 } as const;

/** A report on one screen: texts, evidence and facts, with actions, notes and history next to them. */
export function ReportSheet(props: {
  readonly heading: (words: ReactNode) => ReactNode;
  readonly notice?: ReactNode;
  readonly others: readonly Offered[];
  readonly queue?: QueueTurn;
}) {
  const { heading, notice, others, queue } = props;
  const report = useShownReport();
  const { id, own, status, files, possible_matches: matches } = report;
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const reveal = useReveal(id);
  const isRevealed = reveal.full !== undefined;
  const [fileId, setFileId] = useState<string>();
  const [comparedId, setComparedId] = useState<string>();
  const noteField = useRef<HTMLTextAreaElement>(null);
  const { evidence: _, ...full } = reveal.full ?? {};
  const shown: ShownReport = isRevealed ? { ...report, ...full } : report;
  // A reveal gives access to the files for a limited time; viewing them later requires another one.
  const revealId = reveal.full?.reveal_id;
  const [isDrawing, setDrawing] = useState(false);
  const hide = useEffectEvent(() => {
    reveal.hide();
    setFileId(undefined);
  });
  useEffect(() => {
    // Don't lose boxes that are being drawn over a picture.
    if (!revealId || isDrawing) return;
    const timer = setTimeout(() => hide(), reveal.atMs + REVEAL_MS - Date.now());
    return () => clearTimeout(timer);
  }, [revealId, isDrawing, reveal.atMs]);
  const openFile = async (file: string | undefined) => {
    if (file === undefined || isRevealed || (await reveal.open())) setFileId(file);
  };
  const [firstFile] = files;
  const [firstMatch] = matches;
  const compare = firstMatch && (() => setComparedId(firstMatch.id));
  const onlyKey = (key: string, label: string, run: () => void): Action => ({
    key,
    label,
    run,
    place: "key",
  });
  const actions = useActions({
    opened: reveal.full,
    queue,
    others: [
      ...others,
      compare &&
        !own &&
        isOpen(status) &&
        !report.held && { key: "D", label: "Duplicate of…", run: compare, place: "more" },
      compare && onlyKey("M", "Compare with possible matches", compare),
      !own && onlyKey("N", "Note for moderators", () => noteField.current?.focus()),
      !own &&
        onlyKey("V", isRevealed ? "Hide data" : "Reveal all", () =>
          isRevealed ? reveal.hide() : void reveal.open(),
        ),
      !own && firstFile && onlyKey("E", "View evidence", () => void openFile(firstFile.file_id)),
    ],
  });
  const notices = (
    <>
      {notice}
      <DecisionNotices />
      <PrivateText report={shown} opened={isRevealed} of={actions} />
    </>
  );
  return (
    <>
      <Box
        sx={{
          display: "grid",
          gap: { xs: 1, md: 1.5 },
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 288px" },
          alignItems: "start",
        }}
      >
        <Box sx={COLUMN}>
          {!isWide && notices}
          <Paper sx={{ border: 1, borderColor: "divider", overflow: "hidden" }}>
            <Box sx={{ px: 2, py: 1.25, borderBottom: `1px solid ${color.line}` }}>
              <Box sx={{ display: "flex", gap: 2, justifyContent: "space-between" }}>
                {heading(
                  <>
                    {report.title}
                    <Typography component="span" sx={{ display: "block", fontWeight: 400 }}>
                      {personName(report)}
                    </Typography>
                  </>,
                )}
                <Typography variant="h1" component="span" sx={{ whiteSpace: "nowrap" }}>
                  {formatMoney(report.total_due, report.currency)}
                </Typography>
              </Box>
              <Box
                sx={{
                  display: "flex",
                  flexWrap: "wrap",
                  alignItems: "center",
                  columnGap: 1,
                  color: "text.secondary",
                }}
              >
                <CopyNumber id={id} />
                <StatusChip status={status} />
                <span>{valueText("report_type", report.report_type)}</span>
                <span>
                  submitted <Instant at={report.created_at} as="day" />
                </span>
                <Chip variant="outlined" label={verifiedText(report)} />
                {report.origin === "sample" && <Chip variant="outlined" label="Sample" />}
              </Box>
            </Box>
            <RecordView
              report={shown}
              opened={isRevealed}
              without={IN_HEADING}
              beside={
                firstFile && (
                  <EvidenceFiles
                    reveal={reveal}
                    openedId={fileId}
                    onOpen={(file) => void openFile(file)}
                    onDrawing={setDrawing}
                  />
                )
              }
            />
            {!own && <HiddenData reveal={reveal} hint={actions.hasKeys ? "V" : undefined} />}
          </Paper>
          {report.resolution && <ResolutionSection resolution={report.resolution} />}
          <PossibleMatches hint={actions.hasKeys ? "M" : undefined} onCompare={setComparedId} />
        </Box>
        <Box sx={COLUMN}>
          {isWide && <DecisionPanel actions={actions}>{notices}</DecisionPanel>}
          <ReportAside noteField={noteField} />
        </Box>
      </Box>
      {!isWide && <DecisionBar actions={actions} />}
      {comparedId !== undefined && (
        <CompareDialog
          matchId={comparedId}
          hasKeys={actions.hasKeys}
          onCompare={setComparedId}
          rejectAs={actions.rejectAs}
        />
      )}
      {actions.dialog}
    </>
  );
}

/** Warns about text that looks private and would be published, with a button to mask it. */
function PrivateText(props: {
  readonly report: ShownReport;
  readonly opened: boolean;
  readonly of: Actions;
}) {
  const { report, opened, of } = props;
  const mask = of.actions.find(({ label }) => label === PAGE_COMMANDS.mask.label);
  const { texts, facts } = recordFields(report, opened);
  const found = [...texts, ...facts].flatMap(({ value, own }) =>
    own && typeof value === "string" ? markedPlaces(value, own) : [],
  );
  if (!mask || found.length === 0) return null;
  const kinds = new Intl.ListFormat("en-US").format([...new Set(found.map(({ label }) => label))]);
  return (
    <Alert severity="warning" role="note" icon={false} sx={{ px: 1 }}>
      <Typography sx={{ fontWeight: 600 }}>Private text: {kinds}</Typography>
      This would be public.
      <Button
        size="small"
        color="warning"
        disabled={of.busy}
        onClick={mask.run}
        endIcon={of.hasKeys && mask.key && <KeyHint>{mask.key}</KeyHint>}
      >
        {mask.label}
      </Button>
    </Alert>
  );
}
