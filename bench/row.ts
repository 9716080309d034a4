/** One figure of a run. */
export interface Row {
  readonly name: string;
  /** The stores that it was measured on: `embedded` or `servers`. */
  readonly profile: string;
  readonly value: number;
  readonly unit: string;
  /** What the value is compared with, in the same unit unless `baselineUnit` says otherwise. */
  readonly baseline?: number;
  readonly baselineName?: string;
  /** The value divided by the baseline. */
  readonly ratio?: number;
  /** Percentiles of the time per operation, in milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** The bound that the value, or its ratio, must keep, and whether it did. */
  readonly target?: Target;
  readonly met?: boolean;
  /** Further figures. */
  readonly detail?: Readonly<Record<string, number | string>>;
}

export interface Target {
  readonly of: "value" | "ratio" | "p99";
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Fills in the ratio and whether the target is met. */
export function rowOf(measured: Omit<Row, "ratio" | "met">): Row {
  const { value, baseline, target } = measured;
  const ratio = baseline === undefined ? {} : { ratio: rounded(value / baseline, 3) };
  const row = { ...measured, ...ratio };
  if (!target) return row;
  const found = row[target.of];
  if (found === undefined) throw new TypeError(`${row.name} has no ${target.of}`);
  const met = found >= (target.atLeast ?? -Infinity) && found <= (target.atMost ?? Infinity);
  return { ...row, met };
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

const COLUMNS = ["profile", "row", "value", "baseline", "ratio", "p50 ms", "p99 ms", "target"];

/** The rows for people: a plain-text table that is also valid Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.profile,
    row.name,
    `${shown(row.value)} ${row.unit}`,
    row.baseline === undefined ? "" : `${shown(row.baseline)} (${row.baselineName ?? row.unit})`,
    shown(row.ratio),
    shown(row.p50),
    shown(row.p99),
    targetOf(row),
  ]);
  const lines = [COLUMNS, ...cells];
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  const format = (line: readonly string[]) =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [format(COLUMNS), rule, ...cells.map(format)].join("\n");
}

function shown(value: number | undefined): string {
  return value === undefined ? "" : value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

function targetOf({ target, met }: Row): string {
  if (!target) return "";
  const bound = target.atLeast === undefined ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
  return `${target.of} ${bound}: ${met ? "met" : "missed"}`;
}
