import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import type { PeriodStats } from "#contracts/http/analytics.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { color } from "#theme/color.ts";
import { counted, formatCount } from "../formats.ts";
import { Section } from "../page.tsx";
import { Placeholder, RetryAlert } from "../states.tsx";
import type { ChartProps, Series } from "./Chart.tsx";
import { StatsTable } from "./stats.tsx";
import {
  amountIn,
  axisEnd,
  axisLabel,
  clippedText,
  currenciesOf,
  formatSpan,
  formatTotals,
  formatWait,
  unitOfWaits,
} from "./stats-labels.ts";

export const CHART_HEIGHT = 240;
/** Includes one line of legend above the chart. */
const WITH_LEGEND = CHART_HEIGHT + 36;

/** Margin around the window within which an element counts as near. */
const NEAR = "200px";

/** Returns a ref, and whether its element was ever in or near the window, for lazy loading. */
function useNearView<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [element, isNear];
}

const Chart = lazy(() => import("./Chart.tsx"));

/** The charts of a period: reports, amounts and waiting times, each with its data as a table. */
export function StatsCharts(props: {
  /** Null if they couldn't be read, undefined while loading. */
  readonly figures: PeriodStats | null | undefined;
  readonly onRetry: () => void;
}) {
  const { figures, onRetry } = props;
  if (figures === null)
    return (
      <RetryAlert what="The charts" onRetry={onRetry}>
        Couldn't load the charts.
      </RetryAlert>
    );
  if (!figures)
    return (
      <Section title="Charts">
        <Placeholder height={CHART_HEIGHT} />
      </Section>
    );
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" },
        "& > :first-of-type": { gridColumn: "1 / -1" },
      }}
    >
      <ReportsChart figures={figures} />
      <AmountsChart figures={figures} />
      <WaitsChart figures={figures} />
    </Box>
  );
}

interface Props {
  readonly figures: PeriodStats;
}

interface TableSeries extends Series {
  readonly column: string;
  readonly words: (point: PeriodStats["points"][number]) => string;
}

/**
 * A chart with a summary, and a collapsible table of the same data. The chart library is loaded when a chart comes
 * near the window.
 */
function PeriodChart({
  figures,
  series,
  title,
  summary,
  action,
  ...chart
}: Props &
  Omit<ChartProps, "points" | "series"> & {
    readonly title: string;
    /** The chart's content in one sentence, for all users. */
    readonly summary: string;
    readonly action?: ReactNode;
    readonly series: readonly TableSeries[];
  }) {
  const [place, isNear] = useNearView<HTMLDivElement>();
  const waiting = <Placeholder height={WITH_LEGEND} />;
  return (
    <Section title={title} action={action}>
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        {summary}
      </Typography>
      {/* The summary and the table have the same content for people who can't see the chart. */}
      <Box ref={place} aria-hidden sx={{ minHeight: WITH_LEGEND }}>
        {isNear ? (
          <Suspense fallback={waiting}>
            <Chart points={pointsOf(figures)} series={series} {...chart} />
          </Suspense>
        ) : (
          waiting
        )}
      </Box>
      <Box
        component="details"
        sx={{
          mt: 1,
          mb: -1.5,
          "& > summary": { cursor: "pointer", color: color.primary, py: 1.5 },
        }}
      >
        <summary>Show data as a table</summary>
        <StatsTable
          label={title}
          columns={["Days", ...series.map(({ column }) => column)]}
          rows={figures.points.map((point) => ({
            key: point.from,
            cells: [formatSpan(point), ...series.map(({ words }) => words(point))],
          }))}
        />
      </Box>
    </Section>
  );
}

const pointsOf = ({ points, step }: PeriodStats) => points.map(({ from }) => axisLabel(from, step));

function ReportsChart({ figures }: Props) {
  const { total, points } = figures;
  const counts = (label: string, name: "submitted" | "approved" | "rejected", color: string) => ({
    label,
    column: label,
    color,
    values: points.map((point) => point[name]),
    words: (point: (typeof points)[number]) => formatCount(point[name]),
    ...(name === "submitted" ? {} : { stack: "decided" }),
  });
  return (
    <PeriodChart
      figures={figures}
      title="Reports"
      summary={`${counted(total.submitted, "report", "reports")} submitted, ${formatCount(total.approved)} approved and ${formatCount(total.rejected)} rejected. Decisions are counted on the day they were made (UTC).`}
      kind="bars"
      format={formatCount}
      series={[
        counts("Submitted", "submitted", color.primary),
        counts("Approved", "approved", color.settled),
        counts("Rejected", "rejected", color.warningLine),
      ]}
    />
  );
}

function AmountsChart({ figures }: Props) {
  const { total, points } = figures;
  const currencies = currenciesOf(points);
  const [chosen, setChosen] = useState("USD");
  const currency = currencies.includes(chosen) ? chosen : (currencies[0] ?? "USD");
  const amounts = (
    column: string,
    name: "submitted_totals" | "approved_totals",
    color: string,
  ) => ({
    label: `${column}, ${currency}`,
    column,
    color,
    values: points.map((point) => amountIn(point[name], currency)),
    words: (point: (typeof points)[number]) => formatTotals(point[name]),
  });
  const series = [
    amounts("Submitted", "submitted_totals", color.primary),
    amounts("Approved", "approved_totals", color.settled),
  ];
  const values = series.map((each) => each.values);
  const end = axisEnd(values.flat());
  const format = (amount: number) => formatMoney(amount, currency);
  const cut = clippedText(end, pointsOf(figures), values, format);
  return (
    <PeriodChart
      figures={figures}
      title="Amounts owed"
      summary={`Submitted: ${formatTotals(total.submitted_totals)}. Approved: ${formatTotals(total.approved_totals)}. Currencies are not converted. ${cut ?? ""}`}
      action={
        currencies.length > 1 && (
          <TextField
            select
            slotProps={{ htmlInput: { "aria-label": "Currency" } }}
            value={currency}
            onChange={(event) => setChosen(event.target.value)}
            sx={{ width: 120 }}
          >
            {currencies.map((code) => (
              <MenuItem key={code} value={code}>
                {code}
              </MenuItem>
            ))}
          </TextField>
        )
      }
      kind="bars"
      format={format}
      axisFormat={(amount) => compactMoney(amount, currency)}
      end={end}
      series={series}
    />
  );
}

function WaitsChart({ figures }: Props) {
  const { total, points } = figures;
  const waits = [points.map((p) => p.median_minutes), points.map((p) => p.p95_minutes)] as const;
  const end = axisEnd(waits.flat());
  const unit = unitOfWaits(end ?? Math.max(0, ...waits.flat().map(Number)));
  const inUnit = (minutes: number | null) => minutes && minutes / unit.minutes;
  const cut = clippedText(end, pointsOf(figures), waits, formatWait);
  return (
    <PeriodChart
      figures={figures}
      title="Time to a decision"
      summary={
        total.median_minutes === null
          ? "No decisions in this period."
          : `Median ${formatWait(total.median_minutes)}, 95th percentile ${formatWait(total.p95_minutes)} (±5%). ${cut ?? ""}`
      }
      kind="lines"
      format={(value) => formatWait(value * unit.minutes)}
      axisFormat={(value) => new Intl.NumberFormat("en-US").format(value)}
      end={end && end / unit.minutes}
      series={[
        {
          label: `Median, ${unit.name}`,
          column: "Median",
          color: color.primary,
          values: waits[0].map(inUnit),
          words: (point) => formatWait(point.median_minutes),
        },
        {
          label: `95th percentile, ${unit.name}`,
          column: "95th percentile",
          color: color.warningLine,
          values: waits[1].map(inUnit),
          words: (point) => formatWait(point.p95_minutes),
        },
      ]}
    />
  );
}

function compactMoney(amount: number, currency: string): string {
  return amount < 1000
    ? formatMoney(amount, currency)
    : new Intl.NumberFormat("en-US", {
        style: "currency",
        currency,
        notation: "compact",
        maximumFractionDigits: 1,
      }).format(amount);
}
