import { describe, expect, it } from "vitest";
import { findPrivateText } from "./find-private-text.ts";

const found = (text: string, own: string[] = []) =>
  findPrivateText(text, { own }).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("private text", () => {
  it.each([
    "4111111111111111",
    "4111 1111 1111 1111",
    "4111\u00a01111\u20131111.1111",
    "378282246310005",
    "4111/1111/1111/1111",
    "\uff14\uff11\uff11\uff11 1111 1111 1111",
    "41\u200b11 1111 1111 1111",
  ])("finds the card number %s, whatever separates its digits", (card) => {
    expect(found(`He paid with ${card} in May.`)).toEqual([["card", card]]);
  });

  it.each([
    "4111111111111112",
    "9111111111111111",
    "41111111111111",
    "Order 100200300, $1,250.00 on 05/12/2025",
  ])("takes %s for no card, as check digit, issuer or length is wrong", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("takes the report's own order field for no card", () => {
    expect(found("Order 4111-1111-1111-1111", ["4111111111111111"])).toEqual([]);
  });

  it.each([
    ["CVV: 123", "cvc", "123"],
    ["her 219-09-9999 is", "ssn", "219-09-9999"],
    ["SSN 219099999", "ssn", "219099999"],
    ["SIN 046 454 286", "sin", "046 454 286"],
    ["TFN 123 456 782", "tfn", "123 456 782"],
    ["NI AB 12 34 56 C", "nino", "AB 12 34 56 C"],
    ["write to jo@example.com", "email", "jo@example.com"],
    ["call (212) 555-0142 now", "phone", "(212) 555-0142"],
    ["to GB82 WEST 1234 5698 7654 32", "iban", "GB82 WEST 1234 5698 7654 32"],
  ])("finds in '%s' the %s", (text, kind, place) => {
    expect(found(text)).toEqual([[kind, place]]);
  });
});
