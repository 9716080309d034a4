import { expect, it } from "vitest";
import { REJECTION_REASONS, rejectionLabel, rejectionText } from "./words.ts";

it("has a different sentence for each reason except `other`, which has only its text", () => {
  const { other, ...rest } = REJECTION_REASONS;
  const sentences = Object.keys(rest).map((code) => rejectionText(null, code));
  expect(new Set(sentences).size).toBe(6);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].+\.$/);
  expect(rejectionText("Retold.", "other")).toBe("Retold.");
  expect(rejectionLabel("other")).toBe(other);
});

it("puts the text after the sentence", () => {
  expect(rejectionText("See report 12.", "duplicate")).toBe(
    "The same case has already been reported. See report 12.",
  );
});

it("handles rejections without a code, or with a code unknown to this version", () => {
  expect(rejectionText("No proof", null)).toBe("No proof");
  expect(rejectionText(null, null)).toBeNull();
  expect(rejectionText(null, "too_short")).toBe("Too short");
  expect(rejectionText("Two words.", "too_short")).toBe("Two words.");
  // The text of `other` was erased.
  expect(rejectionText(null, "other")).toBe("Other");
});
