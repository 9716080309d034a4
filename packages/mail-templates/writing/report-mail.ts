import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { given } from "#contracts/given.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { oneLine } from "../layout.ts";
import { readAccount } from "./account-history.ts";
import type { MailToWrite, OutgoingMail } from "./outgoing-mail.ts";

/** What an email about a copyright notice says to the reporter beside its words. */
export interface TakedownMail {
  /** Path of the page it leads to. */
  readonly path: string;
  readonly reason: string | undefined;
  /** Of the notice; absent where the email is about none. */
  readonly number?: string;
  /** When a suspension ends, RFC 3339; absent when it does not. */
  readonly until?: string;
}

const COUNTER_NOTICE = "/dmca/counter-notice";
const SEARCH = "/search";
const POLICY = "/dmca";

/** @returns undefined when the event is not about a copyright notice; null when it no longer applies. */
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
      return { path: POLICY, reason: undefined, number, ...given({ until }) };
    }
    case "SubmissionHeldBack":
      return held_back && { path: POLICY, reason: undefined, ...given(held_back) };
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

/** What an email about the RESOLVED banner says beside its words. */
export interface ResolutionMail {
  /** Path of the page it leads to. */
  readonly path: string;
  /** Why, where the event has a reason that is not erased. */
  readonly reason: string | undefined;
}

/** The stage in which a request is while the event's email is not outdated. */
const STAGES: { readonly [T in ReportEvent["type"]]?: string } = {
  ResolutionLetterAccepted: "letter_accepted",
  ResolutionLetterRefused: "letter_refused",
  ReportResolved: "resolved",
};

/** @returns undefined when the event is not about the RESOLVED banner; null when the request has moved on. */
export function readResolutionMail(
  reportId: string,
  asking: ReportEvent,
  { resolution, address_confirmed }: ReportState,
): ResolutionMail | null | undefined {
  // An email to an address that nobody confirmed is the same for any report.
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

type Deps = Parameters<typeof ownerOf>[2];
/** The report that an email quotes: it is kept and removed as one of its emails. */
type ReportSource = Pick<OutgoingMail, "ownerId" | "revision">;
type Dropped = { readonly drop: "deleted" | "erased" | "superseded" };

/**
 * Looks once more whether an email about a further report may be sent: both reports are public, and only the
 * account's own is its own. Otherwise the email would confirm what a stranger guessed.
 * @returns the title that the account gave its own report, and the last revision of that report.
 */
export async function readFurther(
  { ownerId, reports }: MailToWrite,
  deps: Deps,
): Promise<{ readonly title: string; readonly from: ReportSource } | Dropped> {
  if (!reports) return { drop: "superseded" };
  const [own, further] = [await load(reports.own, deps), await load(reports.further, deps)];
  for (const { state } of [own, further]) {
    if (!state || state.status === "deleted") return { drop: "deleted" };
    if (!state.personal) return { drop: "erased" };
    if (state.status !== "approved") return { drop: "superseded" };
  }
  const isOwners = async ({ first, state }: Loaded) =>
    first && state && (await ownerOf(first, state, deps))?.id === ownerId;
  if (!(await isOwners(own)) || (await isOwners(further))) return { drop: "superseded" };
  return {
    title: oneLine(own.state?.personal?.title ?? ""),
    from: { ownerId: reports.own, ...given({ revision: own.revision }) },
  };
}

/** The report that a rejected one repeats, in a sentence, if `to` may know of it: it is public, or their own. */
export async function readDuplicate(
  asking: ReportEvent,
  to: string,
  owner: ReportOwner | undefined,
  deps: Deps,
): Promise<string | undefined> {
  const id = asking.type === "ReportRejected" ? asking.data.duplicate_of : undefined;
  if (!id) return undefined;
  const { first, state } = await load(id, deps);
  if (!first || !state?.personal) return undefined;
  if (state.status === "deleted") return undefined;
  const isPublic = state.status === "approved" && state.holds.length === 0;
  // The address of the rejected report may be another person's than its account's.
  const isOwners = owner?.state.confirmed && owner.state.profile?.email === to;
  const isTheirs =
    (state.address_confirmed && state.reporter?.reporter_email === to) ||
    (isOwners && (await ownerOf(first, state, deps))?.id === owner.id);
  return isPublic || isTheirs ? `See report ${reportNumber(id)}.` : undefined;
}

interface Loaded {
  readonly first: StoredEvent | undefined;
  readonly revision: number | undefined;
  readonly state: ReportState | undefined;
}

async function load(id: string, { store, keys, codec }: Deps): Promise<Loaded> {
  const events: StoredEvent[] = [];
  for await (const event of store.readStream(streams.report(id))) events.push(event);
  const found = await keys.get(codec.subjectsOf(events));
  let state: ReportState | undefined;
  for (const event of events)
    state = evolveReport(state, codec.openEvent(event, found) as ReportEvent);
  return { first: events[0], revision: events.at(-1)?.revision, state };
}

/** The account that a report belongs to. */
interface ReportOwner {
  readonly id: string;
  readonly state: AccountState;
}

/**
 * Whose report it is: that of the account which claimed or submitted it, unless a confirmation dropped
 * what the account did before, or the account is over.
 * @param submitted the report's first event.
 * @param report the report now.
 */
export async function ownerOf(
  submitted: StoredEvent,
  { claimed_by: claimedBy, disowned }: Pick<ReportState, "claimed_by" | "disowned">,
  deps: Parameters<typeof readAccount>[1],
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

/** Whether the owner wants an email about a decision at its address. A closed or unconfirmed account gets none. */
export function wantsDecision(report: ReportState, owner: ReportOwner | undefined): boolean {
  if (!report.notified) return false;
  if (!owner) return true;
  const { closed, confirmed, notifications } = owner.state;
  return !closed && (confirmed || report.address_confirmed) && notifications.decisions;
}

/** What the link of a decision's email turns off: the account's setting only at its own confirmed address. */
export function scopeOf(reportId: string, to: string, owner: ReportOwner | undefined) {
  const { confirmed, profile } = owner?.state ?? {};
  const isOwners = confirmed && profile?.email.toLowerCase() === to.toLowerCase();
  return owner && isOwners
    ? ({ scope: "decisions", id: owner.id } as const)
    : ({ scope: "report", id: reportId } as const);
}
