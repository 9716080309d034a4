import type { FieldRow } from "../catalogue.ts";
import type { ReportType } from "../words.ts";

/** Whether reports of this type have the field. The others neither show nor send it. */
export function belongsTo({ only, asked }: FieldRow, type: ReportType): boolean {
  return (only ?? asked ?? type) === type;
}

/** The codes of a choice, each with its words for people. */
export function choicesOf({ codes = [] }: FieldRow): readonly (readonly [string, string])[] {
  return Array.isArray(codes) ? codes.map((code) => [code, code]) : Object.entries(codes);
}

/** Those of them that the form offers, in the form's order. */
export function offeredOf(row: FieldRow): readonly (readonly [string, string])[] {
  const words = new Map(choicesOf(row));
  return (row.offered ?? [...words.keys()]).map((code) => [code, words.get(code) ?? code]);
}

/** The initial value of a field in a new form. */
export function initialOf(row: FieldRow): string {
  return row.initial ?? offeredOf(row)[0]?.[0] ?? "";
}

/** How wide a control is, by what it accepts. */
export function widthOf({ kind, max = 0, codes, width }: FieldRow): "short" | "medium" | "full" {
  if (width) return width;
  if (["digits", "date"].includes(kind) || Array.isArray(codes)) return "short";
  if (["email", "phone", "choice", "state"].includes(kind)) return "medium";
  if (kind !== "line" || max > 100) return "full";
  return max > 12 ? "medium" : "short";
}

/**
 * How many characters the control accepts; undefined where a longer text is refused with a message.
 */
export function cutAt({ max, digits, cut }: FieldRow): number | undefined {
  return cut ? max : digits;
}
