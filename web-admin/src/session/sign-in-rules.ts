import { Check } from "typebox/value";
import { Email } from "#contracts/report/fields.ts";

/** What stands against an email address on the sign-in page; true when nothing does. */
export function emailProblem(value: string): true | string {
  const email = value.trim();
  if (!email) return "Email is required";
  return Check(Email, email) || "Please enter a valid email";
}

export function passwordProblem(value: string): true | string {
  return value !== "" || "Password is required";
}
