import { useState } from "react";
import type { ReportDetail, ShownChargeback } from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { FieldRow } from "#contracts/report/catalogue.ts";
import { belongsTo } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import {
  chargebackVisibility,
  FIELD_MASKS,
  type Shown,
  visibility,
} from "#contracts/report/derive/visibility.ts";
import { fromCents, readAmount } from "#contracts/report/money.ts";
import { mainAmount } from "#contracts/report/submission-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { ReportRecord } from "../report-record/ReportRecord.tsx";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, reportType } from "./form-state.ts";
import { itemTotal, reportTotal } from "./payload.ts";
import styles from "./SubmitReportPage.module.css";

/** Preview of what the public will see once the report is approved. */
export function Preview({ state }: { state: FormState }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={`${styles.preview} needs-script`}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Preview: what the public will see</summary>
      {open && <PreviewRecord state={state} />}
    </details>
  );
}

function PreviewRecord({ state }: { state: FormState }) {
  const [now] = useState(() => new Date().toISOString());
  const report = previewOf(state, now);
  const name = `${report.first_name} ${report.last_name}`.trim();
  return (
    <div className={styles.previewBody}>
      <h3>{name || "Person's name"}</h3>
      <p>{report.title}</p>
      <p className={styles.previewNote}>
        Reported, not independently verified.{" "}
        {report.public_username
          ? `Reported by ${report.public_username}.`
          : "Reported anonymously."}
      </p>
      <ReportRecord report={report} level={4} />
    </div>
  );
}

/**
 * Returns the public record that this form would produce, including masks. URL, views and other reports are
 * placeholders, because the registry doesn't know the report yet.
 *
 * @param now shown as the time of the report (RFC 3339).
 */
export function previewOf(state: FormState, now: string): ReportDetail {
  const { fields } = state;
  const type = reportType(state);
  return {
    // The public fields are exactly those of the public schema.
    ...(shownValues(FORM_FIELDS, REPORT_ROWS, visibility, fields, type) as ReportDetail),
    id: "00000000-0000-0000-0000-000000000000",
    report_type: type,
    seo_title: "preview",
    amount: readAmount(fields[mainAmount(type)]) ?? 0,
    total_due: fromCents(
      reportTotal(state) + state.items.reduce((sum, item) => sum + itemTotal(item), 0),
    ),
    status: "pending",
    verified: false,
    created_at: now,
    updated_at: now,
    timestamp: Math.floor(Date.parse(now) / 1000),
    view_count: 0,
    rebuttal_count: 0,
    report_count: 1,
    is_habitual_offender: false,
    chargebacks: state.items.map((item) => ({
      ...(shownValues(
        ITEM_FIELDS,
        CHARGEBACK_ROWS,
        chargebackVisibility,
        item.values,
        type,
      ) as ShownChargeback),
      total_due: fromCents(itemTotal(item)),
    })),
    other_reports: [],
  };
}

/** Returns the typed values as the public sees them, without empty ones. */
function shownValues<F extends string>(
  names: readonly F[],
  rows: Readonly<Record<F, FieldRow>>,
  shows: Readonly<Record<F, { readonly public: Shown }>>,
  typed: Readonly<Record<F, string>>,
  type: ReportType,
): Record<string, unknown> {
  const values = names.map((name) => {
    const isShown = shows[name].public !== "hidden" && belongsTo(rows[name], type);
    const value = isShown ? shownValue(rows[name], typed[name].trim()) : undefined;
    const mask = shows[name].public === "masked" && value ? FIELD_MASKS[name] : undefined;
    return [name, mask ? mask(String(value)) : value];
  });
  return omitUndefined(Object.fromEntries(values));
}

function shownValue({ kind, required }: FieldRow, text: string) {
  if (kind === "money") return readAmount(text) ?? (required ? 0 : undefined);
  return text === "" && required !== true ? undefined : text;
}
