import { isAmount } from "./money.ts";

/**
 * The amount that a text means, wherever one is typed: `1,234.50`, `1234.5`, `$ 99`. Undefined for
 * what is none. A comma stands between thousands only: `12,50` could be read as 12.50 or as 1250.
 */
export function readAmount(text: string): number | undefined {
  const plain = text.trim().replace(/^[$€£]\s*/, "");
  if (!/^(?=.*\d)(\d+|\d{1,3}(,\d{3})+)?(\.\d{0,2})?$/.test(plain)) return undefined;
  const value = Number(plain.replaceAll(",", ""));
  return isAmount(value) ? value : undefined;
}
