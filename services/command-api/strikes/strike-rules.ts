import { DomainError } from "#contracts/domain-error.ts";
import type { WarningStep } from "#contracts/events/report/reporter-questions.ts";
import { SUSPENSION_DAYS } from "#contracts/notice/notice-promises.ts";

/* Consequences of infringements according to section 4 of the DMCA policy. */

const SUSPENSION_MS = SUSPENSION_DAYS * 24 * 3_600_000;

/** Consequence of one infringement. */
export interface Consequence {
  readonly step: WarningStep;
  /** When a suspension ends, RFC 3339. */
  readonly until?: string;
}

/** Period in which submissions are refused. `until`: RFC 3339; absent if permanent. */
export interface Suspension {
  readonly until?: string;
}

/** @param strike its number among those that count, from 1. @param at its time, RFC 3339. */
export function consequenceOf(strike: number, at: string): Consequence {
  if (strike <= 1) return { step: "warning" };
  if (strike === 2)
    return { step: "suspension", until: new Date(Date.parse(at) + SUSPENSION_MS).toISOString() };
  return { step: "ban" };
}

/**
 * The current suspension, if any. It is derived from the infringements that count now, so lifting a notice
 * shortens it immediately.
 * @param times of the infringements, RFC 3339, oldest first.
 * @param now RFC 3339, UTC, milliseconds.
 */
export function suspensionAfter(times: readonly string[], now: string): Suspension | undefined {
  const last = times.at(-1);
  if (last === undefined) return undefined;
  const { step, until } = consequenceOf(times.length, last);
  if (step === "ban") return {};
  return until !== undefined && until > now ? { until } : undefined;
}

/** Gives neither a reason nor an end date: those are in the email to the account's owner. */
export function submissionRefused(): DomainError {
  return new DomainError(
    "submission_refused",
    "We don't accept reports from you at the moment. If you think this is a mistake, please write to us.",
  );
}
