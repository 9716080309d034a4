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

/** A report or part of one in wire format. What the reader may not see is masked or removed. */
export type VisibleReport = Partial<Record<ReportField, unknown>>;

/** One field as the reader may see it; undefined when it is hidden or has no value. */
export function visibleField(field: ReportField, value: unknown, audience: Audience): unknown {
  const shown = visibility[field][audience];
  if (value === undefined || shown === "hidden") return undefined;
  if (field === "chargebacks") return (value as object[]).map((c) => visibleItem(c, audience));
  if (shown === "clear") return value;
  const mask = FIELD_MASKS[field];
  return mask && typeof value === "string" ? mask(value) : undefined;
}

/** A report as the reader may see it, with fields in the order of the wire format. */
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

/** What a list over all reports names a report by. */
export const LISTED_REPORT = ["id", "first_name", "last_name", "status"] as const;

/** Whose document or payment it is. */
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

/** The words of a filter's text. All of them must match. */
export function searchWords(text: string | undefined): string[] {
  return (text ?? "").split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
}

/** LIKE pattern for texts that contain the word, with its special characters escaped. */
export function containsPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
