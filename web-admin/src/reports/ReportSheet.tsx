import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import type { AdminReportDetail, NoticeHold } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { color } from "#theme/color.ts";
import { DeletionSteps } from "../commands/DeletionSteps.tsx";
import { isOpen, PAGE_COMMANDS } from "../commands/report-commands.ts";
import { paths } from "../config/paths.ts";
import { EvidenceFiles } from "../evidence/EvidenceFiles.tsx";
import { CompareDialog, PossibleMatches } from "../matches/PossibleMatches.tsx";
import { KeptBack, useReveal } from "../record/KeptBack.tsx";
import { RecordView } from "../record/RecordView.tsx";
import { personName, recordFields, type ShownReport } from "../record/record-fields.ts";
import { ResolutionSection } from "../resolutions/ResolutionSection.tsx";
import { deletionReasonText, valueText } from "../shared/labels.ts";
import { MarkedText } from "../shared/MarkedText.tsx";
import { markedPlaces } from "../shared/marked-places.ts";
import { CopyNumber, Instant, KeyHint, StatusChip } from "../shared/parts.tsx";
import { type Action, type Actions, type QueueTurn, useActions } from "./actions.tsx";
import { DecisionBar, DecisionPanel } from "./DecisionPanel.tsx";
import { reporterWords, verifiedWords } from "./labels.ts";
import { ReportAside } from "./ReportAside.tsx";

interface ReportSheetProps {
  readonly report: AdminReportDetail;
  readonly heading: (words: ReactNode) => ReactNode;
  readonly notice?: ReactNode;
  readonly others: readonly Action[];
  readonly queue?: QueueTurn;
}

/** Labels that stand in the heading and the line below it. */
const IN_HEADING = ["Title", "Report type"];

const onlyKey = (key: string, label: string, run: () => void): Action => ({
  key,
  label,
  run,
  place: "key",
});

/** A report on one screen: the story, its evidence and the facts; what can be done, notes and history beside them. */
export function ReportSheet(props: ReportSheetProps) {
  const { report, heading, notice, others, queue } = props;
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const reveal = useReveal(report.id);
  const [fileId, setFileId] = useState<string>();
  const [comparedId, setComparedId] = useState<string>();
  const noteField = useRef<HTMLTextAreaElement>(null);
  const { evidence: _, ...full } = reveal.full ?? {};
  const shown: ShownReport = reveal.full ? { ...report, ...full } : report;
  const [firstFile] = report.files;
  // A reveal opens the files for a while only; what is looked at later is another look.
  const revealId = reveal.full?.reveal_id;
  const [isDrawing, setDrawing] = useState(false);
  const hide = useEffectEvent(() => {
    reveal.hide();
    setFileId(undefined);
  });
  useEffect(() => {
    // Boxes that are being drawn over a picture are not lost.
    if (!revealId || isDrawing) return;
    const timer = setTimeout(() => hide(), reveal.atMs + REVEAL_MS - Date.now());
    return () => clearTimeout(timer);
  }, [revealId, isDrawing, reveal.atMs]);
  const openFile = async (id: string | undefined) => {
    if (id !== undefined && !reveal.full && !(await reveal.open())) return;
    setFileId(id);
  };
  const [firstMatch] = report.possible_matches;
  const compare = firstMatch && (() => setComparedId(firstMatch.id));
  const ownActions: readonly (Action | false | undefined)[] = [
    compare &&
      !report.own &&
      isOpen(report.status) &&
      !report.held && { key: "D", label: "Duplicate of…", run: compare, place: "more" },
    compare && onlyKey("M", "Compare with possible matches", compare),
    !report.own && onlyKey("N", "Note for moderators", () => noteField.current?.focus()),
    !report.own &&
      onlyKey("V", reveal.full ? "Hide data" : "Reveal all", () =>
        reveal.full ? reveal.hide() : void reveal.open(),
      ),
    !report.own &&
      firstFile &&
      onlyKey("E", "Look at the evidence", () => void openFile(firstFile.file_id)),
  ];
  const actions = useActions({
    report,
    opened: reveal.full,
    queue,
    others: [...others, ...ownActions.filter((each) => !!each)],
  });
  const mask = actions.actions.find(({ label }) => label === PAGE_COMMANDS.mask.label);
  const notices = (
    <>
      {notice}
      <DecisionNotices report={report} />
      {mask && (
        <PrivateText
          report={shown}
          opened={reveal.full !== undefined}
          mask={mask}
          actions={actions}
        />
      )}
    </>
  );
  const due = formatMoney(report.total_due, report.currency);
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
        <Box sx={{ display: "grid", gap: 1.5, minWidth: 0 }}>
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
                  {due}
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
                <CopyNumber id={report.id} />
                <StatusChip status={report.status} />
                <span>{valueText("report_type", report.report_type)}</span>
                <span>
                  submitted <Instant at={report.created_at} as="day" />
                </span>
                <Chip variant="outlined" label={verifiedWords(report)} />
                {report.origin === "sample" && <Chip variant="outlined" label="Sample" />}
              </Box>
            </Box>
            <RecordView
              report={shown}
              opened={reveal.full !== undefined}
              without={IN_HEADING}
              beside={
                report.files.length > 0 && (
                  <EvidenceFiles
                    report={report}
                    reveal={reveal}
                    openedId={fileId}
                    onOpen={(id) => void openFile(id)}
                    onDrawing={setDrawing}
                  />
                )
              }
            />
            {!report.own && <KeptBack reveal={reveal} hint={actions.hasKeys ? "V" : undefined} />}
          </Paper>
          {report.resolution && (
            <ResolutionSection report={report} resolution={report.resolution} />
          )}
          <PossibleMatches
            matches={report.possible_matches}
            hasMore={report.has_more_matches}
            hint={actions.hasKeys ? "M" : undefined}
            onCompare={setComparedId}
          />
        </Box>
        <Box sx={{ display: "grid", gap: 1.5, minWidth: 0 }}>
          {isWide && <DecisionPanel actions={actions}>{notices}</DecisionPanel>}
          <ReportAside report={report} noteField={noteField} />
        </Box>
      </Box>
      {!isWide && <DecisionBar actions={actions} />}
      {comparedId !== undefined && (
        <CompareDialog
          report={report}
          matchId={comparedId}
          hasKeys={actions.hasKeys}
          onCompare={setComparedId}
          onDuplicate={
            actions.rejectAs &&
            (() => {
              setComparedId(undefined);
              actions.rejectAs?.(comparedId);
            })
          }
          onClose={() => setComparedId(undefined)}
        />
      )}
      {actions.dialog}
    </>
  );
}

function PrivateText({
  report,
  opened,
  mask,
  actions,
}: {
  readonly report: ShownReport;
  readonly opened: boolean;
  readonly mask: Action;
  readonly actions: Actions;
}) {
  const { texts, facts } = recordFields(report, opened);
  const found = [...texts, ...facts].flatMap(({ value, own }) =>
    own && typeof value === "string" ? markedPlaces(value, own) : [],
  );
  if (found.length === 0) return null;
  const kinds = new Intl.ListFormat("en-US").format([...new Set(found.map(({ label }) => label))]);
  return (
    <Box
      sx={{
        p: 1,
        bgcolor: color.warningTint,
        border: `1px solid ${color.warningLine}`,
        color: color.warning,
      }}
    >
      <Typography sx={{ fontWeight: 600 }}>Private text: {kinds}</Typography>
      <Typography component="div">
        Would be public.
        <Button
          size="small"
          color="warning"
          disabled={actions.busy}
          onClick={mask.run}
          endIcon={actions.hasKeys && mask.key && <KeyHint>{mask.key}</KeyHint>}
        >
          {mask.label}
        </Button>
      </Typography>
    </Box>
  );
}

function DecisionNotices({ report }: { readonly report: AdminReportDetail }) {
  const { status, rejection_reason } = report;
  const { noQuestion, unconfirmed } = reporterWords(report);
  return (
    <>
      {status === "rejected" && rejection_reason && (
        <Box>
          <Typography color="textSecondary">Reason</Typography>
          <Typography sx={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            <MarkedText text={rejection_reason} own={ownNumbers(report)} />
          </Typography>
        </Box>
      )}
      <DeletionRequest report={report} />
      <HeldNotice report={report} />
      {report.asked_until && (
        <Alert severity="info" icon={false}>
          Waiting for the reporter's answer until <Instant at={report.asked_until} />.
        </Alert>
      )}
      {report.answered_at && (
        <Alert severity="info" icon={false}>
          The reporter has answered. The answer is under “Questions for the reporter”.
        </Alert>
      )}
      {noQuestion && <Typography color="textSecondary">{noQuestion}</Typography>}
      {unconfirmed && (
        <Alert severity="warning" icon={false}>
          {unconfirmed}
        </Alert>
      )}
    </>
  );
}

function DeletionRequest({ report }: { readonly report: AdminReportDetail }) {
  const navigate = useNavigate();
  const { id, own, deletion_request: asked } = report;
  if (!asked) return null;
  return (
    <Alert
      severity="warning"
      icon={false}
      // Narrow enough for both buttons beside each other.
      sx={{ px: 1.5, "& .MuiAlert-message": { width: "100%" } }}
    >
      <Box sx={{ mb: own ? 0 : 1 }}>
        {asked.by_name ?? "An admin"} asked to delete this report on <Instant at={asked.at} /> (
        {deletionReasonText(asked.reason_code).toLowerCase()}), after deleting many within an hour.
        Another admin has to approve it.
      </Box>
      {!own && (
        <DeletionSteps
          id={id}
          by={asked.by}
          reasonCode={asked.reason_code}
          isHidden={false}
          onDone={(isHidden) => isHidden && navigate(paths.deletedReports)}
        />
      )}
    </Alert>
  );
}

/** Which DMCA notices keep the report, or pictures of it, from being public, and what can be done. */
function HeldNotice({ report: { holds, own } }: { readonly report: AdminReportDetail }) {
  const ofReport = holds.filter(({ copy_id }) => copy_id === undefined);
  const ofPictures = holds.filter(({ copy_id }) => copy_id !== undefined);
  const last = ofReport.length > 1 ? "the last notice" : "the notice";
  const parts = [
    [
      ofReport,
      `the report from being public. Its status can't change until ${last} is lifted or answered by a counter-notice`,
      " The report can still be edited or deleted.",
    ],
    [
      ofPictures,
      "a published picture hidden. It is shown again once the notice is lifted or answered by a counter-notice",
      "",
    ],
  ] as const;
  return parts.map(
    ([held, what, still]) =>
      held.length > 0 && (
        <Alert key={what} severity="warning" icon={false}>
          <Sources holds={held} /> {held.length > 1 ? "keep" : "keeps"} {what}
          {own ? "." : `. Do that on the notice's page.${still}`}
        </Alert>
      ),
  );
}

/** "DMCA notice N-12345-67890 (since Nov 23, 2026, 10:00:00 AM EST) and ..." */
function Sources({ holds }: { readonly holds: readonly NoticeHold[] }) {
  return holds.map(({ notice_id, number, since, copy_id }, index) => (
    <span key={`${notice_id} ${copy_id}`}>
      {index > 0 && " and "}
      {index === 0 && (holds.length > 1 ? "DMCA notices " : "DMCA notice ")}
      <Link component={RouterLink} to={paths.notice(notice_id)}>
        {number}
      </Link>{" "}
      (since <Instant at={since} />)
    </span>
  ));
}
