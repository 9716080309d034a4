import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Paper from "@mui/material/Paper";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { keepPreviousData } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { useSearchParams } from "react-router-dom";
import type { Analytics as Figures } from "#contracts/http/analytics.ts";
import {
  DEFAULT_PERIOD,
  PERIOD_NAMES,
  PERIODS,
  type PeriodName,
} from "#contracts/report/periods.ts";
import { fetchFailureText, messageOf } from "../data/api-error.ts";
import { formatCount } from "../shared/formats.ts";
import { useProvider, useRead } from "../shared/reads.ts";
import { saveFile } from "../shared/save-file.ts";
import { Loading, RetryAlert } from "../shared/states.tsx";
import { StatsCharts } from "../shared/stats/StatsCharts.tsx";
import { Part, StatsTable, type StatsTableProps, Tile, Tiles } from "../shared/stats/stats.tsx";
import {
  comparedWith,
  daysOf,
  formatSpan,
  formatTotals,
  formatWait,
  type Total,
} from "../shared/stats/stats-labels.ts";
import { useAnchor } from "../shared/use-anchor.ts";
import { csvOf, exportName, jsonOf } from "./export-stats.ts";

/** Analytics for a period. The period is in the URL, so it can be linked. */
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
          <StatsCharts figures={data?.figures} onRetry={retry} />
          <Box
            sx={{
              display: "grid",
              gap: 2,
              alignItems: "start",
              gridTemplateColumns: { xs: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <TopTable
              title="Top Reporters"
              note="Confirmed or approved reports, grouped by account or email address."
              columns={["Reporter", "Reports", "Approved", "Owed"]}
              top={data?.top_reporters}
              rowOf={reporterRow}
              onRetry={retry}
            />
            <TopTable
              title="Top Offenders"
              note="People with two or more approved reports. Reported, not independently verified."
              columns={["Name", "Reports", "All time", "Owed"]}
              top={data?.top_offenders}
              rowOf={offenderRow}
              onRetry={retry}
            />
          </Box>
        </>
      )}
    </Box>
  );
}

interface AnalyticsBarProps {
  readonly period: PeriodName;
  readonly onPeriod: (period: PeriodName) => void;
  /** What an export contains: what the screen shows. Undefined while there is nothing to export. */
  readonly data: Figures | undefined;
  readonly isLoading: boolean;
  readonly onRefresh: () => void;
}

function AnalyticsBar(props: AnalyticsBarProps) {
  const { period, onPeriod, data, isLoading, onRefresh } = props;
  const provider = useProvider();
  const notify = useNotify();
  const menu = useAnchor("menu");
  const save = async (format: "csv" | "json") => {
    menu.close();
    if (!data) return;
    try {
      // Nothing is saved unless the export is logged first.
      await provider.recordExport({ list: "analytics", filter: { period: data.period } }, format);
    } catch (error) {
      notify(`Nothing was exported: ${messageOf(error, "Unknown error occurred")}`, {
        type: "error",
      });
      return;
    }
    const text = format === "csv" ? csvOf(data) : jsonOf(data);
    saveFile(new Blob([text]), exportName(data, format));
  };
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Box sx={{ p: 2, display: "flex", flexWrap: "wrap", gap: 2, alignItems: "end" }}>
        <TextField
          select
          label="Period"
          value={period}
          onChange={(event) => onPeriod(event.target.value as PeriodName)}
          sx={{ width: 180 }}
        >
          {PERIOD_NAMES.map((name) => (
            <MenuItem key={name} value={name}>
              {PERIODS[name].label}
            </MenuItem>
          ))}
        </TextField>
        <Box sx={{ flex: "1 1 200px", color: "text.secondary", py: 1.25 }}>
          {data?.figures ? `${formatSpan(data.figures.total)}, days in UTC` : "Days in UTC"}
        </Box>
        <Button variant="outlined" onClick={onRefresh} disabled={isLoading}>
          Refresh
        </Button>
        <Button variant="outlined" disabled={!data} {...menu.button}>
          Export
        </Button>
        <Menu {...menu.below}>
          <MenuItem onClick={() => void save("csv")}>As CSV, for spreadsheets</MenuItem>
          <MenuItem onClick={() => void save("json")}>As JSON, for programs</MenuItem>
        </Menu>
      </Box>
      <Box sx={{ height: 4 }}>{isLoading && <Loading what="analytics" />}</Box>
    </Paper>
  );
}

interface AnalyticsTilesProps {
  /** Null if they couldn't be read, undefined while loading. */
  readonly figures: Figures["figures"] | undefined;
  readonly onRetry: () => void;
}

function Sums({ totals }: { readonly totals: readonly Total[] }) {
  if (totals.length === 0) return "None";
  return totals.map((total) => (
    <Box key={total.currency} component="span" sx={{ display: "block" }}>
      {formatTotals([total])}
    </Box>
  ));
}

function AnalyticsTiles({ figures, onRetry }: AnalyticsTilesProps) {
  const count = (name: "submitted" | "approved" | "rejected") =>
    figures && {
      value: formatCount(figures.total[name]),
      note: comparedWith(figures.total[name], figures.previous[name], daysOf(figures.previous)),
    };
  const wait = (name: "median_minutes" | "p95_minutes") =>
    figures && {
      value: formatWait(figures.total[name]),
      note: `${formatWait(figures.previous[name])} in the previous ${formatCount(daysOf(figures.previous))} days`,
    };
  const shown = [
    ["Submitted", count("submitted")],
    ["Approved", count("approved")],
    ["Rejected", count("rejected")],
    ["Median time to a decision", wait("median_minutes")],
    ["95th percentile time", wait("p95_minutes")],
  ] as const;
  return (
    <Tiles label="Totals for the period" columns={3}>
      {shown.map(([label, figure]) => (
        <Tile
          key={label}
          label={label}
          value={figure?.value}
          note={figure?.note}
          onRetry={onRetry}
        />
      ))}
      <Tile
        label="Owed (approved reports)"
        isList
        value={figures && <Sums totals={figures.total.approved_totals} />}
        note={figures && `${formatTotals(figures.previous.approved_totals)} previously`}
        onRetry={onRetry}
      />
    </Tiles>
  );
}

function TopTable<Each>(props: {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  /** Null if they couldn't be read, undefined while loading. */
  readonly top: readonly Each[] | null | undefined;
  readonly rowOf: (each: Each, n: number) => StatsTableProps["rows"][number];
  readonly onRetry: () => void;
}) {
  const { title, note, columns, top, rowOf, onRetry } = props;
  return (
    <Part title={title} data={top} onRetry={onRetry}>
      {(found) => (
        <>
          <Typography color="textSecondary" sx={{ mb: 1 }}>
            {note}
          </Typography>
          {found.length === 0 && <Typography>No one in this period.</Typography>}
          {found.length > 0 && (
            <StatsTable label={title} columns={columns} rows={found.map(rowOf)} />
          )}
        </>
      )}
    </Part>
  );
}

type Top<List extends "top_reporters" | "top_offenders"> = NonNullable<Figures[List]>[number];

function reporterRow(
  { name, account_id, reports, approved, totals }: Top<"top_reporters">,
  i: number,
) {
  return {
    key: account_id ?? `${name} ${i}`,
    cells: [name ?? "Unknown", formatCount(reports), formatCount(approved), formatTotals(totals)],
  };
}

function offenderRow(offender: Top<"top_offenders">) {
  const { first_name, last_name, seo_title, reports, all_reports, totals } = offender;
  return {
    key: seo_title,
    cells: [
      <Link key="name" href={`/report/${encodeURIComponent(seo_title)}`}>
        {first_name} {last_name}
      </Link>,
      formatCount(reports),
      formatCount(all_reports),
      formatTotals(totals),
    ],
  };
}
