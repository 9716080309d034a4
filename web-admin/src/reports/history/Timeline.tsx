import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useMemo } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import { color } from "#theme/color.ts";
import type { ReportHistory } from "../../data/console-data-provider.ts";
import { Instant } from "../../shared/Instant.tsx";
import { type HistoryLine, historyDays, type Sentence } from "../record/history-sentences.ts";

/** The history by day, newest first. */
export function Timeline({ history }: { readonly history: ReportHistory }) {
  const days = useMemo(() => historyDays(history), [history]);
  return days.map((day) => (
    <Box key={day.label} component="section" aria-label={day.label} sx={{ mb: 3 }}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {day.label}
      </Typography>
      <Paper
        component="ol"
        sx={{ m: 0, p: 0, listStyle: "none", border: 1, borderColor: "divider" }}
      >
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
        gridTemplateColumns: { xs: "1fr", sm: "88px minmax(0, 1fr) auto" },
        columnGap: 2,
        px: 2,
        py: 1.25,
        "& + &": { borderTop: `1px solid ${color.line}` },
      }}
    >
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
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
          As it stood
        </Link>
      )}
    </Box>
  );
}

function SentenceText({ sentence: { text, before, after } }: { readonly sentence: Sentence }) {
  return (
    <Box>
      <Typography sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{text}</Typography>
      {before !== undefined && (
        <Quoted label={after === undefined ? "Was" : "From"} text={before} />
      )}
      {after !== undefined && <Quoted label={before === undefined ? "" : "To"} text={after} />}
    </Box>
  );
}

function Quoted({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Box
      component="blockquote"
      sx={{
        m: 0,
        my: 0.5,
        pl: 1.5,
        borderLeft: `2px solid ${color.lineStrong}`,
        whiteSpace: "pre-wrap",
        overflowWrap: "anywhere",
      }}
    >
      {label && (
        <Box component="span" sx={{ color: "text.secondary" }}>
          {label}:{" "}
        </Box>
      )}
      {text}
    </Box>
  );
}

/** What an auditor compares with the log: revision, event and hash. */
function Proof({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <Box
      component="details"
      sx={{ color: "text.secondary", "& summary": { cursor: "pointer", width: "fit-content" } }}
    >
      <summary>Proof</summary>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          gridTemplateColumns: "80px minmax(0, 1fr)",
          "& dd": { m: 0, overflowWrap: "anywhere", fontVariantNumeric: "tabular-nums" },
        }}
      >
        <dt>Revision</dt>
        <dd>{entry.revision}</dd>
        <dt>Event</dt>
        <dd>{entry.id}</dd>
        <dt>Position</dt>
        <dd>{entry.position}</dd>
        <dt>Hash</dt>
        <dd>{entry.hash}</dd>
      </Box>
    </Box>
  );
}
