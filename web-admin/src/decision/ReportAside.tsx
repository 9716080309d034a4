import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import type { RefObject } from "react";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { NOTE_CHARS } from "#contracts/report/reporter-rules.ts";
import { color } from "#theme/color.ts";
import { NOTE } from "../commands/report-commands.ts";
import { useCommand } from "../commands/use-command.ts";
import { paths } from "../config/paths.ts";
import { historyDays } from "../record/history-sentences.ts";
import { historyQuery, useShownReport } from "../record/OpenReport.tsx";
import { sendByKey, useDraft } from "../shared/AskDialog.tsx";
import { formatInstant } from "../shared/formats.ts";
import { MarkedText } from "../shared/MarkedText.tsx";
import { Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";

const LAST_EVENTS = 5;

/** Keeps long text, in one line or in thousands, inside its panel. */
const text = {
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  maxHeight: 160,
  overflowY: "auto",
} as const;

interface AsideProps {
  readonly noteField: RefObject<HTMLTextAreaElement | null>;
}

/** Questions, notes and the latest events of the report. */
export function ReportAside(props: AsideProps) {
  return (
    <>
      <Questions />
      <Notes {...props} />
      <LastEvents />
    </>
  );
}

function Questions() {
  const report = useShownReport();
  const { questions } = report;
  if (questions.length === 0) return null;
  const own = ownNumbers(report);
  const said = (words: string | undefined, otherwise: string) => (
    <Typography tabIndex={0} sx={text}>
      {words ? <MarkedText text={words} own={own} /> : otherwise}
    </Typography>
  );
  return (
    <Section isDense title="Questions for the reporter">
      {questions.toReversed().map((each) => (
        <Box key={each.asked_at}>
          <Typography color="textSecondary">
            Asked <Instant at={each.asked_at} />. {questionOutcome(each)}
          </Typography>
          {said(each.question, "The question is erased.")}
          {each.state === "answered" && (
            <Box sx={{ mt: 1, pl: 1.5, borderLeft: `4px solid ${color.line}` }}>
              <Typography color="textSecondary">The reporter's answer</Typography>
              {said(each.answer, "The answer is erased.")}
            </Box>
          )}
        </Box>
      ))}
    </Section>
  );
}

function Notes({ noteField: field }: AsideProps) {
  const report = useShownReport();
  const { id, moderator_notes: notes, own: isOwn } = report;
  const own = ownNumbers(report);
  const sender = useCommand(id);
  const [note, setNote] = useDraft(`${id} note`);
  const save = async () => {
    if (!note.trim() || sender.running || !(await sender.run(NOTE, { note: note.trim() }))) return;
    // Keep what was typed in the meantime.
    if (field.current && field.current.value !== note) return;
    setNote("");
  };
  if (isOwn && notes.length === 0) return null;
  return (
    <Section isDense title="Moderator notes">
      {!isOwn && (
        <Box
          component="form"
          sx={{ display: "grid", gap: 1, justifyItems: "start" }}
          onKeyDown={sendByKey}
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField
            fullWidth
            multiline
            maxRows={6}
            inputRef={field}
            placeholder="Add a note… Ctrl+Enter saves"
            value={note}
            onChange={(event) => setNote(event.target.value)}
            // Keeps the text, and lets shortcuts work again.
            onKeyDown={({ key }) => key === "Escape" && field.current?.blur()}
            slotProps={{
              htmlInput: { maxLength: NOTE_CHARS, "aria-label": "Note for moderators" },
            }}
          />
          {note && (
            <Button type="submit" variant="outlined" loading={sender.running !== undefined}>
              Save note
            </Button>
          )}
          {sender.failure && <Alert severity="error">{sender.failure}</Alert>}
        </Box>
      )}
      {notes.toReversed().map(({ note: said, at, by }) => (
        <Box key={`${at} ${by}`}>
          <Typography tabIndex={0} sx={text}>
            <MarkedText text={said} own={own} />
          </Typography>
          <Typography color="textSecondary">
            {by ?? "A former moderator"}, <Instant at={at} />
          </Typography>
        </Box>
      ))}
    </Section>
  );
}

function LastEvents() {
  const { id } = useShownReport();
  const provider = useProvider();
  const { data } = useQuery(historyQuery(provider, id));
  const lines = data ? historyDays(data.data).flatMap((day) => day.lines) : [];
  return (
    <Section
      isDense
      title="History"
      action={
        <Link component={RouterLink} to={paths.reportHistory(id)}>
          Full history
        </Link>
      }
    >
      <Box component="ol" sx={{ display: "grid", gap: 0.5 }}>
        {lines.slice(0, LAST_EVENTS).map(({ id: event, at, sentences }) => (
          <Box component="li" key={event} sx={{ overflowWrap: "anywhere" }}>
            {sentences[0]?.text}
            {sentences.length > 1 && ` and ${sentences.length - 1} more`}{" "}
            <Typography component="span" color="textSecondary">
              <Instant at={at} as="day" />
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}

type Question = AdminReportDetail["questions"][number];

function questionOutcome({ state, ended_at, expires_at }: Question): string {
  const at = ended_at ? ` ${formatInstant(ended_at)}` : "";
  switch (state) {
    case "open":
      return Date.parse(expires_at) > Date.now()
        ? `Waiting for an answer until ${formatInstant(expires_at)}.`
        : `No answer by ${formatInstant(expires_at)}.`;
    case "answered":
      return `Answered${at}.`;
    case "withdrawn":
      return `Withdrawn${at}.`;
    case "closed":
      return `Closed without an answer${at}.`;
  }
}
