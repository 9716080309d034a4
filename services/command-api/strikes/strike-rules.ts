import { DomainError } from "#contracts/domain-error.ts";
import type { WarningStep } from "#contracts/events/report/reporter-questions.ts";
import { SUSPENSION_DAYS } from "#contracts/notice/notice-promises.ts";

/* What follows from someone's infringements, as section 4 of the DMCA policy says. */

const SUSPENSION_MS = SUSPENSION_DAYS * 24 * 3_600_000;

/** What one infringement leads to. */
export interface Consequence {
  readonly step: WarningStep;
  /** When a suspension ends, RFC 3339. */
  readonly until?: string;
}

/** While nothing is accepted from someone: until then, RFC 3339, or for good. */
export interface Suspension {
  readonly until?: string;
}

/** @param strike which one it is of those that count, from 1. @param at when, RFC 3339. */
export function consequenceOf(strike: number, at: string): Consequence {
  if (strike <= 1) return { step: "warning" };
  if (strike === 2)
    return { step: "suspension", until: new Date(Date.parse(at) + SUSPENSION_MS).toISOString() };
  return { step: "ban" };
}

/**
 * Whether anything is accepted from someone. It follows from the infringements that count now, so a notice
 * that is lifted shortens it at once.
 * @param times of the infringements, RFC 3339, the oldest first.
 * @param now RFC 3339, UTC, milliseconds.
 */
export function suspensionAfter(times: readonly string[], now: string): Suspension | undefined {
  const last = times.at(-1);
  if (last === undefined) return undefined;
  const { step, until } = consequenceOf(times.length, last);
  if (step === "ban") return {};
  return until !== undefined && until > now ? { until } : undefined;
}

/** Says neither why nor until when: the email that its owner got does. */
export function submissionRefused(): DomainError {
  return new DomainError(
    "submission_refused",
    "We don't accept reports from you at the moment. If you think this is a mistake, please write to us.",
  );
}
