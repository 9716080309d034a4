import { expect, it } from "vitest";
import { markedPlaces } from "./marked-places.ts";

const marked = (text: string, own: readonly string[] = []) =>
  markedPlaces(text, own).map(({ start, end, label }) => [text.slice(start, end), label]);

it("marks what looks private and abusive words, in the order of the text", () => {
  expect(marked("That bitch wrote from jo@example.com, 4111 1111 1111 1111")).toEqual([
    ["bitch", "abusive word"],
    ["jo@example.com", "email address"],
    ["4111 1111 1111 1111", "card number"],
  ]);
});

it("marks a place once, and no order of the report", () => {
  expect(marked("fuck@example.com")).toEqual([["fuck@example.com", "email address"]]);
  expect(marked("Order 4111 1111 1111 1111", ["4111111111111111"])).toEqual([]);
});
