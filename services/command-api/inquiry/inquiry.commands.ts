import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";

/** The commands of inquiries and notices. */
export type InquiryCommand =
  | {
      readonly type: "SendInquiry";
      readonly kind: InquiryKind;
      /** By field; every one is a text that is not empty. */
      readonly answers: Readonly<Record<string, string>>;
    }
  | { readonly type: "ViewInquiry" }
  | { readonly type: "EraseInquiry"; readonly by: "retention" | "operator" };
