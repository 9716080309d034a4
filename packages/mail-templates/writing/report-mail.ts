import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import { oneLine } from "../layout.ts";
import { readAccount } from "./account-history.ts";
import type { MailToWrite, OutgoingMail } from "./outgoing-mail.ts";

/** Facts for an email to the reporter about a copyright notice. */
export interface TakedownMail {
  /** Path of the page it links to. */
  readonly path: string;
  readonly reason: string | undefined;
  /** Number of the notice; absent if the email isn't about one. */
  readonly number?: string;
  /** When a suspension ends (RFC 3339); absent if it is permanent. */
  readonly until?: string;
}

const COUNTER_NOTICE = "/dmca/counter-notice";
const SEARCH = "/search";
const POLICY = "/dmca";

/** @returns undefined if the event isn't about a copyright notice; null if it no longer applies. */
export function readTakedownMail(
  asking: ReportEvent,
  { holds, copies, status, warnings, held_back }: ReportState,
): TakedownMail | null | undefined {
  const isHeld = (copyId: string, notice: string) => {
    const copy = copies.find(({ copy_id }) => copy_id === copyId);
    return copy && !copy.hidden && !copy.erased ? copy.holds.includes(notice) : undefined;
  };
  switch (asking.type) {
    case "ReportTakenDown": {
      const { notice_id, personal } = asking.data;
      return holds.includes(notice_id) ? down(notice_id, personal?.reason) : null;
    }
    case "ReportPutBack":
      return status === "approved" ? back(asking.data.notice_id) : null;
    case "EvidenceWithheld": {
      const { notice_id, copy_id, personal } = asking.data;
      return isHeld(copy_id, notice_id) ? down(notice_id, personal?.reason) : null;
    }
    case "EvidenceReleased": {
      const { notice_id, copy_id } = asking.data;
      return isHeld(copy_id, notice_id) === false ? back(notice_id) : null;
    }
    case "ReporterWarned": {
      const { notice_id, until } = asking.data;
      if (!warnings.some((warning) => warning.notice_id === notice_id)) return null;
      const number = caseNumber("takedown", notice_id);
      return { path: POLICY, reason: undefined, number, ...omitUndefined({ until }) };
    }
    case "SubmissionHeldBack":
      return held_back && { path: POLICY, reason: undefined, ...omitUndefined(held_back) };
    default:
      return undefined;
  }
}

function down(notice: string, reason: string | undefined): TakedownMail {
  return { path: COUNTER_NOTICE, reason, number: caseNumber("takedown", notice) };
}

function back(notice: string): TakedownMail {
  return { path: SEARCH, reason: undefined, number: caseNumber("takedown", notice) };
}

/** Facts for an email about the RESOLVED banner. */
export interface ResolutionMail {
  readonly path: string;
  /** Undefined if the event has none or it was erased. */
  readonly reason: string | undefined;
}

/** The stage that a request must be in for the event's email to be current. */
const STAGES: { readonly [T in ReportEvent["type"]]?: string } = {
  ResolutionLetterAccepted: "letter_accepted",
  ResolutionLetterRefused: "letter_refused",
  ReportResolved: "resolved",
};

/** @returns undefined if the event isn't about the RESOLVED banner; null if the request has moved on. */
export function readResolutionMail(
  reportId: string,
  asking: ReportEvent,
  { resolution, address_confirmed }: ReportState,
): ResolutionMail | null | undefined {
  // An email to an unconfirmed address must be the same for any report.
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

/** The report that an email quotes: the email is kept and removed along with it. */
type ReportSource = Pick<OutgoingMail, "ownerId" | "revision">;
type Dropped = { readonly drop: "deleted" | "erased" | "superseded" };

/**
 * Rechecks whether an email about another report on the same person may be sent: both reports must be public, and
 * only the first may be the account's own. Otherwise the email could confirm a stranger's guess.
 * @returns the title that the account gave its own report, and that report's last revision.
 */
export async function readFurther(
  { ownerId, reports }: MailToWrite,
  deps: StreamDeps,
): Promise<{ readonly title: string; readonly from: ReportSource } | Dropped> {
  if (!reports) return { drop: "superseded" };
  const [own, further] = [
    await loadReport(reports.own, deps),
    await loadReport(reports.further, deps),
  ];
  for (const { state } of [own, further]) {
    if (!state || state.status === "deleted") return { drop: "deleted" };
    if (!state.personal) return { drop: "erased" };
    if (state.status !== "approved") return { drop: "superseded" };
  }
  const isOwners = async ({ submitted, state }: LoadedReport) =>
    submitted && state && (await ownerOf(submitted, state, deps))?.id === ownerId;
  if (!(await isOwners(own)) || (await isOwners(further))) return { drop: "superseded" };
  return {
    title: oneLine(own.state?.personal?.title ?? ""),
    from: { ownerId: reports.own, ...omitUndefined({ revision: own.revision }) },
  };
}

/** Names the report that a rejected one duplicates, if `to` may know of it: it is public, or their own. */
export async function readDuplicate(
  asking: ReportEvent,
  to: string,
  owner: ReportOwner | undefined,
  deps: StreamDeps,
): Promise<string | undefined> {
  const id = asking.type === "ReportRejected" ? asking.data.duplicate_of : undefined;
  if (!id) return undefined;
  const { submitted, state } = await loadReport(id, deps);
  if (!submitted || !state?.personal) return undefined;
  if (state.status === "deleted") return undefined;
  const isPublic = state.status === "approved" && state.holds.length === 0;
  // The rejected report's address may not be its account's address.
  const isOwners = owner?.state.confirmed && owner.state.profile?.email === to;
  const isTheirs =
    (state.address_confirmed && state.reporter?.reporter_email === to) ||
    (isOwners && (await ownerOf(submitted, state, deps))?.id === owner.id);
  return isPublic || isTheirs ? `See report ${reportNumber(id)}.` : undefined;
}

/** A report, and what else its emails depend on. */
interface LoadedReport {
  readonly submitted: StoredEvent | undefined;
  readonly revision: number | undefined;
  readonly state: ReportState | undefined;
  /** Indexed by revision. */
  readonly events: readonly ReportEvent[];
  /** Revision of the event that gave the report its current status. */
  readonly statusSince: number | undefined;
}

/** Loads a report as of its last event. @throws as {@link openStream} does. */
export async function loadReport(id: string, deps: StreamDeps): Promise<LoadedReport> {
  const { events } = await openStream<ReportEvent>(streams.report(id), deps);
  let state: ReportState | undefined;
  let statusSince: number | undefined;
  const since: (number | undefined)[] = [];
  for (const { stored, event } of events) {
    const before = state?.status;
    since.push(statusSince);
    state = evolveReport(state, event);
    const undone = "undoes" in event.data ? event.data.undoes : undefined;
    if (undone && !undone.untold) statusSince = since[undone.revision];
    else if (state.status !== before) statusSince = stored.revision;
  }
  return {
    submitted: events[0]?.stored,
    revision: events.at(-1)?.stored.revision,
    state,
    events: events.map(({ event }) => event),
    statusSince,
  };
}

interface ReportOwner {
  readonly id: string;
  readonly state: AccountState;
}

/**
 * Returns the report's owner: the account that claimed or submitted it, unless a confirmation dropped what the
 * account did before, or the account is gone.
 * @param submitted the report's first event.
 * @param report the report now.
 */
export async function ownerOf(
  submitted: StoredEvent,
  { claimed_by: claimedBy, disowned }: Pick<ReportState, "claimed_by" | "disowned">,
  deps: StreamDeps,
): Promise<ReportOwner | undefined> {
  if (claimedBy) {
    const { state } = await readAccount(claimedBy, deps);
    return state?.profile ? { id: claimedBy, state } : undefined;
  }
  const { id, role } = submitted.metadata.actor;
  if (disowned || role === "visitor" || role === "system") return undefined;
  const { state, ownsAfter } = await readAccount(id, deps);
  if (!state?.profile || submitted.position < ownsAfter) return undefined;
  return { id, state };
}

/** Whether the owner wants decision emails. A closed or unconfirmed account gets none. */
export function wantsDecision(report: ReportState, owner: ReportOwner | undefined): boolean {
  if (!report.notified) return false;
  if (!owner) return true;
  const { closed, confirmed, notifications } = owner.state;
  return !closed && (confirmed || report.address_confirmed) && notifications.decisions;
}

/**
 * What the unsubscribe link in a decision email turns off: the account's setting only if `to` is its confirmed
 * address.
 */
export function scopeOf(reportId: string, to: string, owner: ReportOwner | undefined) {
  const { confirmed, profile } = owner?.state ?? {};
  const isOwners = confirmed && profile?.email.toLowerCase() === to.toLowerCase();
  return owner && isOwners
    ? ({ scope: "decisions", id: owner.id } as const)
    : ({ scope: "report", id: reportId } as const);
}
