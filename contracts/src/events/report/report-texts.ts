import { catalogue, chargebackCatalogue, type FieldRow } from "../../report/catalogue.ts";

/** What a reader sees in place of a private text. */
export const MASKED_TEXT = "[masked]";

type Values = Readonly<Record<string, unknown>>;

function textFields(rows: Readonly<Record<string, FieldRow>>): readonly string[] {
  return Object.keys(rows).filter((field) => rows[field]?.freeText);
}

/** Fields that hold whatever their writer typed. */
export const TEXT_FIELDS = textFields(catalogue);
const CHARGEBACK_TEXT_FIELDS = textFields(chargebackCatalogue);

/** Applies a change to each free text of a part of a report; other values stay as they are. */
export function mapTexts(report: Values, change: (text: string) => string): Values {
  const { chargebacks } = report;
  return {
    ...mapFields(report, TEXT_FIELDS, change),
    ...(Array.isArray(chargebacks)
      ? { chargebacks: chargebacks.map((item) => mapFields(item, CHARGEBACK_TEXT_FIELDS, change)) }
      : {}),
  };
}

function mapFields(values: Values, fields: readonly string[], change: (text: string) => string) {
  const entries = fields
    .filter((field) => typeof values[field] === "string")
    .map((field) => [field, change(values[field] as string)]);
  return { ...values, ...Object.fromEntries(entries) };
}

/** The free texts of a part of a report alone, with its additional chargebacks as a whole. */
export function pickTexts(report: Values): Values {
  const kept = (field: string) => field === "chargebacks" || TEXT_FIELDS.includes(field);
  return Object.fromEntries(Object.entries(report).filter(([field]) => kept(field)));
}

/** A free text, and where it is: `description`, `chargebacks.0.notes`. */
export interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** All free texts of a report in the form of the wire. */
export function textsAt(report: Values): PlacedText[] {
  const placed = (values: Values, fields: readonly string[], prefix = "") =>
    fields.flatMap((field) =>
      typeof values[field] === "string" ? [{ path: prefix + field, text: values[field] }] : [],
    );
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as Values[]) : [];
  return [
    ...placed(report, TEXT_FIELDS),
    ...items.flatMap((item, i) => placed(item, CHARGEBACK_TEXT_FIELDS, `chargebacks.${i}.`)),
  ];
}

/** The free text at a path; undefined where there is none. */
export function textAt(report: Values, path: string): string | undefined {
  return textsAt(report).find((each) => each.path === path)?.text;
}

/** The free texts of a part of a report, in one fixed order. */
export function textsIn(report: Values): string[] {
  const texts: string[] = [];
  mapTexts(report, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The same report with these free texts, in the order of {@link textsIn}. */
export function withTexts(report: Values, texts: readonly string[]): Values {
  let index = 0;
  return mapTexts(report, (masked) => texts[index++] ?? masked);
}
