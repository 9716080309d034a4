import { BarChart } from "@mui/x-charts/BarChart";
import { LineChart } from "@mui/x-charts/LineChart";
import { CHART_HEIGHT } from "./StatsCharts.tsx";

export interface Series {
  readonly label: string;
  readonly color: string;
  /** One value per point; null if there is none. */
  readonly values: readonly (number | null)[];
  /** Series with the same name are stacked. */
  readonly stack?: string;
}

export interface ChartProps {
  readonly kind: "bars" | "lines";
  readonly points: readonly string[];
  readonly series: readonly Series[];
  /** Formats a value for the tooltip and, by default, the axis. */
  readonly format: (value: number) => string;
  readonly axisFormat?: (value: number) => string;
  /** Upper end of the axis, if higher values are cut off. */
  readonly end?: number | undefined;
}

const AXIS_WIDTH = 64;

/** A chart of a few series over time. In its own chunk, because it pulls in the chart library. */
export default function Chart(props: ChartProps) {
  const { kind, points, series, format, axisFormat = format, end } = props;
  const shared = {
    height: CHART_HEIGHT,
    margin: { left: 0, right: 8, top: 8, bottom: 0 },
    grid: { horizontal: true },
    xAxis: [
      { data: [...points], scaleType: kind === "bars" ? ("band" as const) : ("point" as const) },
    ],
    yAxis: [
      {
        width: AXIS_WIDTH,
        min: 0,
        ...(end === undefined ? {} : { max: end }),
        tickNumber: 4,
        valueFormatter: axisFormat,
      },
    ],
    slotProps: { legend: { position: { vertical: "top" as const, horizontal: "start" as const } } },
    // Content hidden from assistive technology must not be focusable.
    disableKeyboardNavigation: true,
    skipAnimation: true,
  };
  const all = series.map(({ label, color, values, stack }) => ({
    label,
    color: color,
    data: values.map((value) => value && Math.min(value, end ?? value)),
    valueFormatter: (shown: number | null, { dataIndex }: { readonly dataIndex: number }) =>
      shown === null ? "None" : format(values[dataIndex] ?? shown),
    ...(stack ? { stack } : {}),
  }));
  // Values that are cut off equal the end exactly.
  const mark = ({ value }: { readonly value: number | null }) => (value === end ? "▲" : null);
  if (kind === "bars")
    return <BarChart {...shared} series={all} {...(end === undefined ? {} : { barLabel: mark })} />;
  const lines = all.map((one) => ({ ...one, curve: "linear" as const, showMark: true }));
  return <LineChart {...shared} series={lines} />;
}
