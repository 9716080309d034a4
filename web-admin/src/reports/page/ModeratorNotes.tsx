import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { color } from "#theme/color.ts";
import { Instant } from "../../shared/Instant.tsx";
import { MarkedText } from "../../shared/MarkedText.tsx";
import { Section } from "../../shared/Section.tsx";

/** What moderators wrote for each other, newest first. */
export function ModeratorNotes({ report }: { readonly report: AdminReportDetail }) {
  const { moderator_notes: notes } = report;
  if (notes.length === 0) return null;
  const own = ownNumbers(report);
  return (
    <Section title="Notes among moderators" anchor="notes">
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
        {notes.toReversed().map(({ note, at, by }) => (
          <Box
            key={`${at} ${by}`}
            component="li"
            sx={{
              py: 1,
              borderTop: `1px solid ${color.line}`,
              "&:first-of-type": { borderTop: 0 },
            }}
          >
            <Typography color="textSecondary">
              {by ?? "A former moderator"}, <Instant at={at} />
            </Typography>
            <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              <MarkedText text={note} own={own} />
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
