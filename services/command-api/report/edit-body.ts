import { Compile } from "typebox/compile";
import { EditReport } from "#contracts/http/moderation.ts";
import { FIELD_LABELS } from "#contracts/report/derive/fields.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { fieldLabel, wordProblems } from "#http/validation.ts";
import { cannotBeCleared } from "./report.edit.ts";

const validator = Compile(EditReport);

/** Problems of an edit by field, independent of the report. @param body as sent, without empty strings. */
export function editBodyProblems(body: unknown): Problems {
  if (validator.Check(body)) return {};
  const problems = wordProblems(validator.Errors(body), "The edit");
  for (const [field, value] of Object.entries(body ?? {})) {
    if (value !== null || !(field in problems)) continue;
    const label = FIELD_LABELS[field as keyof typeof FIELD_LABELS] ?? fieldLabel(field);
    problems[field] = cannotBeCleared(label);
  }
  return problems;
}
