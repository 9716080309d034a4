import { given } from "../../given.ts";
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

/** A copy of a file, made to be published. */
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
  /** Notices that keep it from being shown. */
  readonly holds: readonly string[];
}

/** A deletion that can be undone. */
export interface Deletion {
  /** The status that the report gets back. */
  readonly from: ReportStatus;
  readonly reason_code: string;
  /** RFC 3339. */
  readonly erase_at: string;
}

/** A report as its events leave it. Commands and replays both use this fold, so events mean the same to both. */
export interface ReportState {
  readonly status: ReportStatus | "deleted";
  /** While it is deleted, and not erased yet. */
  readonly deletion: Deletion | null;
  /** Whether a deletion waits for another admin; the reason's code. */
  readonly deletion_requested: string | null;
  /** Whether it was erased: its keys are destroyed. */
  readonly erased: boolean;
  readonly report_type: ReportType;
  readonly clear: ClearReport;
  /** Null once the person is erased. */
  readonly personal: PersonalReport | null;
  /** Null once the reporter is erased. */
  readonly reporter: ReporterReport | null;
  /** Whether the log says so. The key may already be destroyed before that. */
  readonly reporter_erased: boolean;
  readonly blind: BlindIndexes | null;
  /** Address of its page. Null before the first approval, and once the person is erased. */
  readonly slug: string | null;
  /** Notices that keep it from being public. */
  readonly holds: readonly string[];
  /** Of its reporter, for notices about this report, that count. */
  readonly warnings: readonly ReporterWarning[];
  /** Whether it was ever approved, and so its address was public. */
  readonly published: boolean;
  readonly verified: boolean;
  /** Whether the reporter opened a link sent to the present address, rather than only being vouched for. */
  readonly address_confirmed: boolean;
  /** Set where nothing is accepted from the present address, as it was when that was typed. */
  readonly held_back: { readonly until?: string } | null;
  /** The account that took it over from a visitor; null when none did, or the reporter is erased. */
  readonly claimed_by: string | null;
  /** Whether it is not its submitter's anymore. */
  readonly disowned: boolean;
  /** Links that were emailed to the reporter's present address. Each confirms it until it expires. */
  readonly links: readonly { readonly link_id: string; readonly expires_at: string }[];
  /** Whether emails about decisions go to the reporter's present address. */
  readonly notified: boolean;
  /** How often the address was corrected before it was confirmed. */
  readonly corrections: number;
  /** What moderators asked the reporter. */
  readonly questions: readonly ReporterQuestion[];
  /** What moderators wrote for each other, oldest first; null once the person is erased. */
  readonly moderator_notes: readonly { readonly note: string | null }[];
  /** Fields of the report whose texts read as masked: the key of the event that set them is destroyed. */
  readonly masked: readonly string[];
  readonly terms_version: string;
  /** In the order in which they were added, those included that are erased. */
  readonly evidence: readonly EvidenceFile[];
  /** The same for copies that were published. No one sees them while it is not approved. */
  readonly copies: readonly EvidenceCopy[];
  /** The last request for the RESOLVED banner; null when there was none. */
  readonly resolution: Resolution | null;
  /** Pages on which the fee can be paid, the oldest first. */
  readonly checkouts: readonly Checkout[];
  /** Whether it shows the RESOLVED banner while it is public. */
  readonly resolved: boolean;
  /** Why it is rejected, as a text. Null when it is erased or none was given. */
  readonly rejection_reason: string | null;
  /** Why it is rejected, as a code, which no erasure removes. Null when none was given. */
  readonly rejection_code: string | null;
}

/** How many links of one report are valid at once, at most. */
export const MOST_LINKS = 5;

/** Folds one more event. An undefined state means a stream without events. */
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
  if (!state) throw new Error(`${event.type} stands before ReportSubmitted`);
  const questions = evolveQuestions(state.questions, event);
  const resolution = evolveResolution(state.resolution, event);
  const checkouts = evolveCheckouts(state.checkouts, event);
  const warnings = evolveWarnings(state.warnings, event);
  const masked = evolveMasked(state.masked, event);
  const next = { ...state, ...factsOf(event), questions, resolution, checkouts, warnings, masked };
  if (state.status === "deleted") {
    // What changes the status of a deleted report changes what an undo leads to.
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
        // What came by email to the previous address says nothing about the new one.
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
      // What is shown again stands last.
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
        links: [...state.links, event.data.link].slice(-MOST_LINKS),
      };
    case "SubmissionHeldBack":
      return { ...next, held_back: given({ until: event.data.until }) };
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

/** The notices that hold something after one more does, or does not anymore. */
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
