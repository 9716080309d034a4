import { Type } from "typebox";
import { Errors } from "typebox/value";
import { expect, it } from "vitest";
import { fieldLabel, wordProblems } from "./validation.ts";

it.each([
  ["first_name", "First name"],
  ["reporter_ip", "Reporter IP"],
  ["refreshToken", "Refresh token"],
  ["constructor", "Constructor"],
  ["__proto__", "Proto"],
  ["", "This field"],
])("labels the field %j %j", (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});

it.each([
  ["a code", Type.Enum(["one", "two"]), "Color must be one of: one, two"],
  ["a number", Type.Number(), "Color must be a number, for example 12.50"],
])("names the accepted value of a clearable field that takes %s", (_, type, sentence) => {
  const schema = Type.Object({ color: Type.Union([type, Type.Null()]) });
  expect(wordProblems(Errors(schema, { color: "red" }), "The body")).toEqual({ color: sentence });
});
