import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";

/** The commands of inquiries and notices. */
export type InquiryCommand =
  | {
      readonly type: "SendInquiry";
      readonly kind: InquiryKind;
      /** By field; every one is a text that is not empty. */
      readonly answers: Readonly<Record<string, string>>;
      /** A file that was uploaded before. */
      readonly upload?: NamedUpload;
    }
  | { readonly type: "ViewInquiry" }
  | { readonly type: "ViewInquiryDocument" }
  | {
      readonly type: "ChangeInquiryStatus";
      readonly status: InquiryStatus;
      /** How often the status had been changed when the sender saw it. */
      readonly revision: number;
    }
  | { readonly type: "AddInquiryNote"; readonly text: string }
  | {
      readonly type: "DiscloseReport";
      readonly reportId: string;
      /** Of the report's last event. */
      readonly revision: number;
    }
  | { readonly type: "EraseInquiry"; readonly by: "retention" | "operator" };

/** The same, with what became of the upload. */
export type PreparedInquiryCommand = InquiryCommand & { readonly document?: InquiryDocument };
