import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { color } from "#theme/color.ts";
import { Instant } from "../../shared/Instant.tsx";
import { MarkedText } from "../../shared/MarkedText.tsx";
import { Section } from "../../shared/Section.tsx";
import { questionOutcome } from "./question-words.ts";

/** The longest answer, in one line or in thousands, stays inside its panel. */
const text = {
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  maxHeight: 320,
  overflowY: "auto",
} as const;

/** What moderators asked the reporter, newest first, and the answers. */
export function ReporterQuestions({ report }: { readonly report: AdminReportDetail }) {
  const { questions } = report;
  if (questions.length === 0) return null;
  const own = ownNumbers(report);
  return (
    <Section title="Questions to the reporter" anchor="questions">
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {questions.toReversed().map((each) => (
          <Box
            key={each.asked_at}
            component="li"
            sx={{
              py: 1,
              borderTop: `1px solid ${color.line}`,
              "&:first-of-type": { borderTop: 0 },
            }}
          >
            <Typography color="textSecondary">
              Asked <Instant at={each.asked_at} />. {questionOutcome(each)}
            </Typography>
            <Typography tabIndex={0} sx={text}>
              {each.question ? (
                <MarkedText text={each.question} own={own} />
              ) : (
                "The question is erased."
              )}
            </Typography>
            {each.state === "answered" && (
              <Box sx={{ mt: 1, pl: 2, borderLeft: `4px solid ${color.line}` }}>
                <Typography color="textSecondary">The reporter's answer</Typography>
                <Typography tabIndex={0} sx={text}>
                  {each.answer ? (
                    <MarkedText text={each.answer} own={own} />
                  ) : (
                    "The answer is erased."
                  )}
                </Typography>
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
}
