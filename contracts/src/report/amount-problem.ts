export const AMOUNT_RULE = "Enter an amount of 0 or more with at most two decimal places";

/** The message for a value that is not an amount. */
export function amountProblem(value: unknown): string {
  return /,\d{1,2}\s*$/.test(String(value))
    ? "Write the cents after a point, as in 12.50"
    : AMOUNT_RULE;
}
