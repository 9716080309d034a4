import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useCanAccess } from "react-admin";
import { Link as RouterLink, useParams, useSearchParams } from "react-router-dom";
import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import type { ReportHistory as History } from "../data/console-data-provider.ts";
import {
  type HistoryLine,
  historyDays,
  nameInHistory,
  type Sentence,
} from "../record/history-sentences.ts";
import { historyQuery, RecordSkeleton, ReportLoadError } from "../record/OpenReport.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { PageHeading } from "../shared/page.tsx";
import { CopyNumber, Instant } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";
import { blockingError } from "../shared/states.tsx";
import { ReportVersion } from "./ReportVersion.tsx";

/** Everything that happened to a report. With `?at=<revision>`, the report as of that revision. */
export function ReportHistory() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const at = revisionIn(query.get("at"));
  const against = at === undefined ? undefined : revisionIn(query.get("against"));
  const provider = useProvider();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...historyQuery(provider, id, at, against),
    placeholderData: keepPreviousData,
  });
  const failure = blockingError(isPlaceholderData ? undefined : data, error);
  if (failure) return <ReportLoadError error={failure} onRetry={() => void refetch()} />;
  if (!data) return <RecordSkeleton />;
  return <OpenHistory history={data.data} at={at} against={against} />;
}

function OpenHistory({
  history,
  at,
  against,
}: { readonly history: History } & Partial<Record<"at" | "against", number | undefined>>) {
  const { report_id: id, erased } = history;
  const { canAccess: mayOpen } = useCanAccess({ resource: "reports", action: "show" });
  const name = nameInHistory(history.events) || "a deleted report";
  return (
    <Box sx={{ maxWidth: 880 }}>
      <Box sx={{ display: "flex", gap: 2, flexWrap: "wrap", alignItems: "center", mb: 2 }}>
        <Box sx={{ flex: 1, minWidth: 200 }}>
          <PageHeading title={`History of ${name}`}>History of {name}</PageHeading>
          <Typography component="div" color="textSecondary">
            <CopyNumber id={id} />
            {history.events.some(({ origin }) => origin === "sample") && " Sample data"}
          </Typography>
        </Box>
        {mayOpen && !erased && (
          <Button variant="outlined" component={RouterLink} to={paths.report(id)}>
            Open the report
          </Button>
        )}
      </Box>
      {erased && (
        <Alert severity="info" sx={{ mb: 2 }}>
          This report was deleted. Its names and texts were destroyed and don't appear below. The
          history still shows who did what and when.
        </Alert>
      )}
      {at === undefined ? (
        <Timeline history={history} />
      ) : (
        <ReportVersion history={history} at={at} against={against} />
      )}
    </Box>
  );
}

function revisionIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function Timeline({ history }: { readonly history: History }) {
  const days = useMemo(() => historyDays(history), [history]);
  return days.map((day) => (
    <Box key={day.label} component="section" aria-label={day.label} sx={{ mb: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {day.label}
      </Typography>
      <Paper component="ol" sx={{ border: 1, borderColor: "divider" }}>
        {day.lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </Paper>
    </Box>
  ));
}

function Line({ line }: { readonly line: HistoryLine }) {
  const { entry } = line;
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "112px minmax(0, 1fr) auto" },
        columnGap: 2,
        px: 2,
        py: 1.25,
        "& + &": { borderTop: `1px solid ${color.line}` },
      }}
    >
      <Typography color="textSecondary">
        <Instant at={line.at} as="clock" />
      </Typography>
      <Box sx={{ minWidth: 0 }}>
        {line.sentences.map((sentence) => (
          <SentenceText key={sentence.text} sentence={sentence} />
        ))}
        <Typography color="textSecondary">{line.from}</Typography>
        {entry && <Proof entry={entry} />}
      </Box>
      {entry && (
        <Link
          component={RouterLink}
          to={`?at=${entry.revision}`}
          sx={{ whiteSpace: "nowrap", py: { xs: 1.5, sm: 0 }, justifySelf: "start" }}
        >
          View version
        </Link>
      )}
    </Box>
  );
}

function SentenceText({ sentence: { text, before, after } }: { readonly sentence: Sentence }) {
  const quoted = [
    [after === undefined ? "Was: " : "From: ", before],
    [before === undefined ? "" : "To: ", after],
  ] as const;
  return (
    <Box>
      <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{text}</Typography>
      {quoted.map(
        ([label, words]) =>
          words !== undefined && (
            <Box key={label} component="blockquote" sx={QUOTED}>
              <Box component="span" sx={{ color: "text.secondary" }}>
                {label}
              </Box>
              {words}
            </Box>
          ),
      )}
    </Box>
  );
}

const QUOTED = {
  m: 0,
  my: 0.5,
  pl: 1.5,
  borderLeft: `2px solid ${color.lineStrong}`,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
} as const;

/** Data for an auditor to compare with the log. */
function Proof({ entry }: { readonly entry: HistoryEntry }) {
  const { revision, id, position, hash } = entry;
  const proof = { Revision: revision, Event: id, Position: position, Hash: hash };
  return (
    <Box
      component="details"
      sx={{ color: "text.secondary", "& summary": { cursor: "pointer", width: "fit-content" } }}
    >
      <summary>Audit data</summary>
      <FieldList fields={Object.entries(proof).map(([label, value]) => ({ label, value }))} />
    </Box>
  );
}
