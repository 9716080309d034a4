import { isAmount } from "./money.ts";

/**
 * The amount that a person's text means, wherever amounts are typed: `1,234.50`, `1234.5`, `$ 99`.
 * Undefined when the text is no amount. A comma may only separate thousands: `12,50` could mean
 * 12.50 or 1250.
 */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replace(/^[$€£]\s*/, "");
  if (!/^(?=.*\d)(\d+|\d{1,3}(,\d{3})+)?(\.\d{0,2})?$/.test(plain)) return undefined;
  const value = Number(plain.replaceAll(",", ""));
  return isAmount(value) ? value : undefined;
}
