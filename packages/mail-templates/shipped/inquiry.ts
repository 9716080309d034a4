import { REPLY_DAYS } from "#contracts/inquiry/inquiry-status.ts";
import { paragraphs, type ShippedTemplate } from "./shipped-template.ts";

const WRITE = "Please include the number when you write to us about this.";

/** Emails to senders of notices. The text is fixed: anyone can enter any address. */
const noticeTemplates = {
  notice_refused: {
    subject: "We can't act on your {{ form }} {{ number }}",
    body: paragraphs(
      "Hello,",
      "We reviewed your {{ form }} {{ number }} and can't act on it.",
      "{{ refusal }}",
      `You can send a new one. ${WRITE}`,
    ),
  },
  notice_granted: {
    subject: "DMCA notice {{ number }}: material taken down",
    body: paragraphs(
      "Hello,",
      "The material in your DMCA notice {{ number }} is no longer public. We've notified the person who submitted it. They can send a counter-notice. If they do, we'll let you know.",
      `To withdraw the notice, write to us. ${WRITE}`,
    ),
  },
  notice_countered: {
    subject: "DMCA notice {{ number }}: counter-notice received",
    body: paragraphs(
      "Hello,",
      "We received a counter-notice to your DMCA notice {{ number }}. Its number is {{ counter_number }}. Our staff will send you a copy.",
      "The material will be public again between {{ back_first }} and {{ back_last }}, unless we learn before then that you asked a court to stop it. If you did, tell us which court.",
      WRITE,
    ),
  },
  notice_lifted: {
    subject: "DMCA notice {{ number }}: material restored",
    body: paragraphs(
      "Hello,",
      "The material in your DMCA notice {{ number }} can be public again.",
      WRITE,
    ),
  },
  counter_notice_passed_on: {
    subject: "We forwarded your DMCA counter-notice {{ number }}",
    body: paragraphs(
      "Hello,",
      "We told the person who sent the notice about your counter-notice {{ number }}. The material will be public again between {{ back_first }} and {{ back_last }}, unless we learn before then that a court was asked to stop it.",
      WRITE,
    ),
  },
  counter_notice_granted: {
    subject: "DMCA counter-notice {{ number }}: material restored",
    body: paragraphs(
      "Hello,",
      "The notice no longer applies to the material in your counter-notice {{ number }}. What was public before is public again.",
      WRITE,
    ),
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;

/** Confirms to the sender of a form that we received it. The text is fixed, because anyone can enter any address. */
const received: ShippedTemplate = {
  subject: "We received your {{ form }} ({{ number }})",
  body: paragraphs(
    "Hello,",
    "Thank you for writing to {{ product_name }}. We received your {{ form }}. Its number is {{ number }}. Please include it when you write to us about this.",
    "{{ promise }}",
    "If you didn't send it, let us know or ignore this email.",
  ),
};

/** Staff write the answer, so it contains no text from strangers. */
const answered: ShippedTemplate = {
  subject: "Our answer to your {{ form }} {{ number }}",
  body: paragraphs(
    "Hello,",
    "This is our answer to your {{ form }} {{ number }}:",
    "{{ answer }}",
    `You can reply with the link. It takes one reply, within ${REPLY_DAYS} days. You don't need an account. If you didn't write to us, ignore this email.`,
  ),
  action: "Reply to us",
};

export const inquiryTemplates = {
  inquiry_received: received,
  inquiry_answered: answered,
  notice_received: received,
  ...noticeTemplates,
} as const;
