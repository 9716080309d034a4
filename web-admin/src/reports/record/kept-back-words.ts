import type { FieldRow } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS, typeOf } from "#contracts/report/derive/fields.ts";
import { type Shown, shownTo } from "#contracts/report/derive/visibility.ts";
import { labelInSentence } from "../../shared/labels.ts";
import type { ShownReport } from "./record-fields.ts";

type Rows = Readonly<Record<string, FieldRow>>;

/** What a moderator cannot see of a report before a reveal, as a sentence without the full stop. */
export function keptBackWords(
  report: ShownReport,
  rows: Rows = REPORT_ROWS,
  itemRows: Rows = CHARGEBACK_ROWS,
): string {
  const type = typeOf(report.report_type);
  const own = Object.values(rows).filter(({ only = type }) => only === type);
  const hasItems = Array.isArray(report.chargebacks) && report.chargebacks.length > 0;
  const all = hasItems ? [...own, ...Object.values(itemRows)] : own;
  const words = (as: Shown) => inWords(all.filter((row) => shownTo(row, "moderator") === as));
  const parts = [
    { words: words("hidden"), what: "kept back" },
    { words: words("masked"), what: "masked" },
  ];
  const sentence = parts
    .filter((part) => part.words.length > 0)
    .map((part) => `${listed(part.words)} ${part.words.length > 1 ? "are" : "is"} ${part.what}`)
    .join("; ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Each name once, those about the reporter last: "notes, the reporter's first name, last name". */
function inWords(rows: readonly FieldRow[]): string[] {
  const [reporter = [], others = []] = [true, false].map((ofReporter) => [
    ...new Set(
      rows
        .filter(({ part }) => (part === "reporter") === ofReporter)
        .map(({ label }) => labelInSentence(label.replace(/^Your /, ""))),
    ),
  ]);
  return [
    ...others,
    ...reporter.map((name, place) => (place === 0 ? `the reporter's ${name}` : name)),
  ];
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}
