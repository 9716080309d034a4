import {
  AMOUNTS,
  type AmountField,
  type Amounts,
  CHARGEBACK_AMOUNTS,
  type FeeField,
  type MainAmount,
} from "./derive/amounts.ts";
import type { ReportType } from "./words.ts";

type Cents<F extends string> = { readonly [K in `${F}_cents`]?: number | null | undefined };
/** Amounts by their stored names, in integer cents. */
export type FeeCents = Cents<FeeField>;
export type AmountCents = Cents<AmountField>;

/** The amount that a report of the type is about; the fees come on top of it. */
export function mainAmount(type: ReportType): MainAmount {
  return AMOUNTS[type].main;
}

/** The fees of a report of the type. */
export function feesCents(type: ReportType, fees: FeeCents): number {
  return feesOf(AMOUNTS[type], fees);
}

/**
 * A report's total due: its own amounts and those of its additional chargebacks. Lists, pages, exports and figures
 * show no other.
 */
export function totalDueCents(
  type: ReportType,
  amounts: AmountCents,
  chargebacks: readonly AmountCents[],
): number {
  return chargebacks.reduce((sum, item) => sum + chargebackTotal(item), dueCents(type, amounts));
}

/** The sum of a report's own amounts, which the form sends as `total_due`: without its additional chargebacks. */
export function dueCents(type: ReportType, amounts: AmountCents): number {
  return dueOf(AMOUNTS[type], amounts);
}

/** The sum of an additional chargeback's amounts. */
export function chargebackTotal(amounts: AmountCents): number {
  return dueOf(CHARGEBACK_AMOUNTS, amounts);
}

function dueOf(of: Amounts, amounts: AmountCents): number {
  return (amounts[`${of.main}_cents`] ?? 0) + feesOf(of, amounts);
}

function feesOf({ fees }: Amounts, amounts: FeeCents): number {
  let sum = 0;
  for (const fee of fees) sum += amounts[`${fee}_cents`] ?? 0;
  return sum;
}
