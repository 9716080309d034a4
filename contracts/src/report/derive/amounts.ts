import type { catalogue, FieldRow } from "../catalogue.ts";
import { REPORT_TYPES, type ReportType } from "../words.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "./fields.ts";

type Rows = typeof catalogue;
/** An amount that a person enters. Totals are computed. */
export type AmountField = {
  [F in keyof Rows]: Rows[F] extends { kind: "money"; part: string } ? F : never;
}[keyof Rows];
/** An amount that a report may be about. */
export type MainAmount = {
  [F in AmountField]: Rows[F] extends { required: ReportType } ? F : never;
}[AmountField];
export type FeeField = Exclude<AmountField, MainAmount>;

/** The amounts that add up to the total due. */
export interface Amounts {
  /** The amount that a report, or an additional chargeback, is about. */
  readonly main: MainAmount;
  /** The fees added to it, in wire order. */
  readonly fees: readonly FeeField[];
}

function amountsIn(rows: Readonly<Record<string, FieldRow>>, type: ReportType): Amounts {
  const typed = Object.entries(rows).filter(
    ([, row]) => row.kind === "money" && row.part && belongsTo(row, type),
  );
  const names = (isMain: boolean) =>
    typed.filter(([, row]) => (row.required !== undefined) === isMain).map(([name]) => name);
  return { main: names(true)[0] as MainAmount, fees: names(false) as FeeField[] };
}

/** The amounts by report type. Only this table defines which fees a type has. */
export const AMOUNTS = Object.fromEntries(
  Object.keys(REPORT_TYPES).map((type) => [type, amountsIn(REPORT_ROWS, type as ReportType)]),
) as Readonly<Record<ReportType, Amounts>>;

/** Stored names of the fees of all report types, in wire order. */
export const FEE_COLUMNS: readonly `${FeeField}_cents`[] = [
  ...new Set(Object.values(AMOUNTS).flatMap(({ fees }) => fees)),
].map((fee) => `${fee}_cents` as const);

/** The amounts of an additional chargeback. */
export const CHARGEBACK_AMOUNTS = amountsIn(CHARGEBACK_ROWS, "chargeback");

/** Whether reports of this type have the field. The others neither show nor send it. */
export function belongsTo({ only, asked }: FieldRow, type: ReportType): boolean {
  return (only ?? asked ?? type) === type;
}

/** Returns the codes of a choice with their labels. */
export function choicesOf({
  codes = [],
}: Pick<FieldRow, "codes">): readonly (readonly [string, string])[] {
  return Array.isArray(codes) ? codes.map((code) => [code, code]) : Object.entries(codes);
}

/** Returns the codes that the form offers with their labels, in form order. */
export function offeredOf(row: FieldRow): readonly (readonly [string, string])[] {
  const words = new Map(choicesOf(row));
  return (row.offered ?? [...words.keys()]).map((code) => [code, words.get(code) ?? code]);
}

/** Returns the initial value of a field in a new form. */
export function initialOf(row: FieldRow): string {
  return row.initial ?? offeredOf(row)[0]?.[0] ?? "";
}

/** Returns the width of a control, based on what it accepts. */
export function widthOf({ kind, max = 0, codes, width }: FieldRow): "short" | "medium" | "full" {
  if (width) return width;
  if (["digits", "date"].includes(kind) || Array.isArray(codes)) return "short";
  if (["email", "phone", "choice", "state"].includes(kind)) return "medium";
  if (kind !== "line" || max > 100) return "full";
  return max > 12 ? "medium" : "short";
}

/** Returns the maximum length of the control; undefined if a longer text is rejected with a message instead. */
export function cutAt({ max, digits, cut }: FieldRow): number | undefined {
  return cut ? max : digits;
}
