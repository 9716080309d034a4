import type { FullReport } from "#contracts/http/report-view.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, INITIAL_FORM, NEW_ITEM } from "./form-state.ts";

/** The form as somebody would have filled it in for this report. */
export function formOfReport(report: FullReport): Pick<FormState, "fields" | "items"> {
  return {
    fields: { ...INITIAL_FORM.fields, ...typed(FORM_FIELDS, report) },
    items: (report.chargebacks ?? []).map((item, index) => ({
      key: index + 1,
      values: { ...NEW_ITEM, ...typed(ITEM_FIELDS, item) },
    })),
  };
}

function typed<F extends string>(
  fields: readonly F[],
  values: Readonly<Partial<Record<F, unknown>>>,
): Partial<Record<F, string>> {
  const given = fields.filter((field) => values[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, textOf(values[field])])) as Partial<
    Record<F, string>
  >;
}

function textOf(value: unknown): string {
  return typeof value === "number" ? value.toFixed(2) : String(value);
}
