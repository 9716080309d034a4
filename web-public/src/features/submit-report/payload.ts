import { readAmount } from "#contracts/report/amount-text.ts";
import { isMoney, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { belongsTo } from "#contracts/report/derive/form.ts";
import { fromCents, toCents } from "#contracts/report/money.ts";
import { type Payload, withoutEmpty } from "#contracts/report/submission-rules.ts";
import { type AmountCents, chargebackTotal, dueCents } from "#contracts/report/totals.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, type ItemValues, reportType } from "./form-state.ts";

/** Cents of an amount that may not be typed yet. */
function cents(text: string): number {
  const amount = readAmount(text);
  return amount === undefined ? 0 : toCents(amount);
}

/** Amounts by their stored names; what is not typed yet counts as nothing. */
function amountsOf(typed: Readonly<Record<string, string>>): AmountCents {
  const amounts = Object.entries(typed).filter(([name]) => isMoney(name));
  return Object.fromEntries(amounts.map(([name, text]) => [`${name}_cents`, cents(text)]));
}

/** The computed total of the report, in cents. */
export function reportTotal(state: FormState): number {
  return dueCents(reportType(state), amountsOf(state.fields));
}

/** The computed total of an additional chargeback, in cents. */
export function itemTotal({ values }: Pick<ItemValues, "values">): number {
  return chargebackTotal(amountsOf(values));
}

/**
 * What is sent: the fields of the chosen type, amounts as numbers, nothing empty. What is typed
 * wrongly is in it as it was typed, so that it is refused by name.
 */
export function toPayload(state: FormState): Payload {
  const type = reportType(state);
  const payload: Record<string, unknown> = {};
  for (const field of FORM_FIELDS) {
    if (belongsTo(REPORT_ROWS[field], type)) payload[field] = sent(field, state.fields[field]);
  }
  payload.total_due = fromCents(reportTotal(state));
  if (state.items.length > 0) {
    payload.chargebacks = state.items.map((item) => ({
      ...Object.fromEntries(ITEM_FIELDS.map((name) => [name, sent(name, item.values[name])])),
      total_due: fromCents(itemTotal(item)),
    }));
  }
  if (state.termsAccepted) payload.terms_accepted = true;
  return withoutEmpty(payload) as Payload;
}

function sent(field: string, text: string): string | number {
  if (!isMoney(field) || text.trim() === "") return text;
  return readAmount(text) ?? text;
}
