import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { Instant } from "../../shared/Instant.tsx";
import { KeyHint } from "../../shared/KeyHint.tsx";
import { StatusChip } from "../../shared/StatusChip.tsx";
import { personName } from "../record/person-name.ts";
import { namesText, sharedText, strengthOf } from "./match-words.ts";

/** How many stand on the page before all are asked for. */
const FIRST = 3;

export interface PossibleMatchesProps {
  readonly matches: AdminReportDetail["possible_matches"];
  /** Whether there are more matches than are listed. */
  readonly hasMore: boolean;
  /** The key that compares the first one, where one does. */
  readonly hint: string | undefined;
  readonly onCompare: (id: string) => void;
}

/** Other reports that may be about the same person, the strongest first: what agrees, and what differs. */
export function PossibleMatches({ matches, hasMore, hint, onCompare }: PossibleMatchesProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Paper
      component="section"
      aria-labelledby="possible-matches"
      sx={{ px: 2, py: 1.5, border: 1, borderColor: "divider" }}
    >
      <Typography id="possible-matches" component="h2" variant="h3" sx={{ mb: 0.5 }}>
        Possible matches{matches.length > 0 && ` (${hasMore ? "more than " : ""}${matches.length})`}
      </Typography>
      {matches.length === 0 && (
        <Typography color="textSecondary">
          No other report shares an email, phone, card, bank account or address.
        </Typography>
      )}
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: "none",
          display: "grid",
          gap: 1,
          gridTemplateColumns: { xs: "1fr", sm: "repeat(3, minmax(0, 1fr))" },
        }}
      >
        {matches.slice(0, isWhole ? matches.length : FIRST).map((match, index) => (
          <Box
            key={match.id}
            component="li"
            sx={{
              p: 1,
              border: `1px solid ${color.line}`,
              borderRadius: `${radius.small}px`,
              overflowWrap: "anywhere",
            }}
          >
            <Typography sx={{ fontWeight: 600 }}>{personName(match)}</Typography>
            <Typography noWrap title={match.title}>
              {match.title}
            </Typography>
            <LinearProgress
              variant="determinate"
              value={Math.round(100 * strengthOf(match))}
              aria-label={`Strength of ${reportNumber(match.id)}`}
              sx={{ my: 0.75, height: 4, borderRadius: 2, bgcolor: color.line }}
            />
            <Typography component="span" sx={{ color: color.settled }}>
              Same {sharedText(match.shares)}
            </Typography>
            {match.differs.length > 0 && (
              <Typography component="span" sx={{ color: color.warning }}>
                {" · "}different {sharedText(match.differs)}
              </Typography>
            )}
            <Typography color="textSecondary">{namesText(match)}</Typography>
            <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1 }}>
              <StatusChip status={match.status} />
              <Typography color="textSecondary" component="span">
                <Instant at={match.created_at} as="day" />
              </Typography>
            </Box>
            <Button
              size="small"
              onClick={() => onCompare(match.id)}
              endIcon={index === 0 && hint && <KeyHint>{hint}</KeyHint>}
              sx={{ px: 1, mx: -1, minHeight: { xs: 44, md: 32 } }}
            >
              Compare with {reportNumber(match.id)}
            </Button>
          </Box>
        ))}
      </Box>
      {!isWhole && matches.length > FIRST && (
        <Button onClick={() => setWhole(true)}>Show all {matches.length}</Button>
      )}
    </Paper>
  );
}
