import type { ReportField } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { AdditionalChargeback, reportFields } from "#contracts/report/fields.ts";
import {
  labelIn,
  missingFields,
  type Payload,
  type Problems,
  ruleProblems,
} from "#contracts/report/submission-rules.ts";
import { valueProblem } from "#contracts/report/value-problem.ts";
import { TERMS_OUTDATED } from "#contracts/report/words.ts";
import type { ItemField } from "./form-fields.ts";
import type { FormState } from "./form-state.ts";
import { toPayload } from "./payload.ts";

/**
 * Returns all of the form's errors, one sentence per field, with the same keys as the server's errors. The
 * schemas and rules are the server's own.
 *
 * @param latestDate the latest date that isn't in the future anywhere, `YYYY-MM-DD`.
 */
export function problemsOf(state: FormState, latestDate: string): Problems {
  const payload = toPayload(state);
  return {
    ...ruleProblems(payload, latestDate),
    ...schemaProblems(payload),
    ...missingFields(payload),
    ...(state.termsChanged && !state.termsAccepted ? { terms_accepted: TERMS_OUTDATED } : {}),
    ...missingItemAmounts(payload),
  };
}

function schemaProblems(payload: Payload): Problems {
  const problems: Problems = {};
  for (const [field, schema] of Object.entries(reportFields)) {
    if (field === "chargebacks" || payload[field] === undefined) continue;
    const row = REPORT_ROWS[field as ReportField];
    const problem = valueProblem(row.label, row, schema, payload[field]);
    if (problem) problems[field] = problem;
  }
  itemsOf(payload).forEach((item, i) => {
    for (const [name, value] of Object.entries(item)) {
      const row = CHARGEBACK_ROWS[name as ItemField];
      const schema = AdditionalChargeback.properties[name as ItemField];
      const problem = valueProblem(row.label, row, schema, value);
      if (problem) problems[`chargebacks.${i}.${name}`] = problem;
    }
  });
  return problems;
}

function missingItemAmounts(payload: Payload): Problems {
  const problems: Problems = {};
  itemsOf(payload).forEach((item, i) => {
    if (item.amount === undefined) problems[`chargebacks.${i}.amount`] = "Amount is required";
  });
  return problems;
}

function itemsOf(payload: Payload): readonly Payload[] {
  return (payload.chargebacks ?? []) as readonly Payload[];
}

/**
 * Prefixes an error with its field: "Original amount: Enter an amount of 0 or more ...".
 * @param payload of the form; some labels depend on its country.
 */
export function labeled(path: string, sentence: string, payload: Payload): string {
  const [field = "", index, part] = path.split(".");
  if (field === "evidence")
    return index ? `File ${Number(index) + 1}: ${sentence}` : `Evidence: ${sentence}`;
  const label = part ? CHARGEBACK_ROWS[part as ItemField]?.label : labelIn(field, payload);
  const named = !label || sentence.startsWith(label) ? sentence : `${label}: ${sentence}`;
  return index ? `Additional chargeback ${Number(index) + 1}, ${named}` : named;
}

/** Returns the ID of a field's control. */
export function controlId(field: string): string {
  return `field-${field.replaceAll(".", "-")}`;
}

/** Sorts the errors by the form's order, for the summary. */
export function inOrder(problems: Problems, order: readonly string[]): [string, string][] {
  const place = (field: string) => {
    const index = order.indexOf(field.split(".")[0] as string);
    return index < 0 ? order.length : index;
  };
  return Object.entries(problems).sort(([a], [b]) => place(a) - place(b) || naturally(a, b));
}

const collator = new Intl.Collator("en", { numeric: true });
function naturally(a: string, b: string): number {
  return collator.compare(a, b);
}
