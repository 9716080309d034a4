import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TERMS_VERSION } from "#contracts/report/words.ts";

/**
 * Hash of the wording of each version. A changed text needs a new version with its own line here.
 */
const TEXTS: Readonly<Record<string, string>> = {
  "2026-11-21": "3bee731787104c9d582bd90dd8b713f72cfd7853af380f5aebd86ef21cdeb92e",
};

/** The words of the page, without markup and line breaks. */
function words(): string {
  const source = readFileSync(`${import.meta.dirname}/TermsPage.tsx`, "utf8");
  const page = source.slice(source.indexOf("<article"), source.lastIndexOf("</article>"));
  return page
    .replace(/<[^>]*>/g, " ")
    .replace(/\{" "\}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

it("the terms match their version: a changed text needs a new version", () => {
  expect(createHash("sha256").update(words()).digest("hex")).toBe(TEXTS[TERMS_VERSION]);
});
