import { formatUtcDay, formatUtcMoment } from "#contracts/format-dates.ts";
import { type TemplateKind, templateKind } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues, TemplateVariableName } from "#contracts/mail/template-variables.ts";
import { RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";
import type { WeekFigures } from "#read-model/tables/outbox.ts";

/** The reporter's words, each on one line, for templates to confirmed addresses only: anyone can enter any address. */
interface ReporterWords {
  readonly firstName: string;
  readonly title: string;
}

/** What an email says of an inquiry or a notice. */
export interface CaseWords {
  readonly title: string;
  readonly number: string;
  /** When the sender hears from us. */
  readonly promise: string;
  /** What was sent; only for the registry's own desk. */
  readonly answers?: readonly { readonly label: string; readonly text: string }[];
  /** Why a notice is refused, in fixed words. */
  readonly refusal?: string;
  /** What staff answered to an inquiry. */
  readonly answer?: string;
  readonly counterNumber?: string;
  /** Between which days the material of a counter-notice is back, `2026-12-08`. */
  readonly back?: { readonly first: string; readonly last: string };
}

/** What a template needs in order to write an email. */
export interface MailFacts {
  readonly productName: string;
  /** When what the email tells of happened, RFC 3339. */
  readonly at?: string;
  /** When a deleted account is erased, or a ban or a suspension ends, RFC 3339. */
  readonly until?: string;
  /** Target of the email's button. */
  readonly url: string;
  /** Absent for an address that is not confirmed. */
  readonly words?: ReporterWords;
  /** Why it was rejected or banned. Absent for an unconfirmed address, because it may quote the report. */
  readonly reason?: string;
  /** A moderator's question. Absent for an address that is not confirmed, for the same reason. */
  readonly question?: string;
  readonly about?: CaseWords;
  readonly figures?: WeekFigures;
}

/** What a template may say of one email: what its kind declares. @param siteUrl without a slash at its end. */
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
    answer: about?.answer ?? "",
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

/** "November 22, 2026 at 10:00 AM (UTC)" */
function momentText(at: string | undefined): string {
  return at ? `${formatUtcMoment(new Date(at))} (UTC)` : "";
}

function dayText(day: string | undefined, later = 0): string {
  if (!day) return "";
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + later);
  return formatUtcDay(date);
}

/** The name of a form inside a sentence: "DMCA notice", "law enforcement request". */
export function formInSentence(title: string): string {
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}
