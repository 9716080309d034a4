import type { Static } from "typebox";
import type { FieldChange, HistoryEntry } from "#contracts/http/admin-reports.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { DOCUMENT_DELETIONS } from "#contracts/report/evidence-rules.ts";
import { REFUND_REASONS } from "#contracts/report/resolution.ts";
import { rejectionLabel } from "#contracts/report/words.ts";
import type { ReportHistory } from "../data/console-data-provider.ts";
import { formatLongDay } from "../shared/formats.ts";
import {
  deletionReasonText,
  fieldInSentence,
  roleText,
  sentenceCase,
  valueText,
} from "../shared/labels.ts";

type Change = Static<typeof FieldChange>;
type Actor = HistoryEntry["actor"];

/** One thing that happened, as a sentence. Long texts are separate. */
export interface Sentence {
  readonly text: string;
  readonly before?: string;
  readonly after?: string;
}

/** One event, or one reveal of hidden data, in readable form. */
export interface HistoryLine {
  readonly id: string;
  readonly at: string;
  readonly sentences: readonly Sentence[];
  /** Origin, e.g. "Admin, 192.0.x.x, Firefox on Linux". */
  readonly from: string;
  /** Absent for a reveal, which changes nothing and so has no revision. */
  readonly entry?: HistoryEntry;
}

interface HistoryDay {
  readonly label: string;
  readonly lines: readonly HistoryLine[];
}

/** Maximum length of a text quoted inside a sentence. */
const INLINE = 60;

/**
 * Returns a report's whole history by day, newest first.
 * @param timeZone IANA name; defaults to the reader's time zone.
 */
export function historyDays(history: ReportHistory, timeZone?: string): HistoryDay[] {
  const lines = [...eventLines(history), ...history.reveals.map(revealLine)].sort(
    (a, b) => b.at.localeCompare(a.at) || (b.entry?.revision ?? -1) - (a.entry?.revision ?? -1),
  );
  const days = new Map<string, HistoryLine[]>();
  for (const line of lines) {
    const label = formatLongDay(line.at, timeZone);
    days.set(label, [...(days.get(label) ?? []), line]);
  }
  return [...days].map(([label, dayLines]) => ({ label, lines: dayLines }));
}

function subjectOf(actor: Actor): string {
  if (actor.name) return actor.name;
  const subjects: Readonly<Record<string, string>> = {
    visitor: "A visitor",
    system: "The system",
    admin: "An admin",
    auditor: "An auditor",
    user: "An account",
  };
  return subjects[actor.role] ?? "Someone";
}

type EventWords = string | ((entry: HistoryEntry) => string);

/** Sentence for each event type; `@` is replaced by the actor. A typed reason is appended. */
const WORDS: Readonly<Partial<Record<HistoryEntry["type"], EventWords>>> = {
  ReportSubmitted: "@ submitted the report",
  ReportVerificationResent: "@ asked for the verification email again",
  ReporterAddressCorrected: "@ corrected the reporter's address before it was confirmed",
  ReporterAsked: "@ asked the reporter a question",
  ReporterAnswered: "The reporter answered the question",
  ReporterQuestionWithdrawn: "@ withdrew the question to the reporter",
  ModeratorNoteWritten: "@ wrote a note for moderators",
  ReportVerifiedByLink: "The reporter confirmed the email address with the link",
  ReportVerifiedByHand: "@ verified the email address manually",
  ReportVerifiedByAccount: "The reporter had already confirmed this email address in their account",
  ReportVerificationWithdrawn: "@ withdrew the email verification",
  ReporterNotificationsSet: "The reporter changed the email notifications for this report",
  ReportClaimed: "@ added the report to their account",
  ReportDisowned: "@ removed the report from an account it didn't belong to",
  ReportApproved: ({ verified }) =>
    `@ approved the report${verified ? "" : " before the email address was confirmed"}`,
  ReportRejected: ({ reason, reason_code, duplicate_of }) => {
    const label = reason_code && rejectionLabel(reason_code).toLowerCase();
    const code = duplicate_of ? `${label} of ${duplicate_of}` : label;
    return `@ rejected the report${coded(code, reason)}`;
  },
  ReportStatusSet: ({ status }) =>
    status === "under_review"
      ? "@ put the report under review"
      : `@ returned the report to ${valueText("status", status).toLowerCase()}`,
  ReportTextMasked: ({ changes }) => `@ masked private text${maskedIn(changes)}`,
  ReportVersionRestored: ({ restored }) =>
    `@ restored an earlier version${restored === undefined ? "" : `, revision ${restored}`}`,
  ReportEdited: "@ edited the report",
  ReportTakenDown: "@ took the report down because of a copyright notice",
  ReportPutBack: "@ lifted a copyright notice's hold on the report",
  ReportDeletionRequested: ({ reason_code }) =>
    `@ asked another admin to approve deleting the report${coded(deletion(reason_code))}`,
  ReportDeleted: ({ reason_code }) => `@ deleted the report${coded(deletion(reason_code))}`,
  ReportDeletionUndone: "@ undid the deletion",
  ReportErased: "@ erased the report",
  ReporterErased: "@ erased the reporter",
  EvidenceAdded: "@ added a file",
  EvidencePublished: "@ published a picture of the evidence",
  EvidenceHidden: "@ hid a published picture",
  EvidenceWithheld: "@ took a published picture down because of a copyright notice",
  EvidenceReleased: "@ lifted a copyright notice's hold on a published picture",
  EvidenceDeleted: ({ reason, reason_code }) =>
    `@ deleted a file${coded(wordOf(DOCUMENT_DELETIONS, reason_code), reason)}`,
  EvidenceErased: "@ erased a file",
  ReporterWarned: "@ warned the reporter because of a copyright notice",
  ReporterWarningLifted: "@ withdrew the reporter's copyright warning",
  SubmissionHeldBack:
    "The reporter was emailed that their address is suspended, without a confirmation link",
  ResolutionRequested: "@ asked for the RESOLVED banner, with a notarized letter",
  ResolutionLetterAccepted: "@ accepted the notarized letter",
  ResolutionLetterRefused: "@ refused the notarized letter",
  ResolutionWithdrawn: "@ withdrew the request for the RESOLVED banner",
  CheckoutOpened: "@ opened card checkout for the fee",
  PaymentAccepted: "@ recorded a payment",
  PaymentRefunded: ({ reason_code }) => {
    const why = wordOf(REFUND_REASONS, reason_code);
    return `@ refunded a payment${why ? `, ${why}` : ""}`;
  },
  ReportResolved: "@ put the RESOLVED banner on the report",
  ReportUnresolved: "@ removed the RESOLVED banner",
};

/**
 * Describes what an event did, with one sentence per change.
 * @param currency of the report at that time.
 * @param erased whether the report was erased since, so that hidden values no longer exist.
 */
export function sentencesOf(entry: HistoryEntry, currency: string, erased = false): Sentence[] {
  const { actor, changes, reason, type } = entry;
  const who = subjectOf(actor);
  if (entry.command === MODERATION.undo.type)
    return [{ text: `${who} undid the decision before anyone was notified` }];
  if (type === "ReportEdited" && changes.length > 0)
    return changes.map((change) => changeSentence(who, change, currency, erased));
  const words = WORDS[type] ?? `@: ${sentenceCase(type).toLowerCase()}`;
  const text = (typeof words === "string" ? words : words(entry)).replace("@", () => who);
  if (!reason) return [{ text }];
  const isShort = reason.length <= INLINE && !reason.includes("\n");
  return [isShort ? { text: `${text}: “${reason}”` } : { text, after: reason }];
}

/** Formats a reason from a list: ": no evidence", or " (no evidence)" if a typed reason follows. */
function coded(code: string | undefined, typed?: string): string {
  if (!code) return "";
  return typed ? ` (${code})` : `: ${code}`;
}

function deletion(code: string | undefined): string | undefined {
  return code && deletionReasonText(code).toLowerCase();
}

function wordOf(words: Readonly<Record<string, string>>, code: string | undefined) {
  return code && Object.hasOwn(words, code) ? words[code]?.toLowerCase() : undefined;
}

/** One line per event. Amounts are in the report's currency at that time. */
function eventLines({ events, erased }: ReportHistory): HistoryLine[] {
  let currency = "USD";
  return [...events]
    .sort((a, b) => a.revision - b.revision)
    .map((entry) => {
      const changed = entry.changes.find((change) => change.field === "currency")?.to;
      if (typeof changed === "string") currency = changed;
      return {
        id: entry.id,
        at: entry.at,
        sentences: sentencesOf(entry, currency, erased),
        from: fromText(entry),
        entry,
      };
    });
}

function revealLine(reveal: ReportHistory["reveals"][number]): HistoryLine {
  return {
    id: reveal.id,
    at: reveal.at,
    sentences: [{ text: `${subjectOf(reveal.actor)} revealed the hidden data` }],
    from: fromText(reveal),
  };
}

function fromText(entry: { actor: Actor; ip_address?: string; user_agent?: string }): string {
  return [roleText(entry.actor.role), entry.ip_address, entry.user_agent]
    .filter((part) => part)
    .join(", ");
}

function changeSentence(who: string, change: Change, currency: string, erased: boolean): Sentence {
  const field = fieldInSentence(change.field);
  if (change.hidden) {
    return {
      text: `${who} changed the ${field} (${erased ? "since erased" : "hidden"})`,
    };
  }
  const [from, to] = [change.from, change.to].map((value) =>
    isGiven(value) ? valueText(change.field, value, currency) : undefined,
  );
  if (from === undefined && to === undefined) return { text: `${who} changed the ${field}` };
  if (from === undefined) return withTexts(`${who} added the ${field}`, { after: to });
  if (to === undefined) return withTexts(`${who} removed the ${field}`, { before: from });
  if (from === to) return { text: `${who} changed the ${field}` };
  return withTexts(`${who} changed the ${field}`, { before: from, after: to });
}

/** Formats the fields, e.g. " in the title and description". Without fields, only earlier versions had the text. */
function maskedIn(changes: readonly Change[]): string {
  const fields = changes.map(({ field }) => fieldInSentence(field));
  return fields.length > 0
    ? ` in the ${new Intl.ListFormat("en-US").format(fields)}`
    : " in its history";
}

/** Appends short texts to the sentence ("..., $412.50 to $480.00") and returns long ones separately. */
function withTexts(
  text: string,
  { before, after }: { before?: string | undefined; after?: string | undefined },
): Sentence {
  const shown = [before, after].filter((part) => part !== undefined);
  const inline = shown.every((part) => part.length <= INLINE && !part.includes("\n"));
  if (inline) return { text: `${text}, ${shown.join(" to ")}` };
  return { text, ...omitUndefined({ before, after }) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Returns the person's name after the last event; empty once it is erased. */
export function nameInHistory(events: readonly HistoryEntry[]): string {
  const name = { first_name: "", last_name: "" };
  for (const { changes } of events) {
    for (const { field, to } of changes) {
      if (field === "first_name" || field === "last_name") {
        name[field] = typeof to === "string" ? to : "";
      }
    }
  }
  return `${name.first_name} ${name.last_name}`.trim();
}
