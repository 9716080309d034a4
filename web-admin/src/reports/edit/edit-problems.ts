import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { EditReport } from "#contracts/http/moderation.ts";
import type { FieldKind } from "#contracts/report/catalogue.ts";
import { rowOf } from "#contracts/report/derive/fields.ts";
import {
  AdditionalChargeback,
  exceededLimit,
  isOneLineError,
  latestDate,
  lengthRule,
  ONE_LINE_RULE,
} from "#contracts/report/fields.ts";
import { amountProblem } from "#contracts/report/money.ts";
import {
  type Problems,
  problemsOfChange,
  ruleProblems,
} from "#contracts/report/submission-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { fieldLabel } from "../../shared/labels.ts";
import type { ShownReport } from "../record/record-fields.ts";
import { isRequired } from "./edit-values.ts";

export interface EditContext {
  /** The report as the form got it: masked or revealed. */
  readonly report: ShownReport;
  readonly type: ReportType;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Sentences for the patterns of a schema. */
const SENTENCES: Readonly<Partial<Record<FieldKind, string>>> = {
  email: "Please enter a valid email",
  ip_addresses: "Please enter valid IP addresses. Use format: 192.168.1.1, 10.0.0.1",
  date: "Enter a date that exists",
};

/**
 * What is wrong with an edit, by field name (`chargebacks.0.date` for an item). The server checks
 * everything again; this check only saves a request.
 */
export function editProblems(edit: EditReport, context: EditContext): Problems {
  const { report, type, now } = context;
  const problems: Problems = {};
  const { chargebacks, ...fields } = edit;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === "") {
      const problem = emptied(name, type);
      if (problem) problems[name] = problem;
    } else {
      const problem = refused(EditReport.properties, name, value);
      if (problem) problems[name] = problem;
    }
  }
  (chargebacks ?? []).forEach((item, index) => {
    const path = (name: string) => `chargebacks.${index}.${name}`;
    if (!("amount" in item)) problems[path("amount")] = "Amount is required";
    for (const [name, value] of Object.entries(item)) {
      const problem = refused(AdditionalChargeback.properties, name, value);
      if (problem) problems[path(name)] = problem;
    }
  });
  const after = { ...report, ...withoutNull(edit), report_type: type, total_due: undefined };
  const amount = type === "bad_check" ? { amount: undefined } : {};
  const rules = ruleProblems({ ...after, ...amount }, latestDate(now));
  return { ...problemsOfChange(rules, (field) => field in edit), ...problems };
}

function emptied(name: string, type: ReportType): string | undefined {
  if (name === "reason") return "A rejection needs a reason";
  return isRequired(name, type) ? `${fieldLabel(name)} is required` : undefined;
}

/** What is wrong with a value; undefined if nothing is. */
function refused(
  properties: Readonly<Record<string, TSchema>>,
  name: string,
  value: unknown,
): string | undefined {
  const schema = properties[name];
  const errors = schema ? Errors(schema, value) : [];
  if (schema && errors.length === 0) return undefined;
  const limit = exceededLimit(errors);
  if (limit !== undefined) return `${fieldLabel(name)} ${lengthRule(limit)}`;
  return errors.some(isOneLineError)
    ? `${fieldLabel(name)} ${ONE_LINE_RULE}`
    : sentence(name, value);
}

function sentence(name: string, value: unknown): string {
  const row = rowOf(name);
  if (row?.kind === "money") return amountProblem(value);
  return row?.sentence ?? (row && SENTENCES[row.kind]) ?? `${fieldLabel(name)} is not valid`;
}

function withoutNull(edit: EditReport): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(edit).map(([name, value]) => [name, value ?? undefined]),
  );
}
