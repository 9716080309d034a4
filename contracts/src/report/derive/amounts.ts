import type { catalogue, FieldRow } from "../catalogue.ts";
import { REPORT_TYPES, type ReportType } from "../words.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "./fields.ts";
import { belongsTo } from "./form.ts";

type Rows = typeof catalogue;
/** An amount that a person enters; totals are computed. */
export type AmountField = {
  [F in keyof Rows]: Rows[F] extends { kind: "money"; part: string } ? F : never;
}[keyof Rows];
/** An amount that a report may be about. */
export type MainAmount = {
  [F in AmountField]: Rows[F] extends { required: ReportType } ? F : never;
}[AmountField];
export type FeeField = Exclude<AmountField, MainAmount>;

/** The amounts that add up to the sum due. */
export interface Amounts {
  /** The amount that a report, or an additional chargeback, is about. */
  readonly main: MainAmount;
  /** The fees that are added to it, in the order of the wire. */
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

/** The amounts of a report of each type. This table alone decides which fees a type has. */
export const AMOUNTS = Object.fromEntries(
  Object.keys(REPORT_TYPES).map((type) => [type, amountsIn(REPORT_ROWS, type as ReportType)]),
) as Readonly<Record<ReportType, Amounts>>;

/** The stored names of all fees that a report of any type may have, in the order of the wire. */
export const FEE_COLUMNS: readonly `${FeeField}_cents`[] = [
  ...new Set(Object.values(AMOUNTS).flatMap(({ fees }) => fees)),
].map((fee) => `${fee}_cents` as const);

/** The amounts of an additional chargeback. */
export const CHARGEBACK_AMOUNTS = amountsIn(CHARGEBACK_ROWS, "chargeback");
