import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { paths } from "../config/paths.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { PartFailed } from "../shared/figures/PartFailed.tsx";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";

const TITLE = "Recent Activity";

export interface RecentActivityProps {
  readonly activity: Dashboard["activity"] | undefined;
  readonly onRetry: () => void;
}

/** The reports that something happened to last. */
export function RecentActivity({ activity, onRetry }: RecentActivityProps) {
  return (
    <Section title={TITLE}>
      {activity === undefined && (
        <Box sx={{ height: 200 }}>
          <Delayed>
            <Skeleton variant="rectangular" height={200} />
          </Delayed>
        </Box>
      )}
      {activity === null && <PartFailed what={TITLE} onRetry={onRetry} />}
      {activity && (
        <Box component="ul" aria-label={TITLE} sx={{ listStyle: "none", m: 0, p: 0 }}>
          {activity.map(({ id, first_name, last_name, status, updated_at, reporter_email }) => (
            <Box
              component="li"
              key={id}
              sx={{
                py: 1,
                display: "flex",
                flexWrap: "wrap",
                columnGap: 2,
                alignItems: "center",
                "& + &": { borderTop: 1, borderColor: "divider" },
              }}
            >
              <Box sx={{ flex: "1 1 200px", minWidth: 0 }}>
                <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1 }}>
                  <Link
                    component={RouterLink}
                    to={paths.report(id)}
                    sx={{ overflowWrap: "anywhere", minWidth: 0 }}
                  >
                    {first_name} {last_name}
                  </Link>
                  <StatusChip status={status} />
                </Box>
                <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
                  {reporter_email ? `Reported by ${reporter_email}` : "The reporter is erased"}
                </Typography>
              </Box>
              <Typography color="textSecondary">
                <Instant at={updated_at} />
              </Typography>
            </Box>
          ))}
        </Box>
      )}
    </Section>
  );
}
