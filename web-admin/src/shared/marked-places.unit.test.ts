import { expect, it } from "vitest";
import { markedPlaces } from "./marked-places.ts";

const marked = (text: string, own: readonly string[] = []) =>
  markedPlaces(text, own).map(({ start, end, label }) => [text.slice(start, end), label]);

it("marks private-looking text and abusive words, in text order", () => {
  expect(marked("That bitch wrote from jo@example.com, 4111 1111 1111 1111")).toEqual([
    ["bitch", "abusive word"],
    ["jo@example.com", "email address"],
    ["4111 1111 1111 1111", "card number"],
  ]);
});

it("marks a range only once, and never the report's own order numbers", () => {
  expect(marked("fuck@example.com")).toEqual([["fuck@example.com", "email address"]]);
  expect(marked("Order 4111 1111 1111 1111", ["4111111111111111"])).toEqual([]);
});
