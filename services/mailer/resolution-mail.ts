import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";

/** What a mail about the RESOLVED banner says beside its words. */
export interface ResolutionMail {
  /** Path of the page it leads to. */
  readonly path: string;
  /** Why, where the event has a reason that is not erased. */
  readonly reason: string | undefined;
}

/** The stage in which a request is while the event's mail is not outdated. */
const STAGES: { readonly [T in ReportEvent["type"]]?: string } = {
  ResolutionLetterAccepted: "letter_accepted",
  ResolutionLetterRefused: "letter_refused",
  ReportResolved: "resolved",
};

/**
 * What a mail about the RESOLVED banner depends on. A refund is told whatever came after it.
 * @returns undefined when the event is about something else; null when the request has moved on.
 */
export function readResolutionMail(
  reportId: string,
  asking: ReportEvent,
  { resolution, address_confirmed }: ReportState,
): ResolutionMail | null | undefined {
  // A mail to an address that nobody confirmed is the same for any report.
  const path = address_confirmed ? `/dashboard/reports/${reportId}` : "/dashboard";
  if (asking.type === "PaymentRefunded") return { path, reason: asking.data.personal?.reason };
  const stage = STAGES[asking.type];
  if (!stage) return undefined;
  const { request_id } = asking.data as { request_id: string };
  const isPresent = resolution?.request_id === request_id && resolution.stage === stage;
  if (!isPresent) return null;
  const refusal = stage === "letter_refused" ? resolution.refusal : null;
  return { path, reason: refusal ?? undefined };
}
