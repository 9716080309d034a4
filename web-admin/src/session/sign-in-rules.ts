import { Check } from "typebox/value";
import { Email } from "#contracts/report/fields.ts";

/** What is wrong with an email address on the sign-in page; true if nothing is. */
export function emailProblem(value: string): true | string {
  const email = value.trim();
  if (!email) return "Email is required";
  return Check(Email, email) || "Please enter a valid email";
}

export function passwordProblem(value: string): true | string {
  return value !== "" || "Password is required";
}
