import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { parse } from "yaml";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { contentIdOf } from "./content-id.ts";
import type { ShippedText, ShippedTexts } from "./shipped-text.ts";
import { unknownValue } from "./text-values.ts";

const LegalHead = Type.Object({
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  effective_date: Type.String(),
});
const FaqHead = Type.Object({ question: Type.String(), order: Type.Integer() });

/** Fills in the terms' version, so that the form and the text share one declaration. */
const dated = (text: string) =>
  text
    .replaceAll("{{terms_version}}", TERMS_VERSION)
    .replaceAll("{{terms_date}}", TERMS_VERSION.slice(0, "2026-11-23".length));

/** Reads a folder's files: name, front matter (YAML) and Markdown. */
async function readTexts<T extends TSchema>(folder: string, head: T) {
  const dir = path.join(import.meta.dirname, "texts", folder);
  const files = (await readdir(dir)).filter((name) => name.endsWith(".md")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const source = dated(await readFile(path.join(dir, file), "utf8"));
      const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
      const given: unknown = parse(front);
      if (!Value.Check(head, given)) throw new Error(`The front matter of ${file} is not valid`);
      const unknown = unknownValue(source);
      if (unknown) throw new Error(`${file} uses {{${unknown}}}, which has no value`);
      return { slug: file.slice(0, -".md".length), head: given as Static<T>, body };
    }),
  );
}

/** Reads the texts that ship with this version. Called once at startup. @param hash see {@link contentIdOf}. */
export async function loadShippedTexts(hash: (text: string) => string): Promise<ShippedTexts> {
  const [legal, faq] = await Promise.all([
    readTexts("legal", LegalHead),
    readTexts("faq", FaqHead),
  ]);
  const texts: ShippedText[] = [
    ...legal.map(({ slug, head: { title, description, version, effective_date }, body }) => ({
      id: contentIdOf(hash, "legal", slug),
      kind: "legal" as const,
      text: { slug, title, description, body },
      version,
      effective_date,
    })),
    ...faq.map(({ slug, head: { question, order }, body }) => ({
      id: contentIdOf(hash, "faq", slug),
      kind: "faq" as const,
      text: { slug, title: question, description: "", body, order },
    })),
  ];
  return new Map(texts.map((text) => [text.id, text]));
}
