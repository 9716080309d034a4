import { BarChart } from "@mui/x-charts/BarChart";
import { LineChart } from "@mui/x-charts/LineChart";
import { CHART_HEIGHT } from "./FigureCharts.tsx";

export interface Series {
  readonly label: string;
  readonly color: string;
  /** One value for each point; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Series of one name stand on each other. */
  readonly stack?: string;
}

export interface ChartProps {
  readonly kind: "bars" | "lines";
  readonly points: readonly string[];
  readonly series: readonly Series[];
  /** How a value reads under the pointer and, unless something else is given, at the axis. */
  readonly format: (value: number) => string;
  readonly axisFormat?: (value: number) => string;
  /** Where the axis ends, if higher values are cut off. */
  readonly end?: number | undefined;
}

const AXIS_WIDTH = 64;

/** A chart of a few series over time. A chunk of its own, since it brings the library of charts. */
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
    // What is hidden from assistive technology must not take the focus.
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
  // What is cut off reaches exactly to the end.
  const mark = ({ value }: { readonly value: number | null }) => (value === end ? "▲" : null);
  if (kind === "bars")
    return <BarChart {...shared} series={all} {...(end === undefined ? {} : { barLabel: mark })} />;
  const lines = all.map((one) => ({ ...one, curve: "linear" as const, showMark: true }));
  return <LineChart {...shared} series={lines} />;
}
