import { belongsTo } from "#contracts/report/derive/amounts.ts";
import { isMoney, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { fromCents, readAmount } from "#contracts/report/money.ts";
import { countryOf, regionCode } from "#contracts/report/regions.ts";
import {
  chargebackTotal,
  dueCents,
  inCents,
  type Payload,
  withoutEmpty,
} from "#contracts/report/submission-rules.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, type ItemValues, reportType } from "./form-state.ts";

function sentOf<F extends string>(fields: readonly F[], typed: Readonly<Record<F, string>>) {
  return Object.fromEntries(fields.map((field) => [field, sent(field, typed[field])]));
}

function sent(field: string, text: string): string | number {
  return (isMoney(field) ? readAmount(text) : undefined) ?? text;
}

/** Returns the report's computed total in cents. Empty amounts count as zero. */
export function reportTotal(state: FormState): number {
  return dueCents(reportType(state), inCents(sentOf(FORM_FIELDS, state.fields)));
}

/** Returns an additional chargeback's computed total in cents. */
export function itemTotal({ values }: ItemValues): number {
  return chargebackTotal(inCents(sentOf(ITEM_FIELDS, values)));
}

/**
 * Builds the request: the chosen type's fields, with amounts as numbers and without empty values. Invalid values
 * are sent as typed, so that the error names their field.
 */
export function toPayload(state: FormState): Payload {
  const type = reportType(state);
  const fields = FORM_FIELDS.filter((field) => belongsTo(REPORT_ROWS[field], type));
  const payload: Record<string, unknown> = sentOf(fields, state.fields);
  payload.state = regionCode(countryOf(state.fields.country), state.fields.state);
  payload.total_due = fromCents(reportTotal(state));
  if (state.items.length > 0) {
    payload.chargebacks = state.items.map((item) => ({
      ...sentOf(ITEM_FIELDS, item.values),
      total_due: fromCents(itemTotal(item)),
    }));
  }
  if (state.termsAccepted) payload.terms_accepted = true;
  if (state.termsAccepted) payload.terms_version = state.termsVersion;
  return withoutEmpty(payload) as Payload;
}
