import type { Payload, Problems } from "../report/submission-rules.ts";
import { EMAIL_SENTENCE, isEmail } from "./email.ts";
import { newPasswordProblems } from "./password-rule.ts";
import { PROFILE_FIELDS, type ProfileField, type ProfileRow } from "./profile-fields.ts";

/** Fields that are not trimmed. */
const SECRETS: ReadonlySet<string> = new Set(["password", "confirmPassword", "currentPassword"]);

/** Registration fields other than the passwords, with the profile field of each. */
const REGISTERED: Readonly<Record<string, ProfileField>> = {
  first_name: "first_name",
  last_name: "last_name",
  phone: "phone",
  company_name: "company",
  website: "website",
};

/** Trims every text except passwords and leaves out empty ones, so that a form may send all of its fields. */
export function tidyAccount(payload: Payload): Payload {
  const entries = Object.entries(payload)
    .map(([key, value]) => {
      const isText = typeof value === "string" && !SECRETS.has(key);
      return [key, isText ? value.trim() : value] as const;
    })
    .filter(([, value]) => value !== "");
  return Object.fromEntries(entries);
}

/** Validates a registration. Returns messages by wire name; the form shows the same ones. */
export function registrationProblems(payload: Payload): Problems {
  const problems: Problems = {};
  for (const [name, field] of Object.entries(REGISTERED)) {
    const problem = fieldProblem(field, payload[name]);
    if (problem) problems[name] = problem;
  }
  const { email } = payload;
  if (email === undefined || email === "") problems.email = "Email is a required field";
  else if (typeof email === "string" && !isEmail(email)) problems.email = EMAIL_SENTENCE;
  return { ...problems, ...newPasswordProblems(payload) };
}

/** Validates a profile edit. Returns messages by wire name. An absent field keeps its value; `null` clears it. */
export function profileProblems(payload: Payload): Problems {
  const problems: Problems = {};
  for (const field of Object.keys(PROFILE_FIELDS) as ProfileField[]) {
    const value = payload[field];
    const problem = value === undefined ? undefined : fieldProblem(field, value ?? undefined);
    if (problem) problems[field] = problem;
  }
  return problems;
}

function fieldProblem(field: ProfileField, value: unknown): string | undefined {
  const { label, max, required }: ProfileRow = PROFILE_FIELDS[field];
  if (value === undefined || value === "")
    return required ? `${label} is a required field` : undefined;
  if (typeof value !== "string") return undefined;
  if ([...value].length > max) return `${label} must have at most ${max} characters`;
  return field === "website" && !isWebsite(value) ? WEBSITE_SENTENCE : undefined;
}

const WEBSITE_SENTENCE = "Please enter a valid URL";

/** Accepts an absolute HTTP or HTTPS URL without credentials. */
function isWebsite(value: string): boolean {
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === "" && password === "";
}
