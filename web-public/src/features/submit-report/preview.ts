import { given } from "#contracts/given.ts";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { readAmount } from "#contracts/report/amount-text.ts";
import { maskAccount, maskEmail, maskPhone } from "#contracts/report/masks.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { ChargebackReason, CheckReason } from "#contracts/report/reasons.ts";
import { mainAmount } from "#contracts/report/totals.ts";
import type {
  Country,
  Currency,
  ResolutionStatus,
  ShippingStatus,
} from "#contracts/report/words.ts";
import { type FormState, type ItemValues, reportType } from "./form-state.ts";
import { itemTotal, reportTotal } from "./payload.ts";

/**
 * The public record that this form would make, masks and all. It has no address, no views and no
 * other reports yet, since the registry has not seen it.
 *
 * @param now shown as the time of the report, RFC 3339
 */
export function previewOf(state: FormState, now: string): ReportDetail {
  const { fields } = state;
  const type = reportType(state);
  return {
    id: "00000000-0000-0000-0000-000000000000",
    report_type: type,
    seo_title: "preview",
    first_name: fields.first_name.trim(),
    last_name: fields.last_name.trim(),
    title: fields.title.trim(),
    description: fields.description.trim(),
    city: fields.city.trim(),
    state: fields.state.trim(),
    country: fields.country as Country,
    currency: fields.currency as Currency,
    amount: readAmount(fields[mainAmount(type)]) ?? 0,
    total_due: fromCents(reportTotal(state)),
    shipping_status: fields.shipping_status as ShippingStatus,
    resolution_status: fields.resolution_status as ResolutionStatus,
    status: "pending",
    verified: false,
    created_at: now,
    updated_at: now,
    timestamp: Math.floor(Date.parse(now) / 1000),
    view_count: 0,
    rebuttal_count: 0,
    report_count: 1,
    is_habitual_offender: false,
    ...given({
      email: filled(fields.email, maskEmail),
      phone: filled(fields.phone, maskPhone),
      public_username: filled(fields.public_username),
      tracking_number: filled(fields.tracking_number),
      other_fees: readAmount(fields.other_fees),
    }),
    ...(type === "bad_check" ? checkPart(fields) : chargebackPart(fields)),
    chargebacks: state.items.map(itemPart),
    other_reports: [],
  };
}

type Fields = FormState["fields"];

function chargebackPart(fields: Fields): Partial<ReportDetail> {
  return given({
    transaction_date: filled(fields.transaction_date),
    chargeback_date: filled(fields.chargeback_date),
    chargeback_reason: fields.chargeback_reason as ChargebackReason,
    chargeback_fee: readAmount(fields.chargeback_fee),
    first_6: filled(fields.first_6),
    last_4: filled(fields.last_4),
  });
}

function checkPart(fields: Fields): Partial<ReportDetail> {
  return given({
    check_amount: readAmount(fields.check_amount) ?? 0,
    check_date: filled(fields.check_date),
    check_reason: fields.check_reason as CheckReason,
    bank_name: filled(fields.bank_name),
    bank_account: filled(fields.bank_account, maskAccount),
  });
}

function itemPart(item: ItemValues): ReportDetail["chargebacks"][number] {
  const { values } = item;
  return {
    amount: readAmount(values.amount) ?? 0,
    reason: values.reason as ChargebackReason,
    ...given({
      date: filled(values.date),
      chargeback_fee: readAmount(values.chargeback_fee),
      other_fees: readAmount(values.other_fees),
    }),
    total_due: fromCents(itemTotal(item)),
  };
}

function filled(text: string, as: (text: string) => string = (same) => same): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : as(trimmed);
}
