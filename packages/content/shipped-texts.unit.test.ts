import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { LEGAL_SLUGS } from "#contracts/content/content-rules.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { CROWDED_UPLOAD_HOURS, RETENTION_DAYS } from "#contracts/retention.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import { loadShippedTexts } from "./shipped-texts.ts";
import { textRenderer, unknownValue, VALUE_NAMES } from "./text-values.ts";

const NAME = 'The "_Registry_" <b>&</b> Co';
const shipped = await loadShippedTexts((text) => slugHash(Buffer.alloc(32, 7), text));
const all = [...shipped.values()];
const { html, line } = textRenderer({ productName: NAME, supportEmail: "help_me@registry.test" });
const legal = (slug: string) => {
  const found = all.find(({ kind, text }) => kind === "legal" && text.slug === slug);
  if (!found) throw new Error(`There is no ${slug}`);
  return { ...found, html: html(found.text.body) };
};
const faq = all
  .filter(({ kind }) => kind === "faq")
  .toSorted((a, b) => (a.text.order ?? 0) - (b.text.order ?? 0));

/** SHA-256 of each version's wording. A changed text needs a new version with its own line here. */
const TERMS: Readonly<Record<string, string>> = {
  "2026-11-30": "32a5ad12f5307cea9b71098a5301ab4cc640d5e636640377ef6b754b15ea6ab8",
};

it("the terms match their version: a changed text needs a new version", async () => {
  const file = path.join(import.meta.dirname, "texts/legal/terms.md");
  const words = (await readFile(file, "utf8")).replace(/\s+/g, " ").trim();
  expect(createHash("sha256").update(words).digest("hex")).toBe(TERMS[TERMS_VERSION]);
  expect(legal("terms")).toMatchObject({
    version: TERMS_VERSION,
    effective_date: TERMS_VERSION.slice(0, 10),
  });
});

it("ships the four legal pages, each with a version and a date", () => {
  const pages = all.filter(({ kind }) => kind === "legal");
  expect(pages.map(({ text }) => text.slug).toSorted()).toEqual([...LEGAL_SLUGS].toSorted());
  for (const { effective_date, version } of pages) {
    expect(effective_date).toMatch(/^2\d{3}-\d\d-\d\d$/);
    expect(version).toMatch(/^2\d{3}-\d\d-\d\d/);
  }
});

it("ships ten questions in order", () => {
  expect(faq.map(({ text }) => text.slug)).toEqual([
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
  expect(faq.map(({ text }) => text.order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(line(faq[0]?.text.title ?? "")).toBe(`What is ${NAME}?`);
});

it("escapes names and addresses, and fills in every value", () => {
  for (const { text } of all) expect(html(text.body)).not.toMatch(/\{\{|<b>|<em>/);
  expect(legal("disclaimer").html).toContain(
    "The &quot;_Registry_&quot; &lt;b&gt;&amp;&lt;/b&gt; Co",
  );
  expect(legal("terms").html).toContain('<a href="mailto:help_me@registry.test">help_me@');
});

it("finds a name without a value, and leaves it as written", () => {
  expect(VALUE_NAMES).toContain("product_name");
  expect(unknownValue("{{product_name}} and {{days.mail}}")).toBeUndefined();
  expect(unknownValue("{{product_name}} and {{constructor}}")).toBe("constructor");
  expect(html("{{constructor}}")).toBe("<p>{{constructor}}</p>\n");
});

it("fills the privacy page with the retention periods that the code uses", () => {
  const rows = [...legal("privacy").html.matchAll(/<tr>\n<td>(.*?)<\/td>\n<td>(.*?)<\/td>/g)];
  const periods = rows.map((row) => row[2]);
  for (const days of Object.values(RETENTION_DAYS)) {
    const period = days === 1 ? "1 day" : `${days} days`;
    expect(periods.some((text) => text?.startsWith(period))).toBe(true);
  }
  expect(periods).toContainEqual(expect.stringContaining(`(${CROWDED_UPLOAD_HOURS} hours`));
});

it("no text spells out hours or days: they come from the code's constants", () => {
  for (const { text } of all)
    expect(text.body).not.toMatch(
      /\b(?:\d+|one|two|three|four|five|six|seven|eight|ten|thirty) (?:minute|hour|day|week|month)s?\b/i,
    );
});

it("links lead to anchors that exist", () => {
  for (const slug of LEGAL_SLUGS) {
    for (const [, page = "", anchor = ""] of legal(slug).html.matchAll(/href="\/(\w+)#([^"]+)"/g)) {
      expect(legal(page).html).toContain(`id="${anchor}"`);
    }
  }
});

it("derives each ID from the address and the key alone", async () => {
  expect(shipped.size).toBe(14);
  const again = await loadShippedTexts((text) => slugHash(Buffer.alloc(32, 7), text));
  expect([...again.keys()]).toEqual([...shipped.keys()]);
  const other = await loadShippedTexts((text) => slugHash(Buffer.alloc(32, 8), text));
  expect([...other.keys()].filter((id) => shipped.has(id))).toEqual([]);
});

it("the DMCA policy states the deadlines and steps that the code follows, and accepts emails too", () => {
  const { html: page } = legal("dmca");
  const words = page.replace(/\s+/g, " ");
  expect(words).toContain("We answer within 48 hours.");
  expect(words).toContain("The report returns after 10 to 14 U.S. business days");
  expect(words).toMatch(
    /we warn the reporter by email\. The second time, .* for 30 days\. The third time, we stop permanently/,
  );
  for (const subject of ["DMCA%20notice", "DMCA%20counter-notice"])
    expect(page).toContain(`href="mailto:help_me@registry.test?subject=${subject}"`);
});

it("the terms say that reports are permanent, and what the RESOLVED banner requires", () => {
  const words = legal("terms").html.replace(/\s+/g, " ");
  expect(words).toContain(
    "An approved report is public and permanent. You cannot edit or remove it.",
  );
  expect(words).toContain(
    "The only change available to you is the RESOLVED banner described in section 5.",
  );
  expect(words).toMatch(/It has a one-time fee of \$250\.00 and requires a notarized letter/);
  expect(words).toContain("The fee is not refunded, except for");
  expect(words).toContain("The registry is not for children under 13.");
});

it("the DMCA policy names the designated agent, or says that there is none", () => {
  const none = legal("dmca").html;
  expect(none).toContain("This page names no designated agent.");
  const dmcaAgent = {
    name: "Ann <b>Lee</b>",
    address: "1 Main St, Denver, CO 80202",
    email: "dmca_agent@registry.test",
    phone: "+1 303 555 0100",
  };
  const of = { productName: NAME, supportEmail: "help_me@registry.test", dmcaAgent };
  const page = textRenderer(of).html(legal("dmca").text.body);
  expect(page).toContain(
    "Ann &lt;b&gt;Lee&lt;/b&gt;, 1 Main St, Denver, CO 80202; phone +1 303 555 0100; email dmca_agent@registry.test.",
  );
  expect(page).not.toContain("no designated agent");
});
