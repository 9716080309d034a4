import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { lazy, useState } from "react";
import type { PeriodFigures } from "#contracts/http/analytics.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { color } from "#theme/color.ts";
import { counted, formatCount } from "../formats.ts";
import { ChartSection } from "./ChartSection.tsx";
import { axisEnd, clippedWords } from "./clipped-values.ts";
import {
  amountIn,
  axisLabel,
  currenciesOf,
  formatSpan,
  formatTotals,
  formatWait,
  unitOfWaits,
} from "./figure-words.ts";

const Chart = lazy(() => import("./Chart.tsx"));

/** The charts of a period: reports, amounts and waits, each with its figures as a table. */
export function FigureCharts({ figures }: { readonly figures: PeriodFigures }) {
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
  readonly figures: PeriodFigures;
}

const pointsOf = ({ points, step }: PeriodFigures) =>
  points.map(({ from }) => axisLabel(from, step));

function ReportsChart({ figures }: Props) {
  const { total, points } = figures;
  return (
    <ChartSection
      title="Reports"
      summary={`${counted(total.submitted, "report", "reports")} submitted, ${formatCount(total.approved)} approved and ${formatCount(total.rejected)} rejected. Decisions are counted on the day they were made (UTC).`}
      chart={
        <Chart
          kind="bars"
          points={pointsOf(figures)}
          format={formatCount}
          series={[
            { label: "Submitted", color: color.primary, values: points.map((p) => p.submitted) },
            {
              label: "Approved",
              color: color.settled,
              values: points.map((p) => p.approved),
              stack: "decided",
            },
            {
              label: "Rejected",
              color: color.warningLine,
              values: points.map((p) => p.rejected),
              stack: "decided",
            },
          ]}
        />
      }
      table={{
        columns: ["Days", "Submitted", "Approved", "Rejected"],
        rows: points.map((point) => ({
          key: point.from,
          cells: [
            formatSpan(point),
            formatCount(point.submitted),
            formatCount(point.approved),
            formatCount(point.rejected),
          ],
        })),
      }}
    />
  );
}

function AmountsChart({ figures }: Props) {
  const { total, points } = figures;
  const currencies = currenciesOf(points);
  const [chosen, setChosen] = useState("USD");
  const currency = currencies.includes(chosen) ? chosen : (currencies[0] ?? "USD");
  const submitted = points.map((point) => amountIn(point.submitted_totals, currency));
  const approved = points.map((point) => amountIn(point.approved_totals, currency));
  const end = axisEnd([...submitted, ...approved]);
  const cut = clippedWords(end, pointsOf(figures), [submitted, approved], (amount) =>
    formatMoney(amount, currency),
  );
  return (
    <ChartSection
      title="Amounts owed"
      summary={`Submitted: ${formatTotals(total.submitted_totals)}. Approved: ${formatTotals(total.approved_totals)}. Currencies are never added up. ${cut ?? ""}`}
      action={
        currencies.length > 1 && (
          <TextField
            select
            label="Currency"
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
      chart={
        <Chart
          kind="bars"
          points={pointsOf(figures)}
          format={(amount) => formatMoney(amount, currency)}
          axisFormat={(amount) => compactMoney(amount, currency)}
          end={end}
          series={[
            {
              label: `Submitted, ${currency}`,
              color: color.primary,
              values: submitted,
            },
            {
              label: `Approved, ${currency}`,
              color: color.settled,
              values: approved,
            },
          ]}
        />
      }
      table={{
        columns: ["Days", "Submitted", "Approved"],
        rows: points.map((point) => ({
          key: point.from,
          cells: [
            formatSpan(point),
            formatTotals(point.submitted_totals),
            formatTotals(point.approved_totals),
          ],
        })),
      }}
    />
  );
}

function WaitsChart({ figures }: Props) {
  const { total, points } = figures;
  const waits = [points.map((p) => p.median_minutes), points.map((p) => p.p95_minutes)] as const;
  const end = axisEnd(waits.flat());
  const unit = unitOfWaits(end ?? Math.max(0, ...waits.flat().map(Number)));
  const inUnit = (minutes: number | null) => minutes && minutes / unit.minutes;
  const cut = clippedWords(end, pointsOf(figures), waits, formatWait);
  return (
    <ChartSection
      title="Time to a decision"
      summary={
        total.median_minutes === null
          ? "Nothing was decided in this time."
          : `Median ${formatWait(total.median_minutes)}, 95th percentile ${formatWait(total.p95_minutes)} (±5%). ${cut ?? ""}`
      }
      chart={
        <Chart
          kind="lines"
          points={pointsOf(figures)}
          format={(value) => formatWait(value * unit.minutes)}
          axisFormat={(value) => new Intl.NumberFormat("en-US").format(value)}
          end={end && end / unit.minutes}
          series={[
            {
              label: `Median, ${unit.name}`,
              color: color.primary,
              values: waits[0].map(inUnit),
            },
            {
              label: `95th percentile, ${unit.name}`,
              color: color.warningLine,
              values: waits[1].map(inUnit),
            },
          ]}
        />
      }
      table={{
        columns: ["Days", "Median", "95th percentile"],
        rows: points.map((point) => ({
          key: point.from,
          cells: [
            formatSpan(point),
            formatWait(point.median_minutes),
            formatWait(point.p95_minutes),
          ],
        })),
      }}
    />
  );
}

/** "$1.2K", which fits beside an axis. */
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
