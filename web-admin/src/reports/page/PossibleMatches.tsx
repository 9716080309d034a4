import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { color } from "#theme/color.ts";
import { paths } from "../../config/paths.ts";
import { Instant } from "../../shared/Instant.tsx";
import { Section } from "../../shared/Section.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../record/person-name.ts";
import { namesText, sharedText } from "./match-words.ts";

/** Fragment of their section on the page. */
export const MATCHES_ANCHOR = "possible-matches";

export interface PossibleMatchesProps {
  readonly matches: AdminReportDetail["possible_matches"];
  /** Whether there are more matches than are listed. */
  readonly hasMore: boolean;
}

/** Other reports that may be about the same person: what they share, and how the names differ. */
export function PossibleMatches({ matches, hasMore }: PossibleMatchesProps) {
  return (
    <Section title="Possible matches" anchor={MATCHES_ANCHOR}>
      {matches.length === 0 ? (
        <Typography color="textSecondary">
          No other report shares an email, phone, card, bank account or address.
        </Typography>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
          {matches.map((match) => (
            <Box
              key={match.id}
              component="li"
              sx={{
                py: 1,
                borderTop: `1px solid ${color.line}`,
                "&:first-of-type": { borderTop: 0 },
              }}
            >
              <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
                <Link
                  component={RouterLink}
                  to={paths.report(match.id)}
                  sx={{ fontWeight: 600, overflowWrap: "anywhere" }}
                >
                  {personName(match)}
                </Link>
                <StatusChip status={match.status} />
                <Typography color="textSecondary" component="span">
                  <Instant at={match.created_at} as="day" />
                </Typography>
              </Box>
              <Typography sx={{ overflowWrap: "anywhere" }}>{match.title}</Typography>
              <Typography>Same {sharedText(match.shares)}</Typography>
              <Typography color="textSecondary">{namesText(match)}</Typography>
            </Box>
          ))}
        </Box>
      )}
      {hasMore && (
        <Typography color="textSecondary" sx={{ pt: 1, borderTop: `1px solid ${color.line}` }}>
          And more: the {matches.length} closest are shown.
        </Typography>
      )}
    </Section>
  );
}
