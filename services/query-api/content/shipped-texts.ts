import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { parse } from "yaml";
import type { ContentPage, FaqItem } from "#contracts/http/content.ts";
import { RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";
import { TERMS_VERSION, VERIFICATION_TTL_MS } from "#contracts/report/words.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import { renderMarkdown } from "./markdown.ts";

/** Who runs the registry, as its texts name it. */
export interface Operator {
  readonly productName: string;
  readonly supportEmail: string;
}

/** What the registry says about itself. */
export interface Texts {
  readonly pages: ReadonlyMap<string, ContentPage>;
  /** Sorted by `order`. */
  readonly faq: readonly FaqItem[];
}

const LegalHead = Type.Object({
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  effective_date: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }),
});
const FaqHead = Type.Object({ question: Type.String(), order: Type.Integer() });

/** Values for `{{name}}` in a text. */
function valuesOf({ productName, supportEmail }: Operator): ReadonlyMap<string, string> {
  const days = Object.entries(RETENTION_DAYS).map(([name, n]) => [`days.${name}`, String(n)]);
  return new Map([
    ["product_name", productName],
    ["support_email", supportEmail],
    ["terms_version", TERMS_VERSION],
    ["terms_date", TERMS_VERSION.slice(0, "2026-11-23".length)],
    ["resolution_fee", RESOLUTION_FEE_IN_WORDS],
    ["verification_hours", String(VERIFICATION_TTL_MS / 3_600_000)],
    ...(days as [string, string][]),
  ]);
}

/** A value as Markdown that shows it as it is. */
const escaped = (value: string) => value.replace(/[!-/:-@[-`{-~]/g, "\\$&");

/** @throws when a text names a value that does not exist. */
function fill(text: string, values: ReadonlyMap<string, string>, asText: (v: string) => string) {
  return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`A text names {{${name}}}, which has no value`);
    return asText(value);
  });
}

/** The files of a folder: name, front matter (YAML) and rendered text. */
async function readTexts<T extends TSchema>(folder: string, head: T, operator: Operator) {
  const values = valuesOf(operator);
  const dir = path.join(import.meta.dirname, "texts", folder);
  const files = (await readdir(dir)).filter((name) => name.endsWith(".md"));
  return Promise.all(
    files.map(async (file) => {
      const source = await readFile(path.join(dir, file), "utf8");
      const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
      const given = Object.fromEntries(
        Object.entries(parse(front)).map(([name, value]) => [
          name,
          typeof value === "string" ? fill(value, values, (text) => text) : value,
        ]),
      );
      if (!Value.Check(head, given)) throw new Error(`The front matter of ${file} is not valid`);
      const html = renderMarkdown(fill(body, values, escaped));
      return { name: file.slice(0, -".md".length), head: given as Static<T>, html };
    }),
  );
}

/** Reads and renders the texts that ship with this version. Called once at the start. */
export async function loadShippedTexts(operator: Operator): Promise<Texts> {
  const [legal, faq] = await Promise.all([
    readTexts("legal", LegalHead, operator),
    readTexts("faq", FaqHead, operator),
  ]);
  return {
    pages: new Map(legal.map(({ name, head, html }) => [name, { slug: name, ...head, html }])),
    faq: faq
      .map(({ name, head, html }) => ({ id: name, ...head, answer: html }))
      .toSorted((a, b) => a.order - b.order),
  };
}
