import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { counted } from "../../shared/formats.ts";
import { Instant } from "../../shared/Instant.tsx";
import { MarkedText } from "../../shared/MarkedText.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { DeletionRequest } from "./DeletionRequest.tsx";
import { HeldNotice } from "./HeldNotice.tsx";
import { MATCHES_ANCHOR } from "./PossibleMatches.tsx";
import { reporterWords, verifiedWords } from "./status-words.ts";

/** The report's status, and what to know before a decision. */
export function StatusLine({ report }: { readonly report: AdminReportDetail }) {
  const { status, rejection_reason, possible_matches, has_more_matches } = report;
  const { noQuestion, unconfirmed } = reporterWords(report);
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", columnGap: 1, alignItems: "center", flexWrap: "wrap" }}>
        <StatusChip status={status} />
        <Typography component="span" color="textSecondary">
          {verifiedWords(report)}
        </Typography>
        {possible_matches.length > 0 && (
          <Link href={`#${MATCHES_ANCHOR}`}>
            {has_more_matches && "More than "}
            {counted(possible_matches.length, "possible match", "possible matches")}
          </Link>
        )}
      </Box>
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
          Waits for the reporter's answer until <Instant at={report.asked_until} />.
        </Alert>
      )}
      {noQuestion && <Typography color="textSecondary">{noQuestion}</Typography>}
      {report.answered_at && (
        <Alert severity="info" icon={false}>
          The reporter has answered. The answer is under “Questions to the reporter”.
        </Alert>
      )}
      {unconfirmed && (
        <Alert severity="warning" icon={false}>
          {unconfirmed}
        </Alert>
      )}
    </Box>
  );
}
