import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { NoticeHold } from "#contracts/http/report-view.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { DeletionSteps } from "../commands/DeletionSteps.tsx";
import { paths } from "../config/paths.ts";
import { useShownReport } from "../record/OpenReport.tsx";
import { deletionReasonText } from "../shared/labels.ts";
import { MarkedText } from "../shared/MarkedText.tsx";
import { Instant } from "../shared/parts.tsx";
import { reporterNotes } from "./labels.ts";

/** Facts that matter before the report is decided. */
export function DecisionNotices() {
  const report = useShownReport();
  const { status, rejection_reason, asked_until, answered_at } = report;
  const { noQuestion, unconfirmed } = reporterNotes(report);
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
      <DeletionRequest />
      <HeldNotice />
      {asked_until && (
        <Alert severity="info" icon={false}>
          Waiting for the reporter's answer until <Instant at={asked_until} />.
        </Alert>
      )}
      {answered_at && (
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

function DeletionRequest() {
  const { id, own, deletion_request: asked } = useShownReport();
  const navigate = useNavigate();
  if (!asked) return null;
  return (
    <Alert
      severity="warning"
      icon={false}
      // Narrow enough for both buttons side by side.
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

/** The DMCA notices that keep the report or its pictures from being public, and what can be done. */
function HeldNotice() {
  const { holds, own } = useShownReport();
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

/** E.g. "DMCA notice N-12345-67890 (since Nov 23, 2026, 10:00:00 AM EST) and ...". */
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
