import { fieldLabel, valueText } from "../../shared/labels.ts";

/**
 * A value of one version in words. A list has a line for each entry, since two lists of the same length may
 * differ.
 */
export function comparedText(field: string, value: unknown, currency: string): string {
  if (!Array.isArray(value) || value.length === 0) return valueText(field, value, currency);
  return value.map((item, i) => `${i + 1}. ${entryText(item, currency)}`).join("\n");
}

function entryText(item: unknown, currency: string): string {
  if (typeof item !== "object" || item === null) return valueText("", item, currency);
  return Object.entries(item)
    .map(([field, value]) => `${fieldLabel(field)}: ${valueText(field, value, currency)}`)
    .join(", ");
}
