import { Liquid, LiquidError } from "liquidjs";
import MarkdownIt from "markdown-it";
import { isUserText, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues, TemplateVariableName } from "#contracts/mail/template-variables.ts";
import { shippedTemplates } from "./shipped/shipped-templates.ts";

/** Allowed tags and filters. Everything else in Liquid is disabled: files, other templates, unescaped output. */
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

/** Liquid's limit on what a template may allocate: running out of memory between collections would kill the process. */
const MAX_MADE = 200_000;

const NUMBER = new Intl.NumberFormat("en-US");

/** A template isn't valid Liquid, or uses something forbidden. The message contains no values. */
class LiquidInvalid extends Error {
  override readonly name = "LiquidInvalid";
}

interface Filler {
  /** @throws {LiquidInvalid} */
  fill(template: string, values: TemplateValues): string;
}

/** @param asText escapes each value on output, whether or not it was filtered. */
function filler(asText?: (value: string) => string): Filler {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    memoryLimit: MAX_MADE,
    // No template files, so `include` and the like can't load any.
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
        // The scope has no prototype, so a template can reach only its values.
        const scope = Object.assign(Object.create(null), values);
        return String(liquid.parseAndRenderSync(template, scope));
      } catch (error) {
        if (!LiquidError.is(error)) throw error;
        const [sentence = ""] = error.message.split("\n");
        const tooMuch = `It generates more than ${NUMBER.format(MAX_MADE)} characters`;
        const said = sentence.replace("memory alloc limit exceeded", tooMuch);
        throw new LiquidInvalid(said.slice(0, 300));
      }
    },
  };
}

/** The two rendered parts of a template: one line of Liquid, and Liquid in Markdown. */
export interface TemplateSource {
  readonly subject: string;
  readonly body: string;
}

/** The rendered text of one email, without the fixed parts of its kind, which the layout adds. */
export interface RenderedText {
  readonly subject: string;
  readonly text: string;
  /** HTML without scripts, styles, pictures or external links. */
  readonly html: string;
}

/** A template can't be used for emails. The message is a sentence for its author and contains no values. */
export class TemplateInvalid extends Error {
  override readonly name = "TemplateInvalid";
  readonly field: keyof TemplateSource;

  constructor(field: keyof TemplateSource, message: string) {
    super(message);
    this.field = field;
  }
}

/** Maximum lengths of the rendered parts, in characters. */
const MAX_SUBJECT = 300;
const MAX_BODY = 200_000;

/** Escapes a value so that Markdown shows it literally, with its line breaks. */
const inMarkdown = (value: string) =>
  value.replace(/[!-/:-@[-`{-~]/g, "\\$&").replace(/\s*[\r\n\u2028\u2029]+\s*/g, "\\\n");

const plain = filler();
const escaped = filler(inMarkdown);
const markdown = createMarkdown();

function createMarkdown() {
  const created = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // Emails load nothing external. With the rule disabled, a picture parses as a link and is checked as one.
  created.disable("image");
  // The check below covers links and explains what is wrong.
  created.validateLink = () => true;
  return created;
}

/**
 * Renders a template to an email's subject, text and HTML. Doesn't limit time and memory, so outside of a worker
 * render only templates that ship with the software.
 * @param values all that its kind declares; links may lead only to `site_url`.
 * @throws {TemplateInvalid}
 */
export function renderText(source: TemplateSource, values: TemplateValues): RenderedText {
  const subject = renderSubject(source.subject, values);
  const text = within(tidy(fill("body", plain, source.body, values)));
  const tokens = markdown.parse(within(tidy(fill("body", escaped, source.body, values))), {});
  const site = String(values.site_url);
  for (const { type, children } of tokens)
    for (const token of type === "inline" ? (children ?? []) : [])
      if (token.type === "link_open") refuseForeign(String(token.attrGet("href")), site);
  for (const address of addressesIn(withoutStrangers(text, values))) refuseForeign(address, site);
  const html = markdown.renderer.render(tokens, markdown.options, {}).trim();
  return { subject, text, html };
}

/** Renders the warning and the button of a kind, which no template changes. */
export function renderFixed(
  kind: TemplateKind,
  values: TemplateValues,
): { readonly warning?: string; readonly action?: string } {
  const { warning, action } = shippedTemplates[kind];
  return {
    ...(warning ? { warning: plain.fill(warning, values) } : {}),
    ...(action ? { action: plain.fill(action, values) } : {}),
  };
}

function renderSubject(source: string, values: TemplateValues): string {
  const subject = fill("subject", plain, source, oneLined(values)).trim();
  if (/[\p{Cc}\u2028\u2029]/u.test(subject))
    throw new TemplateInvalid("subject", "The subject must be one line");
  if (subject === "") throw new TemplateInvalid("subject", "The subject is empty");
  if (subject.length > MAX_SUBJECT)
    throw new TemplateInvalid("subject", `The subject can have at most ${MAX_SUBJECT} characters`);
  for (const address of addressesIn(withoutStrangers(subject, values)))
    refuseForeign(address, String(values.site_url), "subject");
  return subject;
}

function fill(
  field: keyof TemplateSource,
  { fill }: ReturnType<typeof filler>,
  template: string,
  values: TemplateValues,
): string {
  try {
    return fill(template, values);
  } catch (error) {
    if (error instanceof LiquidInvalid) throw new TemplateInvalid(field, error.message);
    throw error;
  }
}

/** Removes the gaps left by empty paragraphs. */
function tidy(body: string): string {
  return body
    .replace(/[^\S\n]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function within(body: string): string {
  if (body === "") throw new TemplateInvalid("body", "The email is empty");
  if (body.length > MAX_BODY)
    throw new TemplateInvalid("body", `The email is longer than ${MAX_BODY} characters`);
  return body;
}

function oneLined(values: TemplateValues): TemplateValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replace(/[\s\p{Cc}]+/gu, " ").trim() : value,
    ]),
  );
}

/** Returns the template's own text, without user-provided values: a reporter's title may contain a shop's URL. */
function withoutStrangers(text: string, values: TemplateValues): string {
  let own = text;
  for (const [name, value] of Object.entries(values))
    if (isUserText(name as TemplateVariableName) && value !== "")
      own = own
        .replaceAll(String(value), " ")
        .replaceAll(String(oneLined(values)[name as TemplateVariableName]), " ");
  return own;
}

/** Finds everything in a text that an email client would turn into a link. */
function addressesIn(text: string): readonly string[] {
  return (
    text.match(
      /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b(?:mailto|javascript|data|tel):)[^\s<>()[\]"]*/gi,
    ) ?? []
  );
}

function refuseForeign(address: string, site: string, field: keyof TemplateSource = "body"): void {
  if (leadsTo(site, address)) return;
  throw new TemplateInvalid(
    field,
    `Links must start with {{ site_url }}. This one doesn't: ${address.slice(0, 100)}`,
  );
}

function leadsTo(site: string, address: string): boolean {
  const url = URL.parse(address);
  const own = URL.parse(site);
  if (!url || !own || url.origin !== own.origin || url.username || url.password) return false;
  const folder = own.pathname.replace(/\/$/, "");
  return url.pathname === folder || url.pathname.startsWith(`${folder}/`);
}
