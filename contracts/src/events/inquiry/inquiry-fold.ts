import { type InquiryKind, inquiryForms } from "../../inquiry/inquiry-forms.ts";
import type { InquiryEvent } from "../index.ts";

type Received = Extract<InquiryEvent, { type: "InquiryReceived" }>["data"];

/** An inquiry or a notice. */
export interface InquiryState {
  /** Undefined for a form that this version does not know. */
  readonly kind: InquiryKind | undefined;
  /** What was sent; null once it is erased. */
  readonly sender: NonNullable<Received["sender"]> | null;
  readonly isErased: boolean;
}

/** An inquiry or a notice after one more event. */
export function evolveInquiry(state: InquiryState | undefined, event: InquiryEvent): InquiryState {
  switch (event.type) {
    case "InquiryReceived":
    case "NoticeReceived": {
      const { kind, sender = null } = event.data;
      return { kind: kindOf(kind), sender, isErased: false };
    }
    case "InquiryViewed":
    case "InquiryDocumentViewed":
    case "NoticeViewed":
      return state ?? { kind: undefined, sender: null, isErased: false };
    case "InquiryErased":
    case "NoticeErased":
      return { kind: state?.kind, sender: null, isErased: true };
  }
}

function kindOf(code: string): InquiryKind | undefined {
  return Object.hasOwn(inquiryForms, code) ? (code as InquiryKind) : undefined;
}
