import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link as RouterLink } from "react-router-dom";
import type { Dashboard as Figures } from "#contracts/http/analytics.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FigureCharts } from "../shared/figures/FigureCharts.tsx";
import { RetryAlert } from "../shared/RetryAlert.tsx";
import { Section } from "../shared/Section.tsx";
import { useRead } from "../shared/use-read.ts";
import { DashboardTiles } from "./DashboardTiles.tsx";
import { RecentActivity } from "./RecentActivity.tsx";
import { ReportsByStatus } from "./ReportsByStatus.tsx";
import { Work } from "./Work.tsx";

/** What is to be done, what there is, and the last 30 days. A part that failed says so by itself. */
export default function Dashboard({ actions }: QuickActionsProps) {
  const { data, error, refetch } = useRead<Figures>(["dashboard"], "/dashboard");
  const retry = () => void refetch();
  if (error && !data)
    return (
      <RetryAlert onRetry={retry}>{fetchFailureText("dashboard statistics", error)}</RetryAlert>
    );
  const isEmpty = data?.reports?.total === 0;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Work />
      <DashboardTiles data={data} onRetry={retry} />
      {isEmpty && (
        <Section title="Reports">
          <EmptyNote title="No dashboard data available." />
        </Section>
      )}
      {!isEmpty && (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <ReportsByStatus reports={data?.reports} onRetry={retry} />
          <RecentActivity activity={data?.activity} onRetry={retry} />
        </Box>
      )}
      <QuickActions actions={actions} />
      {!(isEmpty && data?.figures) && <FigureCharts figures={data?.figures} onRetry={retry} />}
    </Box>
  );
}

interface QuickActionsProps {
  readonly actions: readonly { readonly path: string; readonly link: string }[];
}

/** Links to other sections. */
function QuickActions({ actions }: QuickActionsProps) {
  return (
    <Section title="Quick Actions">
      <Box
        component="ul"
        aria-label="Quick Actions"
        sx={{ listStyle: "none", m: 0, p: 0, display: "flex", flexWrap: "wrap", gap: 1 }}
      >
        {actions.map(({ path, link }) => (
          <li key={path}>
            <Button component={RouterLink} to={path} variant="outlined" sx={{ px: 1.25 }}>
              {link}
            </Button>
          </li>
        ))}
      </Box>
    </Section>
  );
}
