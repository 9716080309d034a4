import MarkdownIt from "markdown-it";
import { ACCOUNT_KEPT_DAYS } from "#contracts/account/deadlines.ts";
import type { DmcaAgent } from "#contracts/content/content-rules.ts";
import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import {
  COUNTER_NOTICE_DAYS,
  NOTICE_HOURS,
  SUSPENSION_DAYS,
} from "#contracts/notice/notice-promises.ts";
import { ERASE_HOURS } from "#contracts/report/reporter-rules.ts";
import { RESOLUTION_FEE_TEXT } from "#contracts/report/resolution.ts";
import { VERIFICATION_HOURS } from "#contracts/report/words.ts";
import {
  CROWDED_UPLOAD_HOURS,
  DRAFT_DAYS,
  OVERWRITTEN_DAYS,
  RETENTION_DAYS,
} from "#contracts/retention.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";

/** Allows http, https, email addresses, pages of the site and anchors on the page. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i;

/** Turns a heading into an anchor without its number: "4. Your rights" becomes `your-rights`. */
function anchorOf(heading: string): string {
  const words = heading
    .toLowerCase()
    .replace(/^[\d.\s]+/, "")
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "";
}

/** Extracts `right` from `text-align:right`, which the library writes into `style`. */
const alignmentIn = (style: unknown) => /text-align:(\w+)/.exec(String(style))?.[1];

function createRenderer() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // The site's CSP blocks external images, so show their alt text instead.
  markdown.renderer.rules.image = (tokens, index, options, env, self) =>
    markdown.utils.escapeHtml(self.renderInlineAsText(tokens[index]?.children ?? [], options, env));
  markdown.validateLink = (url) => SAFE_LINK.test(url.trim());
  // An empty href would link to the current page.
  markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (token?.attrGet("href") === "") token.attrs = null;
    return self.renderToken(tokens, index, options);
  };
  markdown.renderer.rules.heading_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const anchor = anchorOf(tokens[index + 1]?.content ?? "");
    if (anchor) token?.attrSet("id", anchor);
    return self.renderToken(tokens, index, options);
  };
  for (const cell of ["th_open", "td_open"])
    markdown.renderer.rules[cell] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const alignment = alignmentIn(token?.attrGet("style"));
      // The site's CSP blocks style attributes.
      if (token && alignment) token.attrs = [["align", alignment]];
      return self.renderToken(tokens, index, options);
    };
  // Scrolls if it's wider than the screen; focusable, so the keyboard can scroll it too.
  markdown.renderer.rules.table_open = () =>
    '<div role="group" aria-label="Table" tabindex="0">\n<table>\n';
  markdown.renderer.rules.table_close = () => "</table>\n</div>\n";
  return markdown;
}

const renderer = createRenderer();

/**
 * Renders CommonMark with tables as HTML. HTML shows as text, images as their alt text, and links only if they
 * match {@link SAFE_LINK}.
 */
export function renderMarkdown(text: string): string {
  return renderer.render(text);
}

/** The registry's operator, as its texts name it. */
export interface Operator {
  readonly productName: string;
  readonly supportEmail: string;
  /** Undefined if there is none. */
  readonly dmcaAgent?: DmcaAgent | undefined;
  /** Retention periods; the shipped defaults if absent. */
  readonly keptDays?: KeptDays | undefined;
  /** Hours from a report's deletion to its erasure; the shipped default if absent. */
  readonly eraseHours?: number | undefined;
}

const PLACE = /\{\{([\w.]+)\}\}/g;

/** Returns the values for `{{name}}` in a text. */
function valuesOf({
  productName,
  supportEmail,
  dmcaAgent,
  keptDays = RETENTION_DAYS,
  eraseHours = ERASE_HOURS.default,
}: Operator): ReadonlyMap<string, string> {
  const days = Object.entries(keptDays).map(([name, n]): [string, string] => [
    `days.${name}`,
    String(n),
  ]);
  return new Map([
    ["product_name", productName],
    ["support_email", supportEmail],
    ["dmca_agent", agentInWords(dmcaAgent)],
    ["resolution_fee", RESOLUTION_FEE_TEXT],
    ["verification_hours", String(VERIFICATION_HOURS)],
    ["erase_hours", String(eraseHours)],
    ["answer_hours", String(ANSWER_HOURS)],
    ["notice_hours", String(NOTICE_HOURS)],
    ["counter_notice_from", String(COUNTER_NOTICE_DAYS.from)],
    ["counter_notice_to", String(COUNTER_NOTICE_DAYS.to)],
    ["suspension_days", String(SUSPENSION_DAYS)],
    ["account_kept_days", String(ACCOUNT_KEPT_DAYS)],
    ["draft_days", String(DRAFT_DAYS)],
    ["overwritten_days", String(OVERWRITTEN_DAYS)],
    ["crowded_upload_hours", String(CROWDED_UPLOAD_HOURS)],
    ...days,
  ]);
}

/** The DMCA policy's sentence about the designated agent. */
function agentInWords(agent: DmcaAgent | undefined): string {
  if (!agent)
    return "This page names no designated agent. You can send a notice with the form or to the address below. The same people read both.";
  const { name, address, phone, email } = agent;
  return `Our designated agent to receive notices of claimed infringement is ${name}, ${address}; phone ${phone}; email ${email}.`;
}

/** Names that a text may use as `{{name}}`. */
export const VALUE_NAMES: readonly string[] = [
  ...valuesOf({ productName: "", supportEmail: "" }).keys(),
];

/** Returns the first name in the text that has no value; undefined if all have one. */
export function unknownValue(text: string): string | undefined {
  const names = [...text.matchAll(PLACE)].map(([, name = ""]) => name);
  return names.find((name) => !VALUE_NAMES.includes(name));
}

/** Escapes a value so that Markdown shows it literally. */
const escaped = (value: string) => value.replace(/[!-/:-@[-`{-~]/g, "\\$&");

/** Fills in a text's values and renders it, for the site, the console and its preview alike. */
export interface TextRenderer {
  /** Fills in a title or description, which is plain text. */
  line(text: string): string;
  html(text: string): string;
  /** Changes whenever a value does: anything rendered under another stamp is stale. */
  stamp(): string;
}

/** Leaves a name without a value as written. @param operator a function if admins may change a part of it. */
export function textRenderer(operator: Operator | (() => Operator)): TextRenderer {
  const values = () => valuesOf(typeof operator === "function" ? operator() : operator);
  const fill = (text: string, asText: (value: string) => string) => {
    const present = values();
    return text.replace(PLACE, (place, name: string) => {
      const value = present.get(name);
      return value === undefined ? place : asText(value);
    });
  };
  return {
    line: (text) => fill(text, (value) => value),
    html: (text) => renderMarkdown(fill(text, escaped)),
    stamp: () => JSON.stringify([...values()]),
  };
}
