/** The FAQ and emails are easy to read: each has a Flesch-Kincaid grade of at most 8. */
import { describe, expect, it } from "vitest";
import { loadShippedTexts } from "#content/shipped-texts.ts";
import { textRenderer } from "#content/text-values.ts";
import { type MailKind, mailKinds } from "#contracts/mail/mail-kinds.ts";
import {
  isTemplateKind,
  isUserText,
  sampleValues,
  templateKind,
} from "#contracts/mail/template-kinds.ts";
import { renderFixed, renderText } from "#mail-templates/render-text.ts";
import { shippedTemplates } from "#mail-templates/shipped/shipped-templates.ts";
import { shippedMail } from "#mail-templates/writing/fixed-mails.ts";
import { slugHash } from "#vault/sealing/hashes.ts";

const PRODUCT = "Chargeback Registry";
const SITE = "https://registry.example";
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const words = new Intl.Segmenter("en", { granularity: "word" });

/** Estimates syllables: groups of vowels, without a silent e at the end. */
function syllablesOf(word: string): number {
  const spoken = word.toLowerCase().replace(/(?:[^laeiouy]es|[^dt]ed|[^laeiouy]e)$/, "");
  return spoken.match(/[aeiouy]{1,2}/g)?.length ?? 1;
}

/** @param paragraphs no sentence may span two of them. */
function gradeOf(paragraphs: readonly string[]): number {
  const found = paragraphs
    .flatMap((paragraph) => [...sentences.segment(paragraph)])
    .map(({ segment }) => [...words.segment(segment)].filter(({ isWordLike }) => isWordLike))
    .filter(({ length }) => length > 0);
  const all = found.flat().map(({ segment }) => segment);
  const syllables = all.reduce((sum, word) => sum + syllablesOf(word), 0);
  return (0.39 * all.length) / found.length + (11.8 * syllables) / all.length - 15.59;
}

const { html } = textRenderer({ productName: PRODUCT, supportEmail: "help@registry.example" });
const shipped = await loadShippedTexts((text) => slugHash(Buffer.alloc(32), text));
const faq = [...shipped.values()].filter(({ kind }) => kind === "faq");

/** Leaves out text written by reporters and moderators. */
function emailOf(kind: MailKind): readonly string[] {
  if (!isTemplateKind(kind)) {
    const facts = { productName: PRODUCT, url: SITE, at: "2026-11-22T10:00:00.000Z" };
    return shippedMail(kind, facts, SITE).paragraphs;
  }
  const values: Record<string, string | number> = {
    ...sampleValues(kind, PRODUCT),
    site_url: SITE,
  };
  for (const name of templateKind(kind).variables) if (isUserText(name)) values[name] = "";
  const { text } = renderText(shippedTemplates[kind], values);
  return [...text.split("\n\n"), renderFixed(kind, values).warning ?? ""];
}

describe("a Flesch-Kincaid grade of at most 8", () => {
  it.each(faq.map(({ text }) => [text.slug, html(text.body)]))("has the answer %s", (_, answer) => {
    const paragraphs = answer.split(/<\/?(?:p|li|ol|ul)>/);
    expect(gradeOf(paragraphs.map((each) => each.replace(/<[^>]*>/g, "")))).toBeLessThanOrEqual(8);
  });

  it.each(Object.keys(mailKinds) as MailKind[])("has the email %s", (kind) => {
    expect(gradeOf(emailOf(kind))).toBeLessThanOrEqual(8);
  });
});
