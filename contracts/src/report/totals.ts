/** What is due, in integer cents. */

export interface ChargebackAmounts {
  readonly amount_cents: number;
  readonly chargeback_fee_cents?: number;
  readonly other_fees_cents?: number;
}

/** Original amount + chargeback fee + other fees, of a report or of an additional chargeback. */
export function chargebackTotal(a: ChargebackAmounts): number {
  return a.amount_cents + (a.chargeback_fee_cents ?? 0) + (a.other_fees_cents ?? 0);
}

/** Check amount + other fees. */
export function badCheckTotal(a: {
  readonly check_amount_cents: number;
  readonly other_fees_cents?: number;
}): number {
  return a.check_amount_cents + (a.other_fees_cents ?? 0);
}
