import { omitUndefined } from "../../omit-undefined.ts";
import type { FileType } from "../../report/evidence-rules.ts";
import type { ReportStatus, ReportType } from "../../report/words.ts";
import type { ReportEvent } from "../index.ts";
import { type Checkout, evolveCheckouts } from "./checkout.ts";
import { asEdit, evolveMasked, factsOf, NOT_REJECTED, textsAround } from "./report-edited.ts";
import { withTextsAt } from "./report-texts.ts";
import {
  evolveQuestions,
  evolveWarnings,
  type ReporterQuestion,
  type ReporterWarning,
} from "./reporter-questions.ts";
import { evolveResolution, type Resolution } from "./resolution.ts";
import type { BlindIndexes, ClearReport, PersonalReport, ReporterReport } from "./stored-report.ts";

/** A file of a report. */
export interface EvidenceFile {
  readonly file_id: string;
  readonly kind: string;
  readonly type: FileType;
  /** Null once the person is erased. */
  readonly personal: {
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
  } | null;
  readonly erased: boolean;
}

/** A copy of a file, made for publication. */
export interface EvidenceCopy {
  readonly copy_id: string;
  readonly file_id: string;
  readonly kind: string;
  readonly page: number | undefined;
  /** Null once the person is erased. Sizes in pixels and bytes. */
  readonly personal: {
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
    readonly sha256: string;
  } | null;
  readonly hidden: boolean;
  readonly erased: boolean;
  /** Notices that keep it hidden. */
  readonly holds: readonly string[];
}

/** A deletion that can be undone. */
export interface Deletion {
  /** The status to restore. */
  readonly from: ReportStatus;
  readonly reason_code: string;
  /** RFC 3339. */
  readonly erase_at: string;
}

/** Current state of a report. Commands and replays share this fold, so events mean the same to both. */
export interface ReportState {
  readonly status: ReportStatus | "deleted";
  /** Set while it is deleted and not yet erased. */
  readonly deletion: Deletion | null;
  /** Reason code of a deletion that is waiting for another admin. */
  readonly deletion_requested: string | null;
  /** Whether it was erased, which destroys its keys. */
  readonly erased: boolean;
  readonly report_type: ReportType;
  readonly clear: ClearReport;
  /** Null once the person is erased. */
  readonly personal: PersonalReport | null;
  /** Null once the reporter is erased. */
  readonly reporter: ReporterReport | null;
  /** Whether the log says so. The key may be destroyed earlier. */
  readonly reporter_erased: boolean;
  readonly blind: BlindIndexes | null;
  /** Slug of its page. Null before the first approval, and once the person is erased. */
  readonly slug: string | null;
  /** Notices that keep it from being public. */
  readonly holds: readonly string[];
  /** Warnings of its reporter that count, for notices about this report. */
  readonly warnings: readonly ReporterWarning[];
  /** Whether it was ever approved, which made its URL public. */
  readonly published: boolean;
  readonly verified: boolean;
  /** Whether the reporter confirmed the current address, by link or account. Verification by hand does not count. */
  readonly address_confirmed: boolean;
  /** Set if submissions from the current address were blocked when it was entered. */
  readonly held_back: { readonly until?: string } | null;
  /** The account that claimed it from a visitor; null if none did or the reporter is erased. */
  readonly claimed_by: string | null;
  /** Whether it no longer belongs to its submitter. */
  readonly disowned: boolean;
  /** Links emailed to the reporter's current address. Each confirms it until it expires. */
  readonly links: readonly { readonly link_id: string; readonly expires_at: string }[];
  /** Whether decision emails go to the reporter's current address. */
  readonly notified: boolean;
  /** Number of times the address was corrected before it was confirmed. */
  readonly corrections: number;
  readonly questions: readonly ReporterQuestion[];
  /** Moderators' internal notes, oldest first; null once the person is erased. */
  readonly moderator_notes: readonly { readonly note: string | null }[];
  /** Fields whose texts read as masked, because the key of the event that set them was destroyed. */
  readonly masked: readonly string[];
  readonly terms_version: string;
  /** In the order added, including erased files. */
  readonly evidence: readonly EvidenceFile[];
  /** Published copies, in that order, including erased ones. Visible only while the report is approved. */
  readonly copies: readonly EvidenceCopy[];
  /** The latest request for the RESOLVED banner, if any. */
  readonly resolution: Resolution | null;
  /** Pages for paying the fee, oldest first. */
  readonly checkouts: readonly Checkout[];
  /** Whether it shows the RESOLVED banner while public. */
  readonly resolved: boolean;
  /** Rejection reason as text; null if erased or not given. */
  readonly rejection_reason: string | null;
  /** Rejection reason as a code, which no erasure removes; null if not given. */
  readonly rejection_code: string | null;
}

/** Maximum number of valid links per report. */
export const MAX_LINKS = 5;

/**
 * Applies one event.
 * @param state undefined for a stream without events.
 * @throws {Error} if any event precedes `ReportSubmitted`.
 */
export function evolveReport(state: ReportState | undefined, event: ReportEvent): ReportState {
  if (event.type === "ReportSubmitted") {
    const { data } = event;
    return {
      status: "pending",
      deletion: null,
      deletion_requested: null,
      erased: false,
      report_type: data.report_type,
      clear: data.report,
      personal: data.personal?.report ?? null,
      reporter: data.reporter?.report ?? null,
      reporter_erased: false,
      blind: null,
      slug: null,
      holds: [],
      warnings: [],
      published: false,
      verified: false,
      address_confirmed: false,
      held_back: null,
      claimed_by: null,
      disowned: false,
      links: data.link ? [data.link] : [],
      notified: true,
      corrections: 0,
      questions: [],
      moderator_notes: [],
      masked: evolveMasked([], event),
      terms_version: data.terms_version,
      evidence: [],
      copies: [],
      resolution: null,
      checkouts: [],
      resolved: false,
      ...NOT_REJECTED,
      ...factsOf(event),
    };
  }
  if (!state) throw new Error(`${event.type} comes before ReportSubmitted`);
  const questions = evolveQuestions(state.questions, event);
  const resolution = evolveResolution(state.resolution, event);
  const checkouts = evolveCheckouts(state.checkouts, event);
  const warnings = evolveWarnings(state.warnings, event);
  const masked = evolveMasked(state.masked, event);
  const next = { ...state, ...factsOf(event), questions, resolution, checkouts, warnings, masked };
  if (state.status === "deleted") {
    // A status change of a deleted report changes the status that an undo restores.
    const { status: from } = factsOf(event);
    next.status = "deleted";
    if (from && state.deletion) next.deletion = { ...state.deletion, from };
  }
  switch (event.type) {
    case "ReportTextMasked":
    case "ReportEdited": {
      const data = event.type === "ReportEdited" ? event.data : asEdit(event.data);
      const { personal, reporter } = data;
      const { moderator_notes } =
        event.type === "ReportEdited" ? state : withTextsAt(state, textsAround(event.data));
      return {
        ...next,
        moderator_notes,
        clear: changed(state.clear, data),
        personal: state.personal && personal ? changed(state.personal, personal) : state.personal,
        reporter: state.reporter && reporter ? changed(state.reporter, reporter) : state.reporter,
        // Confirmations and links for the previous address say nothing about the new one.
        ...(data.fields.includes("reporter_email")
          ? { address_confirmed: false, held_back: null, links: [], notified: true }
          : {}),
      };
    }
    case "EvidenceAdded": {
      const { file_id, kind, type, personal = null } = event.data;
      const file = { file_id, kind, type, personal, erased: false };
      return { ...next, evidence: [...state.evidence, file] };
    }
    case "EvidencePublished": {
      const { copy_id, file_id, kind, page, personal = null } = event.data;
      const copy = {
        copy_id,
        file_id,
        kind,
        page,
        personal,
        hidden: false,
        erased: false,
        holds: [],
      };
      return { ...next, copies: [...state.copies, copy] };
    }
    case "EvidenceHidden": {
      const { copy_id } = event.data;
      const copies = state.copies.map((copy) =>
        copy.copy_id === copy_id ? { ...copy, hidden: true } : copy,
      );
      return { ...next, copies };
    }
    case "EvidenceErased": {
      const { file_id } = event.data;
      const evidence = state.evidence.map((file) =>
        file.file_id === file_id ? { ...file, erased: true } : file,
      );
      const copies = state.copies.map((copy) =>
        copy.copy_id === file_id ? { ...copy, erased: true } : copy,
      );
      return { ...next, evidence, copies };
    }
    case "EvidenceWithheld":
    case "EvidenceReleased": {
      const { copy_id, notice_id } = event.data;
      const isHeld = event.type === "EvidenceWithheld";
      const copies = state.copies.map((copy) =>
        copy.copy_id === copy_id ? { ...copy, holds: held(copy.holds, notice_id, isHeld) } : copy,
      );
      if (isHeld) return { ...next, copies };
      // A copy that is shown again moves to the end.
      const isFree = (copy: EvidenceCopy) => copy.copy_id === copy_id && copy.holds.length === 0;
      const others = copies.filter((copy) => !isFree(copy));
      return { ...next, copies: [...others, ...copies.filter(isFree)] };
    }
    case "ReportTakenDown":
    case "ReportPutBack": {
      const isHeld = event.type === "ReportTakenDown";
      return { ...next, holds: held(state.holds, event.data.notice_id, isHeld) };
    }
    case "ReportVerificationResent":
      return {
        ...next,
        held_back: null,
        links: [...state.links, event.data.link].slice(-MAX_LINKS),
      };
    case "SubmissionHeldBack":
      return { ...next, held_back: omitUndefined({ until: event.data.until }) };
    case "ReporterAddressCorrected": {
      const { link, reporter: corrected } = event.data;
      return {
        ...next,
        reporter:
          state.reporter && corrected
            ? { ...state.reporter, reporter_email: corrected.email }
            : state.reporter,
        address_confirmed: false,
        held_back: null,
        links: [link],
        notified: true,
        corrections: state.corrections + 1,
      };
    }
    case "ReportVerifiedByLink":
    case "ReportVerifiedByAccount":
      return { ...next, address_confirmed: true, links: [] };
    case "ReportVerifiedByHand":
      return { ...next, links: [] };
    case "ReportVerificationWithdrawn":
      return { ...next, address_confirmed: false, links: [] };
    case "ReportClaimed":
      return { ...next, claimed_by: event.data.account_id };
    case "ReportDisowned":
      return { ...next, claimed_by: null, disowned: true };
    case "ReporterNotificationsSet":
      return { ...next, notified: event.data.decisions };
    case "ReportApproved":
      return { ...next, published: true };
    case "ReporterWarned":
    case "ReporterWarningLifted":
    case "ReportVersionRestored":
    case "EvidenceDeleted":
    case "ReportRejected":
    case "ReportStatusSet":
    case "ReporterAsked":
    case "ReporterAnswered":
    case "ReporterQuestionWithdrawn":
    case "ResolutionRequested":
    case "ResolutionLetterAccepted":
    case "ResolutionLetterRefused":
    case "ResolutionWithdrawn":
    case "CheckoutOpened":
    case "PaymentAccepted":
    case "PaymentRefunded":
    case "ReportResolved":
    case "ReportUnresolved":
      return next;
    case "ModeratorNoteWritten":
      return {
        ...next,
        moderator_notes: [...state.moderator_notes, { note: event.data.personal?.note ?? null }],
      };
    case "ReporterErased":
      return {
        ...next,
        reporter: null,
        reporter_erased: true,
        address_confirmed: false,
        claimed_by: null,
        links: [],
      };
    case "ReportDeletionRequested":
      return { ...next, deletion_requested: event.data.reason_code };
    case "ReportDeleted":
      return { ...next, status: "deleted", deletion: event.data, deletion_requested: null };
    case "ReportDeletionUndone":
      return { ...next, status: event.data.to, deletion: null, deletion_requested: null };
    case "ReportErased":
      return { ...next, status: "deleted", deletion: null, erased: true };
  }
}

function held(holds: readonly string[], notice: string, isHeld: boolean): readonly string[] {
  const others = holds.filter((each) => each !== notice);
  return isHeld ? [...others, notice] : others;
}

interface Change {
  readonly set: object;
  readonly cleared: readonly string[];
}

function changed<T extends object>(part: T, change: Change): T {
  const entries = Object.entries({ ...part, ...change.set });
  return Object.fromEntries(entries.filter(([field]) => !change.cleared.includes(field))) as T;
}
