import { expect, it } from "vitest";
import { profileProblems, registrationProblems, tidyAccount } from "./account-rules.ts";
import { newPasswordProblems, passwordHint, RESET_PASSWORD } from "./password-rule.ts";

const good = {
  first_name: "Rae",
  last_name: "Holt",
  email: "rae@shop.example",
  password: "Lamp-light-42",
  confirmPassword: "Lamp-light-42",
};

it("a complete registration has no problem, with and without its optional fields", () => {
  expect(registrationProblems(good)).toEqual({});
  const more = { phone: "+1 303 555 0142", company_name: "Lamps & Co" };
  const website = "https://lamps.example/about?us#top";
  expect(registrationProblems({ ...good, ...more, website })).toEqual({});
});

it("an empty registration gets a message for each required field", () => {
  expect(registrationProblems(tidyAccount({ first_name: " ", email: "", password: "" }))).toEqual({
    first_name: "First name is a required field",
    last_name: "Last name is a required field",
    email: "Email is a required field",
    password: "Password is a required field",
    confirmPassword: "Confirm password is a required field",
  });
});

it.each([
  ["Short1", "Password must be at least 8 characters"],
  ["😀😀Aa1", "Password must be at least 8 characters"],
  [`Aa1${"x".repeat(998)}`, "Password must be at most 1000 characters"],
  [
    "lamp-light-42",
    "Password must contain at least one uppercase letter, one lowercase letter, and one number",
  ],
  [
    "LAMP-LIGHT-42",
    "Password must contain at least one uppercase letter, one lowercase letter, and one number",
  ],
  [
    "Lamp-light-xx",
    "Password must contain at least one uppercase letter, one lowercase letter, and one number",
  ],
])("rejects the password %j", (password, sentence) => {
  expect(registrationProblems({ ...good, password, confirmPassword: password })).toEqual({
    password: sentence,
  });
});

it("the hint gives the account's minimum length, or both when the link does not reveal the account type", () => {
  expect(passwordHint("user")).toMatch(/^At least 8 characters,/);
  expect(passwordHint("staff")).toMatch(/^At least 12 characters,/);
  expect(passwordHint("unknown")).toMatch(/^At least 8 characters \(12 for staff accounts\),/);
});

it("accepts letters of any script and leading or trailing spaces in a password", () => {
  const password = " Лампа свет 4 ";
  const sent = tidyAccount({ ...good, password, confirmPassword: password });
  expect(registrationProblems(sent)).toEqual({});
  expect(sent.password).toBe(password);
});

it("rejects a mismatched confirmation with each form's own message", () => {
  const differs = { password: "Lamp-light-42", confirmPassword: "Lamp-light-43" };
  expect(newPasswordProblems(differs)).toEqual({ confirmPassword: "Passwords must match" });
  expect(newPasswordProblems(differs, RESET_PASSWORD)).toEqual({
    confirmPassword: "Passwords do not match",
  });
  expect(newPasswordProblems({}, RESET_PASSWORD)).toEqual({
    password: "Please fill in all fields",
    confirmPassword: "Please fill in all fields",
  });
});

it.each([
  "rae",
  "rae@shop",
  "rae@shop..example",
  "<b>@shop.example",
  `${"r".repeat(64)}@${"s".repeat(63)}.${"t".repeat(63)}.${"u".repeat(63)}.${"v".repeat(63)}`,
])("rejects the address %j", (email) => {
  expect(registrationProblems({ ...good, email })).toEqual({ email: "Please enter a valid email" });
});

it.each([
  "lamps.example",
  "javascript:alert(1)",
  "https://localhost",
  "https://a b.example",
  "https://rae:secret@lamps.example",
  "ftp://lamps.example",
])("rejects the website %j", (website) => {
  expect(registrationProblems({ ...good, website })).toEqual({
    website: "Please enter a valid URL",
  });
});

it("a profile may be edited field by field, and optional fields may be cleared", () => {
  expect(profileProblems({})).toEqual({});
  expect(profileProblems({ phone: null, company: null, website: null, bio: null })).toEqual({});
  expect(profileProblems({ first_name: null })).toEqual({
    first_name: "First name is a required field",
  });
  expect(profileProblems({ bio: "x".repeat(2001), website: "lamps" })).toEqual({
    bio: "Bio must have at most 2000 characters",
    website: "Please enter a valid URL",
  });
});

it("leaves values that are not strings to the schema", () => {
  expect(registrationProblems({ ...good, first_name: 7, website: ["x"] })).toEqual({});
});
