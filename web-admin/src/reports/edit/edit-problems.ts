import type { TSchema } from "typebox";
import { EditReport } from "#contracts/http/moderation.ts";
import { rowOf } from "#contracts/report/derive/fields.ts";
import { AdditionalChargeback, latestDate } from "#contracts/report/fields.ts";
import {
  type Problems,
  problemsOfChange,
  ruleProblems,
} from "#contracts/report/submission-rules.ts";
import { valueProblem } from "#contracts/report/value-problem.ts";
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

/**
 * What is wrong with an edit, by field name (`chargebacks.0.date` for an item). The server checks
 * everything again; this check only saves a request.
 */
export function editProblems(edit: EditReport, { report, type, now }: EditContext): Problems {
  const { chargebacks = [], ...fields } = edit;
  const found = [
    ...Object.entries(fields).map(([name, value]) => [
      name,
      value === null || value === ""
        ? emptied(name, type)
        : refused(EditReport.properties, name, value),
    ]),
    ...chargebacks.flatMap((item, index) =>
      Object.entries({ ...AMOUNT_ASKED, ...item }).map(([name, value]) => [
        `chargebacks.${index}.${name}`,
        value === undefined
          ? "Amount is required"
          : refused(AdditionalChargeback.properties, name, value),
      ]),
    ),
  ];
  const after = { ...report, ...edit, report_type: type, total_due: undefined };
  const amount = type === "bad_check" ? { amount: undefined } : {};
  const rules = ruleProblems({ ...after, ...amount }, latestDate(now));
  return {
    ...problemsOfChange(rules, (field) => field in edit),
    ...Object.fromEntries(found.filter(([, problem]) => problem)),
  };
}

/** What an additional chargeback is never without. */
const AMOUNT_ASKED = { amount: undefined };

function emptied(name: string, type: ReportType): string | undefined {
  if (name === "reason") return "A rejection needs a reason";
  return isRequired(name, type) ? `${fieldLabel(name)} is required` : undefined;
}

function refused(properties: Readonly<Record<string, TSchema>>, name: string, value: unknown) {
  const schema = properties[name];
  return schema && valueProblem(fieldLabel(name), rowOf(name), schema, value);
}
