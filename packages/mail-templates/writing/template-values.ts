import { formatUtcDay, formatUtcMoment } from "#contracts/format-dates.ts";
import { type TemplateKind, templateKind } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues, TemplateVariableName } from "#contracts/mail/template-variables.ts";
import { RESOLUTION_FEE_TEXT } from "#contracts/report/resolution.ts";
import type { WeekStats } from "#read-model/tables/outbox.ts";

/** The reporter's text, each on one line; only for confirmed addresses, because anyone can enter any address. */
interface ReporterWords {
  readonly firstName: string;
  readonly title: string;
}

/** Facts about an inquiry or a notice. */
export interface CaseDetails {
  readonly title: string;
  readonly number: string;
  /** When the sender can expect an answer, as a sentence. */
  readonly promise: string;
  /** The sender's answers; only for the registry's own inbox. */
  readonly answers?: readonly { readonly label: string; readonly text: string }[];
  /** Why a notice was refused, in fixed wording. */
  readonly refusal?: string;
  /** Staff's answer to an inquiry. */
  readonly answer?: string;
  readonly counterNumber?: string;
  /** First and last possible day on which countered material is restored, such as `2026-12-08`. */
  readonly back?: { readonly first: string; readonly last: string };
}

/** Facts that an email is written from. */
export interface MailFacts {
  readonly productName: string;
  /** When the event that the email is about happened (RFC 3339). */
  readonly at?: string;
  /** When a deleted account is erased, or a ban or a suspension ends (RFC 3339). */
  readonly until?: string;
  /** Target of the email's button. */
  readonly url: string;
  /** Absent for an unconfirmed address. */
  readonly words?: ReporterWords;
  /**
   * Why a report was rejected or an account banned. Absent for an unconfirmed address, because it may quote the
   * report.
   */
  readonly reason?: string;
  /** A moderator's question. Absent for an unconfirmed address, for the same reason. */
  readonly question?: string;
  readonly about?: CaseDetails;
  readonly figures?: WeekStats;
}

/** Returns the values that a kind's templates may use. @param siteUrl without a trailing slash. */
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
    fee: RESOLUTION_FEE_TEXT,
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
