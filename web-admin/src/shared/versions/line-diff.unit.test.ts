import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, folded } from "./line-diff.ts";

const signs = { same: " ", removed: "-", added: "+" } as const;
const diff = (before: string, after: string) =>
  diffLines([...before], [...after]).map(({ kind, text }) => signs[kind] + text);

describe("line diff", () => {
  it.each([
    ["abc", "abc", [" a", " b", " c"]],
    ["abc", "axc", [" a", "-b", "+x", " c"]],
    ["", "ab", ["+a", "+b"]],
    ["ab", "", ["-a", "-b"]],
    ["aa", "aaa", [" a", " a", "+a"]],
    ["abcd", "bcde", ["-a", " b", " c", " d", "+e"]],
  ])("from %j to %j is %j", (before, after, expected) => {
    expect(diff(before, after)).toEqual(expected);
  });

  it("keeps every line of both texts, in order", () => {
    const line = fc.constantFrom("a", "b", "c", "");
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const found = diffLines(before, after);
        const of = (kind: string) =>
          found.filter((each) => each.kind !== kind).map(({ text }) => text);
        expect(of("added")).toEqual(before);
        expect(of("removed")).toEqual(after);
      }),
    );
  });

  it("of two long texts treats the whole differing part as one block", () => {
    const around = (word: string, length: number) => {
      const many = Array.from({ length }, (_, n) => `${word}${n}`);
      return [...many, "the same", ...many];
    };
    const common = (length: number) =>
      diffLines(around("a", length), around("b", length)).filter(({ kind }) => kind === "same");
    expect(common(900)).toEqual([{ kind: "same", text: "the same" }]);
    expect(common(1_000)).toEqual([]);
  });

  it("collapses unchanged lines that are far from any change", () => {
    const shown = folded(diffLines([..."abcdefghij"], [..."abcdeXghij"]));
    expect(shown).toEqual([
      { skipped: 3 },
      { kind: "same", text: "d" },
      { kind: "same", text: "e" },
      { kind: "removed", text: "f" },
      { kind: "added", text: "X" },
      { kind: "same", text: "g" },
      { kind: "same", text: "h" },
      { skipped: 2 },
    ]);
    expect(folded(diffLines(["a"], ["a"]))).toEqual([{ skipped: 1 }]);
  });
});
