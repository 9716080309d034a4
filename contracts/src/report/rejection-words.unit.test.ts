import { expect, it } from "vitest";
import { REJECTION_REASONS, rejectionLabel, rejectionWords } from "./words.ts";

it("has a different sentence for each reason except `other`, which has only its text", () => {
  const { other, ...rest } = REJECTION_REASONS;
  const sentences = Object.keys(rest).map((code) => rejectionWords(null, code));
  expect(new Set(sentences).size).toBe(6);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/);
  expect(rejectionWords("Retold.", "other")).toBe("Retold.");
  expect(rejectionLabel("other")).toBe(other);
});

it("puts the text after the sentence", () => {
  expect(rejectionWords("See report 12.", "duplicate")).toBe(
    "The same case has already been reported. See report 12.",
  );
});

it("handles rejections without a code, or with a code unknown to this version", () => {
  expect(rejectionWords("No proof", null)).toBe("No proof");
  expect(rejectionWords(null, null)).toBeNull();
  expect(rejectionWords(null, "too_short")).toBe("Too short");
  expect(rejectionWords("Two words.", "too_short")).toBe("Two words.");
  // The text of `other` was erased.
  expect(rejectionWords(null, "other")).toBe("Other");
});
