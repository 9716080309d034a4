import type { Static } from "typebox";
import { given } from "#contracts/given.ts";
import type { FieldChange, HistoryEntry } from "#contracts/http/admin-reports.ts";
import { MODERATION } from "#contracts/http/moderation.ts";
import { DOCUMENT_DELETIONS } from "#contracts/report/evidence-rules.ts";
import { rejectionLabel } from "#contracts/report/words.ts";
import type { ReportHistory } from "../../data/console-data-provider.ts";
import { formatLongDay } from "../../shared/formats.ts";
import {
  deletionReasonText,
  fieldInSentence,
  roleText,
  sentenceCase,
  valueText,
} from "../../shared/labels.ts";
import { resolutionSentence } from "./resolution-sentences.ts";

type Change = Static<typeof FieldChange>;
type Actor = HistoryEntry["actor"];

/** One thing that happened, in words. Long texts are beside the sentence. */
export interface Sentence {
  readonly text: string;
  readonly before?: string;
  readonly after?: string;
}

/** One event, or one reveal of the hidden data, in readable form. */
export interface HistoryLine {
  readonly id: string;
  readonly at: string;
  readonly sentences: readonly Sentence[];
  /** "Administrator, 192.0.x.x, Firefox on Linux". */
  readonly from: string;
  /** Absent for a reveal, which changed nothing and so has no revision to show. */
  readonly entry?: HistoryEntry;
}

export interface HistoryDay {
  readonly label: string;
  readonly lines: readonly HistoryLine[];
}

/** Longest text that is quoted inside a sentence. */
const INLINE = 60;

/**
 * A report's whole history by day, newest first.
 * @param timeZone IANA name; the reader's own when absent.
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

/** Who acted, as the subject of a sentence. */
export function subjectOf(actor: Actor): string {
  if (actor.name) return actor.name;
  const subjects: Readonly<Record<string, string>> = {
    visitor: "A visitor",
    system: "The system",
    admin: "An administrator",
    auditor: "An auditor",
    user: "An account",
  };
  return subjects[actor.role] ?? "Somebody";
}

/** What an event did, where that is always the same; `@` is who did it. */
const PLAIN: Readonly<Partial<Record<HistoryEntry["type"], string>>> = {
  ReportSubmitted: "@ submitted the report",
  ReportVerificationResent: "@ asked for the verification mail again",
  ReporterAddressCorrected: "@ corrected the reporter's address before it was confirmed",
  ReporterAsked: "@ asked the reporter a question",
  ReporterAnswered: "The reporter answered the question",
  ReporterQuestionWithdrawn: "@ withdrew the question to the reporter",
  ModeratorNoteWritten: "@ wrote a note for moderators",
  ReportVerifiedByLink: "The reporter confirmed the email address by the link",
  ReportVerifiedByHand: "@ verified the email address by hand",
  ReportVerificationWithdrawn: "@ took the verification of the email address back",
  ReporterNotificationsSet:
    "The reporter chose whether mails about the report's decisions are sent",
  ReportClaimed: "@ added the report to their account",
  ReportDisowned: "@ took the report from an account that it did not belong to",
  EvidenceAdded: "@ added a file",
  EvidencePublished: "@ published a picture of the evidence",
  ReportPutBack: "@ ended the hold of a copyright notice on the report",
  EvidenceReleased: "@ ended the hold of a copyright notice on a published picture",
  ReporterWarned: "@ warned the reporter because of a copyright notice",
  SubmissionHeldBack: "The reporter was mailed that their address is suspended, and got no link",
  ReporterWarningLifted: "@ took the reporter's warning for a copyright notice back",
  EvidenceErased: "@ erased a file",
  ReporterErased: "@ erased the reporter",
  ReportDeletionUndone: "@ undid the deletion",
  ReportErased: "@ erased the report",
  ReportVerifiedByAccount:
    "The reporter had confirmed the email address for the account that reported",
};

/**
 * What an event did, one sentence for each thing.
 * @param currency of the report at that time.
 * @param erased whether the report was deleted since, so that hidden values no longer exist.
 */
export function sentencesOf(entry: HistoryEntry, currency: string, erased = false): Sentence[] {
  const who = subjectOf(entry.actor);
  if (entry.command === MODERATION.undo.type)
    return [{ text: `${who} took the decision back before anyone was told` }];
  const plain = PLAIN[entry.type];
  if (plain) return [{ text: plain.replace("@", who) }];
  switch (entry.type) {
    case "ReportApproved":
      return [{ text: `${who} approved the report${unverified(entry)}` }];
    case "ReportTextMasked":
      return [{ text: `${who} masked private text${maskedIn(entry.changes)}` }];
    case "ReportRejected": {
      const { reason, reason_code, duplicate_of } = entry;
      const label = reason_code && rejectionLabel(reason_code).toLowerCase();
      const code = duplicate_of ? `${label} of ${duplicate_of}` : label;
      return [withReason(`${who} rejected the report`, reason, code)];
    }
    case "ReportStatusSet":
      return [
        {
          text:
            entry.status === "under_review"
              ? `${who} put the report under review`
              : `${who} set the report back to ${valueText("status", entry.status).toLowerCase()}`,
        },
      ];
    case "EvidenceHidden": {
      const text = `${who} took a published picture away`;
      return [withReason(text, entry.reason)];
    }
    case "ReportTakenDown":
    case "EvidenceWithheld": {
      const what = entry.type === "ReportTakenDown" ? "the report" : "a published picture";
      const text = `${who} took ${what} down because of a copyright notice`;
      return [withReason(text, entry.reason)];
    }
    case "EvidenceDeleted": {
      const code = deletionOfDocument(entry.reason_code);
      return [withReason(`${who} deleted a file`, entry.reason, code)];
    }
    case "ReportVersionRestored":
      return [
        {
          text: `${who} restored an earlier version${entry.restored === undefined ? "" : `, revision ${entry.restored}`}`,
        },
      ];
    case "ReportDeletionRequested":
    case "ReportDeleted":
      return [
        {
          text: `${who} ${entry.type === "ReportDeleted" ? "deleted the report" : "asked another admin to approve deleting the report"}${entry.reason_code ? `: ${deletionReasonText(entry.reason_code).toLowerCase()}` : ""}`,
        },
      ];
    case "ReportEdited":
      return entry.changes.length === 0
        ? [{ text: `${who} edited the report` }]
        : entry.changes.map((change) => changeSentence(who, change, currency, erased));
    default: {
      const text = resolutionSentence(entry, who);
      if (text) return [withReason(text, entry.reason)];
      return [{ text: `${who}: ${sentenceCase(entry.type).toLowerCase()}` }];
    }
  }
}

/** Lines for the events. Each amount is shown in the report's currency at that time. */
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

function unverified(entry: HistoryEntry): string {
  return entry.verified ? "" : " before the email address was confirmed";
}

function changeSentence(who: string, change: Change, currency: string, erased: boolean): Sentence {
  const field = fieldInSentence(change.field);
  if (change.hidden) {
    return {
      text: `${who} changed the ${field}, ${erased ? "erased since" : "which is hidden"}`,
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

/** " in the title and description"; nothing where only earlier versions had it. */
function maskedIn(changes: readonly Change[]): string {
  const fields = changes.map(({ field }) => fieldInSentence(field));
  return fields.length > 0
    ? ` in the ${new Intl.ListFormat("en-US").format(fields)}`
    : " in its history";
}

/** Adds short texts to the sentence ("..., $412.50 to $480.00") and puts long ones beside it. */
function withTexts(
  text: string,
  { before, after }: { before?: string | undefined; after?: string | undefined },
): Sentence {
  const shown = [before, after].filter((part) => part !== undefined);
  const inline = shown.every((part) => part.length <= INLINE && !part.includes("\n"));
  if (inline) return { text: `${text}, ${shown.join(" to ")}` };
  return { text, ...given({ before, after }) };
}

function deletionOfDocument(code: string | undefined): string {
  const words: Readonly<Record<string, string>> = DOCUMENT_DELETIONS;
  return code && Object.hasOwn(words, code) ? (words[code] ?? "").toLowerCase() : "";
}

/** Adds a reason from a list, and one that was typed: "...: no evidence", "... (no evidence): “No letter”". */
function withReason(what: string, reason: string | undefined, code?: string): Sentence {
  if (!reason) return { text: code ? `${what}: ${code}` : what };
  const text = code ? `${what} (${code})` : what;
  const isShort = reason.length <= INLINE && !reason.includes("\n");
  return isShort ? { text: `${text}: “${reason}”` } : { text, after: reason };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** The person's name after the last event; empty once it is erased. */
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
