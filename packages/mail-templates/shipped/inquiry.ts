import { noticeTemplates } from "./notice.ts";
import { paragraphs, type ShippedTemplate } from "./shipped-template.ts";

/** Tells the sender of a form that it arrived. All words are fixed: anybody can type an address. */
const received: ShippedTemplate = {
  subject: "{{ form_title }} {{ number }}: we have it",
  body: paragraphs(
    "Hello,",
    "Your {{ form }} to {{ product_name }} arrived. Its number is {{ number }}: please quote it when you write to us about it.",
    "{{ promise }}",
    "If you did not send it, you can ignore this mail, or tell us so.",
  ),
};

/** Mails to senders of inquiries and notices. */
export const inquiryTemplates = {
  inquiry_received: received,
  notice_received: received,
  ...noticeTemplates,
} as const;
