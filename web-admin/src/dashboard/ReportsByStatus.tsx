import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import { Link as RouterLink } from "react-router-dom";
import type { Dashboard } from "#contracts/http/analytics.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { FigureTable } from "../shared/figures/FigureTable.tsx";
import { formatTotals } from "../shared/figures/figure-words.ts";
import { PartFailed } from "../shared/figures/PartFailed.tsx";
import { formatCount } from "../shared/formats.ts";
import { valueText } from "../shared/labels.ts";
import { Section } from "../shared/Section.tsx";
import { reportsOf } from "./DashboardTiles.tsx";

const TITLE = "Reports by Status";

export interface ReportsByStatusProps {
  readonly reports: Dashboard["reports"] | undefined;
  readonly onRetry: () => void;
}

/** How many reports there are of each status, and what they say is owed. */
export function ReportsByStatus({ reports, onRetry }: ReportsByStatusProps) {
  return (
    <Section title={TITLE}>
      {reports === undefined && (
        <Box sx={{ height: 200 }}>
          <Delayed>
            <Skeleton variant="rectangular" height={200} />
          </Delayed>
        </Box>
      )}
      {reports === null && <PartFailed what={TITLE} onRetry={onRetry} />}
      {reports && (
        <FigureTable
          label={TITLE}
          columns={["Status", "Reports", "Owed"]}
          rows={reports.statuses.map(({ status, reports: count, totals }) => ({
            key: status,
            cells: [
              <Link
                key="status"
                component={RouterLink}
                to={reportsOf(status)}
                sx={{ whiteSpace: "nowrap" }}
              >
                {valueText("status", status)}
              </Link>,
              formatCount(count),
              formatTotals(totals),
            ],
          }))}
        />
      )}
    </Section>
  );
}
