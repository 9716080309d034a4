import { Liquid, LiquidError } from "liquidjs";
import type { TemplateValues } from "#contracts/mail/template-variables.ts";

/** What a template may do. Everything else of Liquid is switched off: files, other templates, unescaped output. */
const TAGS: ReadonlySet<string> = new Set(["if", "unless", "case", "for", "assign", "comment"]);
const FILTERS: ReadonlySet<string> = new Set([
  "append",
  "capitalize",
  "default",
  "divided_by",
  "downcase",
  "minus",
  "number",
  "plus",
  "prepend",
  "replace",
  "strip",
  "times",
  "truncate",
  "truncatewords",
  "upcase",
]);

/**
 * Characters and items that a template may make, as Liquid counts them. A thread that is out of memory ends the
 * process if it asks for much between two collections of garbage, so most of what fills it is refused before.
 */
const MOST_MADE = 200_000;

const NUMBER = new Intl.NumberFormat("en-GB");

/** A template is not Liquid, or asks for what it must not. The message names no value. */
export class LiquidInvalid extends Error {
  override readonly name = "LiquidInvalid";
}

/** Fills in a template's values. */
export interface Filler {
  /** @throws {LiquidInvalid} */
  fill(template: string, values: TemplateValues): string;
}

/** @param asText what each value goes through on its way out, filters or not. */
export function filler(asText?: (value: string) => string): Filler {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    memoryLimit: MOST_MADE,
    // Without files: `include` and the like are off as well.
    templates: {},
    ...(asText ? { outputEscape: (value: unknown) => asText(String(value ?? "")) } : {}),
  });
  liquid.registerFilter("number", (value: unknown) => NUMBER.format(Number(value)));
  for (const tag of Object.keys(liquid.tags)) if (!TAGS.has(tag)) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters))
    if (!FILTERS.has(filter)) delete liquid.filters[filter];
  return {
    fill(template, values) {
      try {
        // A scope without a prototype: a template reaches nothing but its values.
        const scope = Object.assign(Object.create(null), values);
        return String(liquid.parseAndRenderSync(template, scope));
      } catch (error) {
        if (!LiquidError.is(error)) throw error;
        const [sentence = ""] = error.message.split("\n");
        const tooMuch = `It makes more than ${NUMBER.format(MOST_MADE)} characters`;
        const said = sentence.replace("memory alloc limit exceeded", tooMuch);
        throw new LiquidInvalid(said.slice(0, 300));
      }
    },
  };
}
