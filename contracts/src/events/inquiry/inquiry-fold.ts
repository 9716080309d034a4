import { type InquiryKind, inquiryForms } from "../../inquiry/inquiry-forms.ts";
import { type InquiryStatus, statusAfterReply, statusOf } from "../../inquiry/inquiry-status.ts";
import type { NoticeStatus } from "../../notice/notice-rules.ts";
import type { InquiryEvent, RegistryEvent } from "../index.ts";

/** A report, or a published picture of its evidence. */
export interface NoticeTarget {
  readonly report_id: string;
  readonly copy_id?: string | undefined;
}

/** Staff decisions about a notice or counter-notice. IDs and codes only, so no erasure changes it. */
export interface NoticeState {
  readonly status: NoticeStatus;
  /** Number of times it was linked, unlinked or decided. */
  readonly revision: number;
  /** What a notice is about. */
  readonly targets: readonly NoticeTarget[];
  readonly counterNotice?: string | undefined;
  /** The notice that a counter-notice answers. */
  readonly answers?: string | undefined;
  readonly refusal?: string | undefined;
}

export const NEW_NOTICE: NoticeState = { status: "new", revision: 0, targets: [] };

/** Events that change a notice's state. */
export const NOTICE_STEPS = [
  "NoticeLinked",
  "NoticeUnlinked",
  "NoticeRefused",
  "NoticeGranted",
  "NoticeCountered",
  "NoticeLifted",
  "CounterNoticeLinked",
] as const;
export type NoticeStepEvent = Extract<InquiryEvent, { type: (typeof NOTICE_STEPS)[number] }>;

/** Whether two targets are the same. */
export function sameTarget(a: NoticeTarget, b: NoticeTarget): boolean {
  return a.report_id === b.report_id && a.copy_id === b.copy_id;
}

/** Applies one event to a notice. */
export function evolveNotice(before: NoticeState, event: NoticeStepEvent): NoticeState {
  const state = { ...before, revision: before.revision + 1 };
  switch (event.type) {
    case "NoticeLinked":
      return { ...state, status: "in_work", targets: [...state.targets, event.data] };
    case "NoticeUnlinked":
      return {
        ...state,
        targets: state.targets.filter((target) => !sameTarget(target, event.data)),
      };
    case "NoticeRefused":
      return { ...state, status: "refused", refusal: event.data.reason_code };
    case "NoticeGranted":
      return { ...state, status: event.data.outcome === "restored" ? "restored" : "taken_down" };
    case "NoticeCountered":
      return { ...state, status: "countered", counterNotice: event.data.counter_notice_id };
    case "NoticeLifted":
      return { ...state, status: "lifted" };
    case "CounterNoticeLinked":
      return { ...state, status: "passed_on", answers: event.data.notice_id };
  }
}

type Received = Extract<InquiryEvent, { type: "InquiryReceived" }>["data"];

/** A staff answer and the reply to it. */
export interface InquiryAnswer {
  readonly answer_id: string;
  /** When the sender's reply link expires (RFC 3339, UTC). */
  readonly expires_at: string;
  /** Null once erased. */
  readonly text: string | null;
  readonly isReplied: boolean;
  /** Null until replied to, and once erased. */
  readonly reply: string | null;
}

/** An inquiry or a notice. */
export interface InquiryState {
  /** Undefined for a form unknown to this version. */
  readonly kind: InquiryKind | undefined;
  /** Null once erased. */
  readonly sender: NonNullable<Received["sender"]> | null;
  readonly isErased: boolean;
  readonly status: InquiryStatus;
  /** Number of status changes: by hand, by an answer or by a reply. */
  readonly statusRevision: number;
  readonly notes: number;
  /** Oldest first. */
  readonly answers: readonly InquiryAnswer[];
  readonly notice: NoticeState;
}

const NOTHING: InquiryState = {
  kind: undefined,
  sender: null,
  isErased: false,
  status: "new",
  statusRevision: 0,
  notes: 0,
  answers: [],
  notice: NEW_NOTICE,
};

/** Applies one event to an inquiry or a notice. */
export function evolveInquiry(state: InquiryState | undefined, event: InquiryEvent): InquiryState {
  switch (event.type) {
    case "InquiryReceived":
    case "NoticeReceived": {
      const { kind, sender = null } = event.data;
      return { ...NOTHING, kind: kindOf(kind), sender };
    }
    case "InquiryStatusChanged": {
      const { statusRevision } = state ?? NOTHING;
      const status = statusOf(event.data.to);
      return { ...(state ?? NOTHING), status, statusRevision: statusRevision + 1 };
    }
    case "InquiryNoteAdded":
    case "NoticeNoteAdded":
      return { ...(state ?? NOTHING), notes: (state ?? NOTHING).notes + 1 };
    case "InquiryAnswered": {
      const { statusRevision, answers } = state ?? NOTHING;
      const { link, note } = event.data;
      const { link_id: answer_id, expires_at } = link;
      const text = note?.text ?? null;
      return {
        ...(state ?? NOTHING),
        status: "answered",
        statusRevision: statusRevision + 1,
        answers: [...answers, { answer_id, expires_at, text, isReplied: false, reply: null }],
      };
    }
    case "InquiryReplied": {
      const { status, statusRevision, answers } = state ?? NOTHING;
      const { answer_id, sender } = event.data;
      return {
        ...(state ?? NOTHING),
        status: statusAfterReply(status),
        statusRevision: statusRevision + 1,
        answers: answers.map((each) =>
          each.answer_id === answer_id
            ? { ...each, isReplied: true, reply: sender?.text ?? null }
            : each,
        ),
      };
    }
    case "InquiryViewed":
    case "InquiryDocumentViewed":
    case "NoticeViewed":
    case "ReportDisclosed":
      return state ?? NOTHING;
    case "NoticeLinked":
    case "NoticeUnlinked":
    case "NoticeRefused":
    case "NoticeGranted":
    case "NoticeCountered":
    case "NoticeLifted":
    case "CounterNoticeLinked": {
      const { notice } = state ?? NOTHING;
      return { ...(state ?? NOTHING), notice: evolveNotice(notice, event) };
    }
    case "InquiryErased":
    case "NoticeErased":
      return {
        ...(state ?? NOTHING),
        sender: null,
        isErased: true,
        answers: (state ?? NOTHING).answers.map((each) => ({ ...each, text: null, reply: null })),
      };
  }
}

function kindOf(code: string): InquiryKind | undefined {
  return Object.hasOwn(inquiryForms, code) ? (code as InquiryKind) : undefined;
}

/** Events that erase an inquiry or a notice. */
export const INQUIRY_ENDS: readonly RegistryEvent["type"][] = ["InquiryErased", "NoticeErased"];

/** Returns the ID of the stream's inquiry or notice, or undefined for any other stream. */
export function inquiryOf(stream: string): string | undefined {
  return /^(?:inquiry|notice)-(.+)$/.exec(stream)?.[1];
}
