import { expect, it } from "vitest";
import { REJECTION_REASONS, rejectionLabel, rejectionWords } from "./words.ts";

it("says each reason of the list in a sentence of its own, but for that which its text says", () => {
  const { other, ...rest } = REJECTION_REASONS;
  const sentences = Object.keys(rest).map((code) => rejectionWords(null, code));
  expect(new Set(sentences).size).toBe(6);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/);
  expect(rejectionWords("Retold.", "other")).toBe("Retold.");
  expect(rejectionLabel("other")).toBe(other);
});

it("puts a text behind the sentence", () => {
  expect(rejectionWords("See report 12.", "duplicate")).toBe(
    "The same case has already been reported. See report 12.",
  );
});

it("says what was stored without a code, or under a code that this version does not know", () => {
  expect(rejectionWords("No proof", null)).toBe("No proof");
  expect(rejectionWords(null, null)).toBeNull();
  expect(rejectionWords(null, "too_short")).toBe("Too short");
  expect(rejectionWords("Two words.", "too_short")).toBe("Two words.");
  // The text of `other` is erased.
  expect(rejectionWords(null, "other")).toBe("Other");
});
