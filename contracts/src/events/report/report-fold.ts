import type { ReportStatus, ReportType } from "../../report/words.ts";
import type { ReportEvent } from "../index.ts";
import type { BlindIndexes, ClearReport, PersonalReport, ReporterReport } from "./stored-report.ts";

/** A report as its events leave it. The one meaning of the events, for commands and for replays. */
export interface ReportState {
  readonly status: ReportStatus | "deleted";
  readonly report_type: ReportType;
  readonly clear: ClearReport;
  /** Null once the person is erased. */
  readonly personal: PersonalReport | null;
  /** Null once the reporter is erased. */
  readonly reporter: ReporterReport | null;
  readonly blind: BlindIndexes | null;
  readonly slug: string | null;
  readonly slug_hash: string;
  /** Hashes of the slugs that edits of the name left behind; they answer 410. */
  readonly former_slug_hashes: readonly string[];
  readonly verified: boolean;
  /** The link that was asked for last; earlier ones are void. */
  readonly verification: { readonly link_id: string; readonly expires_at: string };
  readonly terms_version: string;
  /** Why it was turned down, while it is; null when erased. */
  readonly rejection_reason: string | null;
}

/** Folds one more event; `undefined` is a stream without events. */
export function evolveReport(state: ReportState | undefined, event: ReportEvent): ReportState {
  if (event.type === "ReportSubmitted") {
    const { data } = event;
    return {
      status: "pending",
      report_type: data.report_type,
      clear: data.report,
      personal: data.personal?.report ?? null,
      reporter: data.reporter?.report ?? null,
      blind: data.personal?.blind ?? null,
      slug: data.personal?.slug ?? null,
      slug_hash: data.slug_hash,
      former_slug_hashes: [],
      verified: false,
      verification: data.verification,
      terms_version: data.terms_version,
      rejection_reason: null,
    };
  }
  if (!state) throw new Error(`${event.type} stands before ReportSubmitted`);
  switch (event.type) {
    case "ReportEdited": {
      const { data } = event;
      const { personal, reporter } = data;
      return {
        ...state,
        clear: changed(state.clear, data),
        personal: state.personal && personal ? changed(state.personal, personal) : state.personal,
        reporter: state.reporter && reporter ? changed(state.reporter, reporter) : state.reporter,
        blind: personal?.blind ?? state.blind,
        slug: personal?.slug ?? state.slug,
        slug_hash: data.slug_hash ?? state.slug_hash,
        former_slug_hashes: data.slug_hash
          ? [...state.former_slug_hashes, state.slug_hash]
          : state.former_slug_hashes,
      };
    }
    case "ReportVerificationResent":
      return { ...state, verification: event.data.verification };
    case "ReportVerifiedByLink":
    case "ReportVerifiedByHand":
      return { ...state, verified: true };
    case "ReportVerificationWithdrawn":
      return { ...state, verified: false };
    case "ReportApproved":
      return { ...state, status: "approved", rejection_reason: null };
    case "ReportRejected":
      return {
        ...state,
        status: "rejected",
        rejection_reason: event.data.personal?.reason ?? null,
      };
    case "ReportStatusSet":
      return { ...state, status: event.data.to, rejection_reason: null };
    case "ReportDeleted":
      return { ...state, status: "deleted" };
  }
}

interface Change {
  readonly set: object;
  readonly cleared: readonly string[];
}

function changed<T extends object>(part: T, change: Change): T {
  const entries = Object.entries({ ...part, ...change.set });
  return Object.fromEntries(entries.filter(([field]) => !change.cleared.includes(field))) as T;
}
