/** Amounts: decimal numbers with at most two places on the wire, integer cents everywhere else. */

/** Maximum amount in a report, in whole units of its currency. */
const MAX_AMOUNT = 9_999_999_999.99;

/** Whether the number has at most two decimal places and is no more than `MAX_AMOUNT`. */
export function isAmount(value: number): boolean {
  return (
    value >= 0 && value <= MAX_AMOUNT && !Object.is(value, -0) && Number(value.toFixed(2)) === value
  );
}

/** Converts an amount to cents. The amount must pass `isAmount`. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Converts cents to an amount, exact to two decimal places. */
export function fromCents(cents: number): number {
  return Number((cents / 100).toFixed(2));
}

/** Formats an amount as "$1,234.50" (en-US), as on every screen and in every email. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
}

/** Parses an amount; undefined if it is not one. A comma may only separate thousands: `12,50` is ambiguous. */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replace(/^[$€£]\s*/, "");
  if (!/^(?=.*\d)(\d+|\d{1,3}(,\d{3})+)?(\.\d{0,2})?$/.test(plain)) return undefined;
  const value = Number(plain.replaceAll(",", ""));
  return isAmount(value) ? value : undefined;
}

export const AMOUNT_RULE = "Enter an amount of 0 or more with at most two decimal places";

/** Returns the message for a value that is not an amount. */
export function amountProblem(value: unknown): string {
  return /,\d{1,2}\s*$/.test(String(value))
    ? "Write the cents after a period, for example 12.50"
    : AMOUNT_RULE;
}
