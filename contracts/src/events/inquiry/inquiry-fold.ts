import { type InquiryKind, inquiryForms } from "../../inquiry/inquiry-forms.ts";
import { type InquiryStatus, statusOf } from "../../inquiry/inquiry-status.ts";
import type { InquiryEvent, RegistryEvent } from "../index.ts";
import { evolveNotice, NEW_NOTICE, type NoticeState } from "./notice-fold.ts";

type Received = Extract<InquiryEvent, { type: "InquiryReceived" }>["data"];

/** An inquiry or a notice. */
export interface InquiryState {
  /** Undefined for a form that this version does not know. */
  readonly kind: InquiryKind | undefined;
  /** What was sent; null once it is erased. */
  readonly sender: NonNullable<Received["sender"]> | null;
  readonly isErased: boolean;
  readonly status: InquiryStatus;
  /** How often the status was changed. */
  readonly statusRevision: number;
  readonly notes: number;
  /** What staff decided about a notice. */
  readonly notice: NoticeState;
}

const NOTHING: InquiryState = {
  kind: undefined,
  sender: null,
  isErased: false,
  status: "new",
  statusRevision: 0,
  notes: 0,
  notice: NEW_NOTICE,
};

/** An inquiry or a notice after one more event. */
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
      return { ...(state ?? NOTHING), sender: null, isErased: true };
  }
}

function kindOf(code: string): InquiryKind | undefined {
  return Object.hasOwn(inquiryForms, code) ? (code as InquiryKind) : undefined;
}

/** Events with which an inquiry or a notice is erased. */
export const INQUIRY_ENDS: readonly RegistryEvent["type"][] = ["InquiryErased", "NoticeErased"];

/** Id of the inquiry or notice that the stream is about; undefined for any other stream. */
export function inquiryOf(stream: string): string | undefined {
  return /^(?:inquiry|notice)-(.+)$/.exec(stream)?.[1];
}
