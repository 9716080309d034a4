import { paragraphs, type ShippedTemplate } from "./shipped-template.ts";

const WRITE = "Please quote the number when you write to us about it.";

/**
 * Mails to senders of notices and counter-notices. All words are fixed: anybody can type an address, and what one
 * side wrote is not mailed to the other.
 */
const noticeTemplates = {
  notice_refused: {
    subject: "{{ form_title }} {{ number }}: we cannot act on it",
    body: paragraphs(
      "Hello,",
      "We looked at your {{ form }} {{ number }} and cannot act on it.",
      "{{ refusal }}",
      `You can send another one. ${WRITE}`,
    ),
  },
  notice_granted: {
    subject: "DMCA notice {{ number }}: the material is down",
    body: paragraphs(
      "Hello,",
      "What your DMCA notice {{ number }} is about is not public any more. Whoever submitted it was told, and may send a counter-notice. You would hear from us then.",
      `If you want to withdraw the notice, tell us. ${WRITE}`,
    ),
  },
  notice_countered: {
    subject: "DMCA notice {{ number }}: a counter-notice arrived",
    body: paragraphs(
      "Hello,",
      "A counter-notice, number {{ counter_number }}, arrived about your DMCA notice {{ number }}. Our staff sends you a copy of it.",
      "The material is back between {{ back_first }} and {{ back_last }}, unless we learn before that you asked a court to stop it. If you did, tell us, and say which court.",
      WRITE,
    ),
  },
  notice_lifted: {
    subject: "DMCA notice {{ number }}: the material is back",
    body: paragraphs(
      "Hello,",
      "What your DMCA notice {{ number }} was about can be public again.",
      WRITE,
    ),
  },
  counter_notice_passed_on: {
    subject: "DMCA counter-notice {{ number }}: we passed it on",
    body: paragraphs(
      "Hello,",
      "We told whoever sent the notice of your counter-notice {{ number }}. The material is back between {{ back_first }} and {{ back_last }}, unless we learn before that a court was asked to stop it.",
      WRITE,
    ),
  },
  counter_notice_granted: {
    subject: "DMCA counter-notice {{ number }}: the material is back",
    body: paragraphs(
      "Hello,",
      "What your counter-notice {{ number }} is about is not held by the notice any more. What was public before is public again.",
      WRITE,
    ),
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;

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
