import { describe, expect, it } from "vitest";
import { nameDifference } from "./name-terms.ts";

describe("the difference of two names", () => {
  it.each([
    ["Quinn", "QUINN", "same"],
    ["José", "Jose", "same"],
    ["O'Brien", "OBrien", "same"],
    ["Bob", "Robert", "nickname"],
    ["Peggy", "Margaret", "nickname"],
    ["Jon", "John", "nickname"],
  ])("for the given names %s and %s: %s", (a, b, kind) => {
    expect(nameDifference(a, b, "given")).toEqual({ kind });
    expect(nameDifference(b, a, "given")).toEqual({ kind });
  });

  it.each([
    ["Smith", "Smyth", { kind: "sounds_alike", letters: 1 }],
    ["Meyer", "Maier", { kind: "sounds_alike", letters: 2 }],
    ["Whitford", "Whitfrod", { kind: "sounds_alike", letters: 1 }],
    ["Arden", "Ardens", { kind: "letters", letters: 1 }],
    ["Trent", "Brent", { kind: "letters", letters: 1 }],
    ["Campbell", "Kanbell", { kind: "letters", letters: 3 }],
    ["Webb", "Trent", { kind: "different" }],
    ["Bob", "Robert", { kind: "different" }],
    ["Li", "Ng", { kind: "different" }],
    ["😀", "😎", { kind: "different" }],
    ["😀", "😀", { kind: "same" }],
    ["a".repeat(5_000), "b".repeat(5_000), { kind: "different" }],
  ])("for the last names %s and %s: %o", (a, b, difference) => {
    expect(nameDifference(a, b, "last")).toEqual(difference);
    expect(nameDifference(b, a, "last")).toEqual(difference);
  });
});
