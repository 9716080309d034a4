import { expect, it } from "vitest";
import { fieldLabel } from "./problem-wording.ts";

it.each([
  ["first_name", "First name"],
  ["reporter_ip", "Reporter IP"],
  ["refreshToken", "Refresh token"],
  ["constructor", "Constructor"],
  ["__proto__", "Proto"],
  ["", "This field"],
])("the field %j is called %j", (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
