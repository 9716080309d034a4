import type { NoticeStatus } from "../../notice/notice-rules.ts";
import type { InquiryEvent } from "../index.ts";

/** A report, or a published picture of its evidence. */
export interface NoticeTarget {
  readonly report_id: string;
  readonly copy_id?: string | undefined;
}

/** What staff decided about a notice or a counter-notice. Ids and codes only: no erasure changes it. */
export interface NoticeState {
  readonly status: NoticeStatus;
  /** How often it was linked, unlinked or decided. */
  readonly revision: number;
  /** What a notice is about. */
  readonly targets: readonly NoticeTarget[];
  /** The counter-notice that answers it. */
  readonly counterNotice?: string | undefined;
  /** The notice that a counter-notice answers. */
  readonly answers?: string | undefined;
  /** Why it was refused. */
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

/** A notice after one more event. */
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
