import type { ReportType } from "./words.ts";

/** What is due, in integer cents. */

export interface FeeCents {
  readonly chargeback_fee_cents?: number | null | undefined;
  readonly other_fees_cents?: number | null | undefined;
}
export interface AmountCents extends FeeCents {
  readonly amount_cents?: number | null | undefined;
  readonly check_amount_cents?: number | null | undefined;
}

/** The amount that a report of the type is about; the fees come on top of it. */
export function mainAmount(type: ReportType): "amount" | "check_amount" {
  return type === "bad_check" ? "check_amount" : "amount";
}

/** The fees of a report of the type: a bad check has no chargeback fee. */
export function feesCents(type: ReportType, fees: FeeCents): number {
  const fee = type === "bad_check" ? 0 : (fees.chargeback_fee_cents ?? 0);
  return fee + (fees.other_fees_cents ?? 0);
}

/** What the amounts of a report add up to, without its additional chargebacks. */
export function dueCents(type: ReportType, amounts: AmountCents): number {
  return (amounts[`${mainAmount(type)}_cents`] ?? 0) + feesCents(type, amounts);
}

/** What an additional chargeback adds up to. */
export function chargebackTotal(amounts: AmountCents): number {
  return dueCents("chargeback", amounts);
}
