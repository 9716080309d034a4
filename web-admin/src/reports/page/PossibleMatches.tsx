import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { color } from "#theme/tokens.ts";
import { paths } from "../../app/paths.ts";
import { formatDay } from "../../shared/formats.ts";
import { Section } from "../../shared/Section.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../person-name.ts";

/** Where on the page they stand. */
export const MATCHES_ANCHOR = "possible-matches";

export interface PossibleMatchesProps {
  readonly matches: AdminReportDetail["possible_matches"];
}

/** Other reports that may name the same person, with what they share. */
export function PossibleMatches({ matches }: PossibleMatchesProps) {
  return (
    <Section title="Possible matches" anchor={MATCHES_ANCHOR}>
      {matches.length === 0 ? (
        <Typography color="textSecondary">
          No other report shares this name and an email, phone, card, bank account or address.
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
                <Link component={RouterLink} to={paths.report(match.id)} sx={{ fontWeight: 600 }}>
                  {personName(match)}
                </Link>
                <StatusChip status={match.status} />
                <Typography color="textSecondary" component="span">
                  {formatDay(match.created_at)}
                </Typography>
              </Box>
              <Typography sx={{ overflowWrap: "anywhere" }}>{match.title}</Typography>
              <Typography color="textSecondary">
                Same name, and the same {sharedText(match.shares)}
              </Typography>
            </Box>
          ))}
        </Box>
      )}
    </Section>
  );
}

/** "email, phone and card". */
function sharedText(shares: readonly string[]): string {
  const words = shares.map((share) => share.replace("e-mail", "email"));
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(words);
}
