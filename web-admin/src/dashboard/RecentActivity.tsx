import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { paths } from "../config/paths.ts";
import { Part } from "../shared/figures/Part.tsx";
import { Instant } from "../shared/Instant.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";

const TITLE = "Recent Activity";

/** The reports that something happened to last. */
export function RecentActivity(props: {
  readonly activity: Dashboard["activity"] | undefined;
  readonly onRetry: () => void;
}) {
  return (
    <Part title={TITLE} data={props.activity} onRetry={props.onRetry}>
      {(activity) => (
        <Box component="ul" aria-label={TITLE} sx={{ listStyle: "none", m: 0, p: 0 }}>
          {activity.map(({ id, first_name, last_name, status, updated_at, reporter_email }) => (
            <Box
              component="li"
              key={id}
              sx={{
                minHeight: 40,
                py: 0.5,
                display: "grid",
                gridTemplateColumns: {
                  xs: "minmax(0, 1fr) max-content",
                  sm: "minmax(0, 2fr) minmax(0, 1fr) max-content",
                },
                columnGap: 2,
                alignItems: "center",
                "& + &": { borderTop: 1, borderColor: "divider" },
              }}
            >
              <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1, alignItems: "center" }}>
                <Link
                  component={RouterLink}
                  to={paths.report(id)}
                  sx={{ overflowWrap: "anywhere", minWidth: 0 }}
                >
                  {first_name} {last_name}
                </Link>
                <StatusChip status={status} />
              </Box>
              <Typography
                color="textSecondary"
                sx={{ overflowWrap: "anywhere", gridRow: { xs: 2, sm: "auto" } }}
              >
                {reporter_email ?? "Reporter erased"}
              </Typography>
              <Typography color="textSecondary">
                <Instant at={updated_at} as="ago" />
              </Typography>
            </Box>
          ))}
        </Box>
      )}
    </Part>
  );
}
