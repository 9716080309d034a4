import { catalogue, chargebackCatalogue, type FieldRow } from "../../report/catalogue.ts";
import type { TextMapper } from "../definition.ts";

/** Shown in place of a masked text. Anyone can type it, so the event's state decides whether a text is masked. */
export const MASKED_TEXT = "[masked]";

type Values = Readonly<Record<string, unknown>>;

function textFields(rows: Readonly<Record<string, FieldRow>>): readonly string[] {
  return Object.keys(rows).filter((field) => rows[field]?.textKey);
}

/** Fields that hold free text. */
const TEXT_FIELDS = textFields(catalogue);
const CHARGEBACK_TEXT_FIELDS = textFields(chargebackCatalogue);

/** Free-text fields around a report, as named in its state and on its console page. */
const TEXTS_AROUND = ["rejection_reason", "reason"];
/** Free-text fields in its nested lists and objects. */
const TEXTS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  chargebacks: CHARGEBACK_TEXT_FIELDS,
  questions: ["question", "answer"],
  moderator_notes: ["note"],
  resolution: ["refusal"],
};

/** Applies a change to each free text of a report's part; other values stay as they are. */
export function mapTexts(report: Values, change: (text: string) => string): Values {
  const { chargebacks } = report;
  return {
    ...mapFields(report, TEXT_FIELDS, change),
    ...(Array.isArray(chargebacks)
      ? { chargebacks: chargebacks.map((item) => mapFields(item, CHARGEBACK_TEXT_FIELDS, change)) }
      : {}),
  };
}

/** Returns a predicate that is true for fields of the report's part that hold free text. */
export function hasTexts(report: Values): (field: string) => boolean {
  return (field) => textsAt({ [field]: report[field] }).length > 0;
}

/** Returns a mapper for a part that has a report, or its changed fields, in `field`. */
export function reportIn(field: string): TextMapper {
  return (part, change) =>
    part[field] === undefined
      ? part
      : { ...part, [field]: mapTexts(part[field] as Values, change) };
}

/** Returns a mapper for a part whose only free text is in `field`. */
export function textIn(field: string): TextMapper {
  return (part, change) => mapFields(part, [field], change);
}

function mapFields(values: Values, fields: readonly string[], change: (text: string) => string) {
  const entries = fields
    .filter((field) => typeof values[field] === "string")
    .map((field) => [field, change(values[field] as string)]);
  return { ...values, ...Object.fromEntries(entries) };
}

/** Returns only the free texts of a report's part, and its additional chargebacks as a whole. */
export function pickTexts(report: Values): Values {
  const kept = (field: string) => field === "chargebacks" || TEXT_FIELDS.includes(field);
  return Object.fromEntries(Object.entries(report).filter(([field]) => kept(field)));
}

/** A free text and its path: `description`, `chargebacks.0.notes`, `questions.1.answer`. */
export interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** Returns all free texts of a report in wire format, including those around it that the record has. */
export function textsAt(report: Values): PlacedText[] {
  const placed = (values: Values, fields: readonly string[], prefix = "") =>
    fields.flatMap((field) =>
      typeof values[field] === "string" ? [{ path: prefix + field, text: values[field] }] : [],
    );
  const within = Object.entries(TEXTS_WITHIN).flatMap(([name, fields]) => {
    const held = report[name];
    if (Array.isArray(held))
      return held.flatMap((item, i) => placed(item ?? {}, fields, `${name}.${i}.`));
    return held ? placed(held as Values, fields, `${name}.`) : [];
  });
  return [...placed(report, [...TEXT_FIELDS, ...TEXTS_AROUND]), ...within];
}

/** Returns the free text at a path, or undefined if there is none. */
export function textAt(report: Values, path: string): string | undefined {
  return textsAt(report).find((each) => each.path === path)?.text;
}

/** Returns the record with the texts at these paths replaced. */
export function withTextsAt<R extends object>(record: R, texts: readonly PlacedText[]): R {
  return texts.reduce<unknown>(
    (changed, { path, text }) => setAt(changed, path.split("."), text),
    record,
  ) as R;
}

function setAt(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === name ? setAt(each, rest, text) : each));
  if (typeof value !== "object" || value === null || !(name in value)) return value;
  return { ...value, [name]: setAt((value as Values)[name], rest, text) };
}
