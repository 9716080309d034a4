import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import { loadShippedTexts } from "./shipped-texts.ts";

const NAME = 'The "_Registry_" <b>&</b> Co';
const texts = await loadShippedTexts({ productName: NAME, supportEmail: "help_me@registry.test" });
const pageOf = (slug: string) => {
  const page = texts.pages.get(slug);
  if (!page) throw new Error(`There is no ${slug}`);
  return page;
};

/** Hash of each version's wording. A changed text needs a new version with its own line here. */
const TERMS: Readonly<Record<string, string>> = {
  "2026-11-23": "80677999ef567e1e263e539591e4b6c316461b3ab8aaa41a76b5bee10c026abf",
  "2026-11-23.2": "20d84f85e385ed4c80452f3065faa0820df17711f19c685cd77cf849ce858109",
};

it("the terms match their version: a changed text needs a new version", async () => {
  const file = path.join(import.meta.dirname, "texts/legal/terms.md");
  const words = (await readFile(file, "utf8")).replace(/\s+/g, " ").trim();
  expect(createHash("sha256").update(words).digest("hex")).toBe(TERMS[TERMS_VERSION]);
  expect(pageOf("terms")).toMatchObject({
    version: TERMS_VERSION,
    effective_date: TERMS_VERSION.slice(0, 10),
  });
});

it("there are the four legal pages, each with a version and a date", () => {
  expect([...texts.pages.keys()].toSorted()).toEqual(["disclaimer", "dmca", "privacy", "terms"]);
  for (const page of texts.pages.values()) {
    expect(page.effective_date).toMatch(/^2\d{3}-\d\d-\d\d$/);
    expect(page.version).not.toBe("");
  }
});

it("there are ten questions, in their order", () => {
  expect(texts.faq.map(({ id }) => id)).toEqual([
    "what-is-the-registry",
    "how-it-works",
    "how-to-report",
    "verification",
    "access",
    "privacy",
    "corrections",
    "cost",
    "law-enforcement",
    "support",
  ]);
  expect(texts.faq.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(texts.faq[0]?.question).toBe(`What is ${NAME}?`);
});

it("names and addresses are shown as they are, and every value is filled in", () => {
  const all = [
    ...[...texts.pages.values()].map(({ html }) => html),
    ...texts.faq.map((f) => f.answer),
  ];
  for (const html of all) expect(html).not.toMatch(/\{\{|<b>|<em>/);
  expect(pageOf("disclaimer").html).toContain(
    "The &quot;_Registry_&quot; &lt;b&gt;&amp;&lt;/b&gt; Co",
  );
  expect(pageOf("terms").html).toContain('<a href="mailto:help_me@registry.test">help_me@');
});

it("the privacy page is printed from the periods that the code keeps to", () => {
  const { html } = pageOf("privacy");
  const rows = [...html.matchAll(/<tr>\n<td>(.*?)<\/td>\n<td>(.*?)<\/td>/g)].map((row) => row[2]);
  for (const days of Object.values(RETENTION_DAYS)) {
    const period = days === 1 ? "1 day" : `${days} days`;
    expect(rows.some((text) => text?.startsWith(period))).toBe(true);
  }
});

it("links lead to anchors that exist", () => {
  for (const { html } of texts.pages.values()) {
    for (const [, slug = "", anchor = ""] of html.matchAll(/href="\/(\w+)#([^"]+)"/g)) {
      expect(pageOf(slug).html).toContain(`id="${anchor}"`);
    }
  }
});
