import { EMAIL_SENTENCE, isEmail } from "../account/email.ts";
import type { Payload, Problems } from "../report/submission-rules.ts";
import { AGREED, type InquiryField } from "./inquiry-field.ts";
import { type InquiryKind, inquiryForms } from "./inquiry-forms.ts";

/** Trims the answers and leaves out those that are then empty. */
export function tidyInquiry(payload: Payload): Payload {
  const entries = Object.entries(payload)
    .map(([key, value]) => [key, typeof value === "string" ? value.trim() : value] as const)
    .filter(([, value]) => value !== "");
  return Object.fromEntries(entries);
}

/** What is wrong with the answers to a form, by field. The page and the server both say this. */
export function inquiryProblems(kind: InquiryKind, payload: Payload): Problems {
  const problems: Problems = {};
  for (const [name, field] of Object.entries(inquiryForms[kind].fields)) {
    const problem = problemOf(field, payload[name]);
    if (problem) problems[name] = problem;
  }
  return problems;
}

function problemOf(field: InquiryField, answer: unknown): string | undefined {
  const { label, max, required, kind, choices } = field;
  if (kind === "statement" && answer !== AGREED) return "Please confirm this statement";
  if (answer === undefined || answer === "")
    return required ? `${label} is a required field` : undefined;
  if (typeof answer !== "string") return undefined;
  if ([...answer].length > max) return `${label} must have at most ${max} characters`;
  if (choices && !Object.hasOwn(choices, answer)) return `${label} is not one of the choices`;
  return kind === "email" && !isEmail(answer) ? EMAIL_SENTENCE : undefined;
}
