import Box from "@mui/material/Box";
import { keepPreviousData } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import type { Analytics as Figures } from "#contracts/http/analytics.ts";
import { DEFAULT_PERIOD, PERIOD_NAMES, type PeriodName } from "#contracts/report/periods.ts";
import { fetchFailureText } from "../data/api-error.ts";
import { FigureCharts } from "../shared/figures/FigureCharts.tsx";
import { RetryAlert } from "../shared/RetryAlert.tsx";
import { useRead } from "../shared/use-read.ts";
import { AnalyticsBar } from "./AnalyticsBar.tsx";
import { AnalyticsTiles } from "./AnalyticsTiles.tsx";
import { TopOffenders, TopReporters } from "./TopTables.tsx";

/** Figures of a period. The period is in the address, so that it can be linked. */
export function Analytics() {
  const [params, setParams] = useSearchParams();
  const asked = params.get("period");
  const period: PeriodName = PERIOD_NAMES.find((name) => name === asked) ?? DEFAULT_PERIOD;
  const { data, error, isFetching, isPlaceholderData, refetch } = useRead<Figures>(
    ["analytics", period],
    `/analytics?period=${period}`,
    { placeholderData: keepPreviousData },
  );
  const retry = () => void refetch();
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <AnalyticsBar
        period={period}
        onPeriod={(name) => setParams({ period: name }, { replace: true })}
        data={isPlaceholderData || error ? undefined : data}
        isLoading={isFetching}
        onRefresh={retry}
      />
      {error && <RetryAlert onRetry={retry}>{fetchFailureText("analytics", error)}</RetryAlert>}
      {!(error && (isPlaceholderData || !data)) && (
        <>
          <AnalyticsTiles figures={data?.figures} onRetry={retry} />
          <FigureCharts figures={data?.figures} onRetry={retry} />
          <Box
            sx={{
              display: "grid",
              gap: 2,
              alignItems: "start",
              gridTemplateColumns: { xs: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <TopReporters reporters={data?.top_reporters} onRetry={retry} />
            <TopOffenders offenders={data?.top_offenders} onRetry={retry} />
          </Box>
        </>
      )}
    </Box>
  );
}
