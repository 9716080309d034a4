import { omitUndefined } from "#contracts/omit-undefined.ts";
import {
  catalogue,
  type FieldRow,
  type RecordGroup,
  type ReportField,
} from "#contracts/report/catalogue.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";
import type { ReportType } from "#contracts/report/words.ts";

/** What the public record needs to know about a field. */
export type FactRow = Pick<FieldRow, "label" | "codes" | "only"> & {
  readonly field: ReportField;
  readonly isDate?: true | undefined;
};

const rows = Object.entries<FieldRow>(catalogue) as [ReportField, FieldRow][];

function factsOf(group: RecordGroup): readonly FactRow[] {
  return rows
    .filter(([, { record }]) => record?.[0] === group)
    .sort(([, a], [, b]) => Number(a.record?.[1]) - Number(b.record?.[1]))
    .map(([field, { label, fact = label, kind, codes, only, asked }]) => ({
      field,
      label: fact,
      ...omitUndefined({ isDate: kind === "date" || undefined, codes, only: only ?? asked }),
    }));
}

/** The fields of each group, from top to bottom. */
export const FACTS: Readonly<Record<RecordGroup, readonly FactRow[]>> = {
  person: factsOf("person"),
  transaction: factsOf("transaction"),
  more: factsOf("more"),
};

const fees = (type: ReportType) =>
  AMOUNTS[type].fees.map((field) => ({ field, label: catalogue[field].label }));

/** Fees that may be added to the amount, for each type of report. */
export const FEES = { chargeback: fees("chargeback"), bad_check: fees("bad_check") };
