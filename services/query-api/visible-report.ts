import type { Selectable } from "kysely";
import type { FullReport } from "#contracts/http/report-view.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import {
  type Audience,
  chargebackVisibility,
  FIELD_MASKS,
  visibility,
} from "#contracts/report/derive/visibility.ts";
import { reportFields } from "#contracts/report/fields.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { ReportTable } from "#read-model/tables/report.ts";

/** A report or part of one in wire format. Anything the reader may not see is masked or removed. */
export type VisibleReport = Partial<Record<ReportField, unknown>>;

/** Returns one field as the reader may see it; undefined if it is hidden or has no value. */
export function visibleField(field: ReportField, value: unknown, audience: Audience): unknown {
  const shown = visibility[field][audience];
  if (value === undefined || shown === "hidden") return undefined;
  if (field === "chargebacks") return (value as object[]).map((c) => visibleItem(c, audience));
  if (shown === "clear") return value;
  const mask = FIELD_MASKS[field];
  return mask && typeof value === "string" ? mask(value) : undefined;
}

/** Returns a report as the reader may see it, with fields in wire order. */
export function visibleReport(report: FullReport, audience: Audience): VisibleReport {
  const shown: VisibleReport = {};
  for (const field of Object.keys(reportFields) as ReportField[]) {
    const value = visibleField(field, report[field], audience);
    if (value !== undefined) shown[field] = value;
  }
  return shown;
}

function visibleItem(item: object, audience: Audience): object {
  return Object.fromEntries(
    Object.entries(item).filter(([field]) => chargebackVisibility[field]?.[audience] === "clear"),
  );
}

/** Columns that identify a report in lists across all reports. */
export const LISTED_REPORT = ["id", "first_name", "last_name", "status"] as const;

/** Presents the report that a document or payment belongs to. */
export function listedReport({
  id,
  first_name,
  last_name,
  status,
}: Pick<Selectable<ReportTable>, (typeof LISTED_REPORT)[number]>) {
  return { id, number: reportNumber(id), first_name, last_name, status };
}

/** Maximum number of words in a filter. Further words are ignored. */
const MAX_WORDS = 12;

/** Splits a filter's text into words, all of which must match. */
export function searchWords(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
}

/** Returns a LIKE pattern for texts that contain the word, with its special characters escaped. */
export function containsPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
