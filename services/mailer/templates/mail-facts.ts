import type { WeekFigures } from "#read-model/tables/outbox.ts";

/**
 * The reporter's own words, each on one line. Templates get them only when the owner of the address
 * has confirmed it. Anybody can have a mail sent to any address, and must not choose its words.
 */
export interface ReporterWords {
  readonly firstName: string;
  readonly title: string;
}

/** What a mail says of an inquiry or a notice. */
export interface CaseWords {
  readonly title: string;
  readonly number: string;
  /** When the sender hears from us. */
  readonly promise: string;
  /** What was sent; only for the registry's own desk. */
  readonly answers?: readonly { readonly label: string; readonly text: string }[];
  /** Why a notice is refused, in fixed words. */
  readonly refusal?: string;
  /** Number of the counter-notice that answers a notice. */
  readonly counterNumber?: string;
  /** Between which days the material of a counter-notice is back, `2026-12-08`. */
  readonly back?: { readonly first: string; readonly last: string };
}

/** What a template needs in order to write a mail. */
export interface MailFacts {
  readonly productName: string;
  /** When what the mail tells of happened, RFC 3339. */
  readonly at?: string;
  /** When a deleted account is erased, or a ban or a suspension ends, RFC 3339. */
  readonly until?: string;
  /** Target of the mail's button. */
  readonly url: string;
  /** Absent for an address that is not confirmed. */
  readonly words?: ReporterWords;
  /**
   * Why the report was rejected, or the account banned. Absent for an address that is not confirmed, because it may quote
   * the report.
   */
  readonly reason?: string;
  /** A moderator's question. Absent for an address that is not confirmed, for the same reason. */
  readonly question?: string;
  readonly about?: CaseWords;
  readonly figures?: WeekFigures;
}
