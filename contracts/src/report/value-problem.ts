import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { EMAIL_SENTENCE } from "../account/email.ts";
import type { FieldRow } from "./catalogue.ts";
import {
  DATE_SENTENCE,
  exceededLimit,
  isOneLineError,
  lengthRule,
  ONE_LINE_RULE,
} from "./fields.ts";
import { amountProblem } from "./money.ts";

/**
 * Returns the problem with the value of a form's field, or undefined if there is none.
 * @param label label of the field.
 * @param row undefined for a field that is not in the catalogue.
 */
export function valueProblem(
  label: string,
  row: FieldRow | undefined,
  schema: TSchema,
  value: unknown,
): string | undefined {
  const errors = Errors(schema, value);
  if (errors.length === 0) return undefined;
  const limit = exceededLimit(errors);
  if (limit !== undefined) return `${label} ${lengthRule(limit)}`;
  if (errors.some(isOneLineError)) return `${label} ${ONE_LINE_RULE}`;
  if (row?.kind === "money") return amountProblem(value);
  if (row?.kind === "email") return EMAIL_SENTENCE;
  if (row?.kind === "date") return DATE_SENTENCE;
  const refined = errors.find(({ keyword }) => keyword === "~refine")?.message;
  return refined ?? row?.sentence ?? `${label} is not valid`;
}
