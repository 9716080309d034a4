import type { ReportDetail } from "#contracts/http/report-view.ts";
import type { RecordGroup, ReportField } from "#contracts/report/catalogue.ts";
import { maskCard } from "#contracts/report/masks.ts";
import { COUNTRIES, RESOLUTION_STATUSES } from "#contracts/report/words.ts";
import { formatDate, formatPlace } from "../../lib/format.ts";
import { FACTS, type FactRow } from "./facts.folded.ts";

interface Fact {
  readonly label: string;
  /** "Not given" if the reporter left the field empty. */
  readonly value: string;
}

export interface FactGroup {
  readonly heading: string;
  readonly facts: readonly Fact[];
}

const HEADINGS: readonly (readonly [RecordGroup, string])[] = [
  ["person", "Person"],
  ["transaction", "Transaction"],
  ["more", "Additional information"],
];

/** Facts that combine several fields, each shown in place of its first field. */
const COMPOSED: Readonly<
  Partial<
    Record<
      ReportField,
      (report: ReportDetail) => [label: string, value: string | undefined] | undefined
    >
  >
> = {
  first_name: (report) => ["Name", `${report.first_name} ${report.last_name}`],
  city: (report) => [
    "Location",
    // The record names every country; other places only those outside the United States.
    [formatPlace(report), report.country === "US" && COUNTRIES.US].filter(Boolean).join(", "),
  ],
  // The banner overrides the reporter's status.
  resolution_status: ({ resolved }) =>
    resolved ? ["Resolution", RESOLUTION_STATUSES.resolved] : undefined,
  first_6: ({ first_6, last_4 }) => ["Card", maskCard(first_6, last_4)],
};

/** Returns the facts of the public record, without texts and amounts, as readable text. */
export function recordFacts(report: ReportDetail): FactGroup[] {
  const type = report.report_type;
  return HEADINGS.map(([group, heading]) => ({
    heading,
    facts: FACTS[group]
      .filter(({ only = type }) => only === type)
      .map((row) => {
        const [label, value] = COMPOSED[row.field]?.(report) ?? [row.label, wordsOf(row, report)];
        return { label, value: value || NOT_GIVEN };
      }),
  }));
}

function wordsOf({ field, isDate, codes = {} }: FactRow, report: ReportDetail): string | undefined {
  const value = (report as Readonly<Record<string, unknown>>)[field];
  if (typeof value !== "string") return undefined;
  return isDate ? formatDate(value) : ((codes as Words)[value] ?? value);
}
type Words = Readonly<Record<string, string>>;

export const NOT_GIVEN = "Not given";
