import type { FieldRow } from "../catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "../derive/fields.ts";
import { findPrivateText, type PrivatePlace } from "./find-private-text.ts";
import { PRIVATE_KINDS } from "./found-place.ts";

type Fields = Readonly<Record<string, unknown>>;
type Rows = Readonly<Record<string, FieldRow>>;

/** Whether a field accepts any text. */
export function isFreeText({ kind }: FieldRow): boolean {
  return kind === "line" || kind === "prose" || kind === "state";
}

interface ReportText {
  /** `description`, `chargebacks.0.notes`. */
  readonly path: string;
  readonly row: FieldRow;
  readonly text: string;
}

function* textsIn(rows: Rows, fields: Fields, prefix = ""): Generator<ReportText> {
  for (const [field, row] of Object.entries(rows)) {
    const text = fields[field];
    if (isFreeText(row) && typeof text === "string") yield { path: prefix + field, row, text };
  }
}

/** Returns all free texts of a report and of its additional chargebacks, even if no schema has checked them. */
function reportTexts(report: Fields): ReportText[] {
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as Fields[]) : [];
  return [
    ...textsIn(REPORT_ROWS, report),
    ...items.flatMap((item, i) => [...textsIn(CHARGEBACK_ROWS, item ?? {}, `chargebacks.${i}.`)]),
  ];
}

/** Returns the numbers of the report's own orders and parcels. */
export function ownNumbers(report: Fields): string[] {
  return reportTexts(report)
    .filter(({ row }) => row.own)
    .map(({ text }) => text);
}

/** Maximum number of places that a message names. */
const MAX_NAMED = 3;

/**
 * Returns why a text is rejected, or undefined if it contains no refused details. A place is shown without the
 * digits in its middle, so that neither a reply nor a log repeats what must not be stored.
 * @param label label of the text's field.
 */
export function refusedText(
  label: string,
  text: string,
  own: readonly string[],
): string | undefined {
  const places = findPrivateText(text, { own, only: "refused" });
  if (places.length === 0) return undefined;
  const named = places
    .slice(0, MAX_NAMED)
    .map((place) => `${PRIVATE_KINDS[place.kind].name}: ${quoted(text, place)}`);
  const rest = places.length - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])];
  const list = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
  return `${label} contains what looks like ${list}. Remove ${places.length > 1 ? "them" : "it"}.`;
}

/** "4111 … 1111": at most a quarter of the place at each end; for a short place, the text before it. */
function quoted(text: string, { start, end }: PrivatePlace): string {
  const characters = [...text.slice(start, end).replace(/[^\p{L}\p{N}]/gu, "")];
  const shown = Math.min(4, Math.floor(characters.length / 4));
  if (shown < 2) {
    const before = text.slice(Math.max(0, start - 20), start).replace(/^\S*\s/, "");
    return `"${before.replace(/\s+/g, " ").replace(/\p{N}/gu, "*")}${"*".repeat(characters.length)}"`;
  }
  return `"${characters.slice(0, shown).join("")} … ${characters.slice(-shown).join("")}"`;
}

/** Returns a message for each text of a report with refused details, by field. */
export function refusedTexts(report: Fields): Record<string, string> {
  const own = ownNumbers(report);
  const problems: Record<string, string> = {};
  for (const { path, row, text } of reportTexts(report)) {
    const problem = refusedText(row.label, text, own);
    if (problem) problems[path] = problem;
  }
  return problems;
}

/** Returns a place's label for moderators: "card number". */
export function placeLabel({ kind }: PrivatePlace): string {
  return PRIVATE_KINDS[kind].name.replace(/^an? /, "");
}

/** Returns the places in a text that its writer is warned about. */
export function warnedPlaces(text: string, own: readonly string[]): readonly PrivatePlace[] {
  return findPrivateText(text, { own, only: "warned" });
}
