import { type TemplateKind, templateKind } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues, TemplateVariableName } from "#contracts/mail/template-variables.ts";
import { RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";
import { formInSentence } from "./form-words.ts";
import type { MailFacts } from "./mail-facts.ts";

/**
 * What a template of a kind may say of one mail: exactly what the kind declares.
 * @param siteUrl without a slash at its end.
 */
export function valuesOf(kind: TemplateKind, facts: MailFacts, siteUrl: string): TemplateValues {
  const all = allValues(facts, siteUrl);
  return Object.fromEntries(templateKind(kind).variables.map((name) => [name, all[name]]));
}

function allValues(
  facts: MailFacts,
  siteUrl: string,
): Readonly<Record<TemplateVariableName, string | number>> {
  const { productName, words, reason, question, at, until, about, figures } = facts;
  const { week, views = 0, approved = 0, rejected = 0, further = 0 } = figures ?? {};
  return {
    product_name: productName,
    site_url: siteUrl,
    first_name: words?.firstName ?? "",
    title: words?.title ?? "",
    reason: reason ?? "",
    question: question ?? "",
    when: momentText(at),
    until: momentText(until),
    erased: `on ${momentText(facts.until)}`,
    is_erased: until ? "yes" : "",
    number: about?.number ?? "",
    form: formInSentence(about?.title ?? ""),
    form_title: about?.title ?? "",
    promise: about?.promise ?? "",
    refusal: about?.refusal ?? "",
    counter_number: about?.counterNumber ?? "",
    back_first: dayText(about?.back?.first),
    back_last: dayText(about?.back?.last),
    fee: RESOLUTION_FEE_IN_WORDS,
    week_start: dayText(week),
    week_end: dayText(week, 6),
    views,
    approved,
    rejected,
    further,
  };
}

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "22 November 2026 at 10:00 (UTC)" */
function momentText(at: string | undefined): string {
  return at ? `${MOMENT.format(new Date(at))} (UTC)` : "";
}

function dayText(day: string | undefined, later = 0): string {
  if (!day) return "";
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + later);
  return DAY.format(date);
}
