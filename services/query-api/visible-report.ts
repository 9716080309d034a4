import type { FullReport } from "#contracts/http/report-view.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import {
  type Audience,
  chargebackVisibility,
  FIELD_MASKS,
  visibility,
} from "#contracts/report/derive/visibility.ts";
import { reportFields } from "#contracts/report/fields.ts";

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
