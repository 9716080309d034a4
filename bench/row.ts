import type { Rate } from "./load.ts";

/** One result of a run. */
export interface Row {
  readonly name: string;
  /** The stores it was measured on: `embedded` or `servers`. */
  readonly profile: string;
  readonly value: number;
  readonly unit: string;
  /** The value to compare with, in the same unit unless `baselineUnit` says otherwise. */
  readonly baseline?: number;
  readonly baselineName?: string;
  /** The value divided by the baseline. */
  readonly ratio?: number;
  /** Percentiles of the time per operation, in milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** The bound for the value or its ratio, and whether it was met. */
  readonly target?: Target;
  readonly met?: boolean;
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

/** Compares the rate of an operation with the rate of a bare one. */
export function rateRow(
  named: Pick<Row, "name" | "profile" | "unit" | "baselineName" | "target">,
  rate: Rate,
  bare: Rate,
): Row {
  const { perSecond: value, p50, p99, count, refused } = rate;
  const detail = { count, refused, bareP50: bare.p50, bareP99: bare.p99 };
  return rowOf({ ...named, value, baseline: bare.perSecond, p50, p99, detail });
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
