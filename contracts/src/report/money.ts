/** Amounts: decimal numbers with at most two places on the wire, integer cents everywhere else. */

/** The largest amount that a report may name, in whole units of its currency. */
export const MAX_AMOUNT = 9_999_999_999.99;

/** Whether the number has at most two decimal places and is no more than `MAX_AMOUNT`. */
export function isAmount(value: number): boolean {
  return (
    Number.isFinite(value) &&
    value >= 0 &&
    value <= MAX_AMOUNT &&
    !Object.is(value, -0) &&
    Number(value.toFixed(2)) === value
  );
}

/** Cents of an amount that passed `isAmount`. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** The decimal number of some cents, exact to two places. */
export function fromCents(cents: number): number {
  return Number((cents / 100).toFixed(2));
}

/** "$1,234.50": en-US, as every screen and mail shows it. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
}

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
