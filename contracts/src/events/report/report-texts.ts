import { catalogue, chargebackCatalogue, type FieldRow } from "../../report/catalogue.ts";
import type { TextMapper } from "../definition.ts";

/** What a reader sees in place of a private text. Whether a text is masked is a state of its event, since anyone can type this. */
export const MASKED_TEXT = "[masked]";

type Values = Readonly<Record<string, unknown>>;

function textFields(rows: Readonly<Record<string, FieldRow>>): readonly string[] {
  return Object.keys(rows).filter((field) => rows[field]?.textKey);
}

/** Fields that hold whatever their writer typed. */
const TEXT_FIELDS = textFields(catalogue);
const CHARGEBACK_TEXT_FIELDS = textFields(chargebackCatalogue);

/** Free texts around a report, as its state and its page in the console have them. */
const TEXTS_AROUND = ["rejection_reason", "reason"];
/** The same in its lists and parts. */
const TEXTS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  chargebacks: CHARGEBACK_TEXT_FIELDS,
  questions: ["question", "answer"],
  moderator_notes: ["note"],
  resolution: ["refusal"],
};

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

/** Whether a field of a report's part holds free texts. */
export function hasTexts(report: Values): (field: string) => boolean {
  return (field) => textsAt({ [field]: report[field] }).length > 0;
}

/** A part that has a report, or its changed fields, in a field. */
export function reportIn(field: string): TextMapper {
  return (part, change) =>
    part[field] === undefined
      ? part
      : { ...part, [field]: mapTexts(part[field] as Values, change) };
}

/** A part that is one free text. */
export function textIn(field: string): TextMapper {
  return (part, change) => mapFields(part, [field], change);
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

/** A free text, and where it is: `description`, `chargebacks.0.notes`, `questions.1.answer`. */
export interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** All free texts of a report in the form of the wire, and those around it that the record has. */
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

/** The free text at a path; undefined where there is none. */
export function textAt(report: Values, path: string): string | undefined {
  return textsAt(report).find((each) => each.path === path)?.text;
}

/** The same record with other texts at these places. */
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
