import type { FullReport } from "#contracts/http/report-view.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import {
  type Audience,
  chargebackVisibility,
  FIELD_MASKS,
  visibility,
} from "#contracts/report/derive/visibility.ts";
import { reportFields } from "#contracts/report/fields.ts";

/** A report or a part of it on the wire, with what the reader may not see masked or taken out. */
export type VisibleReport = Partial<Record<ReportField, unknown>>;

/** One field as the reader may see it; undefined when it is kept back or not given. */
export function visibleField(field: ReportField, value: unknown, audience: Audience): unknown {
  const shown = visibility[field][audience];
  if (value === undefined || shown === "hidden") return undefined;
  if (field === "chargebacks") return (value as object[]).map((c) => visibleItem(c, audience));
  if (shown === "clear") return value;
  const mask = FIELD_MASKS[field];
  return mask && typeof value === "string" ? mask(value) : undefined;
}

/** A report as the reader may see it, fields in the wire's order. */
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
