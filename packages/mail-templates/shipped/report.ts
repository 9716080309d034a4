import { SUSPENSION_DAYS } from "#contracts/notice/notice-promises.ts";
import { QUESTION_DAYS } from "#contracts/report/reporter-rules.ts";
import { VERIFICATION_HOURS } from "#contracts/report/words.ts";
import { HELLO, paragraphs, REASON, REPORT, type ShippedTemplate } from "./shipped-template.ts";

const COUNTER_NOTICE =
  "If this is a mistake, send a counter-notice and include the number. The DMCA policy explains what it must say and what happens next.";

export const reportTemplates = {
  /** The text is fixed, because the address isn't confirmed yet. */
  verification: {
    subject: "Confirm your report to {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Thank you for your report. Please confirm that this address is yours. Once you do, our moderators will review the report, and we'll email you their decision.",
      `The link works once, within ${VERIFICATION_HOURS} hours. If you didn't submit a report, you can ignore this email.`,
    ),
    action: "Confirm my email address",
  },
  /** A moderator writes the question, so it goes only to a confirmed address. */
  question: {
    subject: "A question about your {{ product_name }} report",
    body: paragraphs(
      HELLO,
      `A moderator has a question about your ${REPORT}:`,
      "{{ question }}",
      `Your report is on hold until you answer. The link accepts one answer, within ${QUESTION_DAYS} days. You don't need an account.`,
    ),
    action: "Answer the question",
  },
  approved: {
    subject: "Your {{ product_name }} report is published",
    body: paragraphs(HELLO, `We approved your ${REPORT}. It's now public.`),
    // The report page's URL contains a name, so no email links to it.
    action: "Open the registry",
  },
  rejected: {
    subject: "Your {{ product_name }} report wasn't published",
    body: paragraphs(HELLO, `We reviewed your ${REPORT} and won't publish it.`, REASON),
  },
  under_review: {
    subject: "Your {{ product_name }} report is under review",
    body: paragraphs(HELLO, `We're reviewing your ${REPORT}. We'll email you when we decide.`),
  },
  pending: {
    subject: "Your {{ product_name }} report is awaiting review",
    body: paragraphs(HELLO, `We put your ${REPORT} back in the queue. It's now awaiting review.`),
  },
  taken_down: {
    subject: "Your {{ product_name }} report is hidden for now",
    body: paragraphs(
      HELLO,
      `We received a copyright notice about your ${REPORT}. The report is under review and hidden for now. Nothing was deleted. The notice's number is {{ number }}.`,
      REASON,
      COUNTER_NOTICE,
    ),
    action: "Send a counter-notice",
  },
  put_back: {
    subject: "Your {{ product_name }} report is public again",
    body: paragraphs(
      HELLO,
      `Your ${REPORT} is public again. Copyright notice {{ number }} no longer applies to it.`,
    ),
    action: "Open the registry",
  },
  evidence_withheld: {
    subject: "A picture in your {{ product_name }} report is hidden for now",
    body: paragraphs(
      HELLO,
      `We received a copyright notice about a published picture in your ${REPORT}. The picture is hidden for now. Nothing was deleted. The notice's number is {{ number }}.`,
      REASON,
      COUNTER_NOTICE,
    ),
    action: "Send a counter-notice",
  },
  evidence_released: {
    subject: "A picture in your {{ product_name }} report is public again",
    body: paragraphs(
      HELLO,
      `A picture in your ${REPORT} is public again. Copyright notice {{ number }} no longer applies to it.`,
    ),
    action: "Open the registry",
  },
  infringer_warned: {
    subject: "Copyright warning from {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Copyright notice {{ number }} counts against this address, because material in your ${REPORT} was taken down. After a second notice, we won't accept reports from this address for ${SUSPENSION_DAYS} days. After a third, we won't accept them at all.`,
      "The notice stops counting once it is withdrawn or answered with a counter-notice. The DMCA policy explains how.",
    ),
    action: "Read the DMCA policy",
  },
  infringer_suspended: {
    subject: "{{ product_name }} no longer accepts reports from this address",
    body: paragraphs(
      HELLO,
      `Material in your ${REPORT} was taken down because of copyright notice {{ number }}. It wasn't the first time. {% if until != "" %}We won't accept reports from this address until {{ until }}.{% else %}We no longer accept reports from this address.{% endif %}`,
      "If this is a mistake, write to us, or send a counter-notice and include the number. The DMCA policy explains what happens next.",
    ),
    action: "Read the DMCA policy",
  },
  /** The text is fixed, because the address isn't confirmed. */
  submission_held_back: {
    subject: "{{ product_name }} didn't accept a report",
    body: paragraphs(
      "Hello,",
      `Someone submitted a report with this address. We didn't accept it, because reports from this address infringed copyright more than once. {% if until != "" %}We won't accept reports from it until {{ until }}.{% else %}We no longer accept reports from it.{% endif %}`,
      "If you think this is a mistake, write to us. If you didn't submit a report, you can ignore this email.",
    ),
    action: "Read the DMCA policy",
  },
  letter_accepted: {
    subject: "{{ product_name }} accepted your letter",
    body: paragraphs(
      HELLO,
      `We checked the notarized letter for your ${REPORT}, and it is in order.`,
      "There's a one-time fee of {{ fee }} for the RESOLVED banner. Your report's page explains how to pay. We'll show the banner as soon as your payment arrives.",
      "The fee is refunded only if you paid it twice or by mistake.",
    ),
    action: "Open your report",
  },
  letter_refused: {
    subject: "{{ product_name }} couldn't accept your letter",
    body: paragraphs(
      HELLO,
      `We checked the notarized letter for your ${REPORT} but can't accept it. You don't owe anything.`,
      REASON,
      "You can send another letter on your report's page.",
    ),
    action: "Open your report",
  },
  resolved: {
    subject: "Your {{ product_name }} report is marked as resolved",
    body: paragraphs(
      HELLO,
      `We received your payment of {{ fee }}. Your ${REPORT} now shows the RESOLVED banner wherever it's public.`,
    ),
    action: "Open your report",
  },
  payment_refunded: {
    subject: "{{ product_name }} refunded your payment",
    body: paragraphs(
      HELLO,
      `We refunded your payment for the RESOLVED banner on your ${REPORT}.`,
      REASON,
      "Your report's page shows whether it still has the banner.",
    ),
    action: "Open your report",
  },
  /** Names no one: the audit log does. */
  payment_told: {
    subject: "A payment was recorded or refunded at {{ product_name }}",
    body: paragraphs(
      HELLO,
      "An admin of {{ product_name }} recorded or refunded a payment for the RESOLVED banner. The audit log shows who did it and for which report.",
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
  /** Names no one. */
  payment_unmatched: {
    subject: "A card payment to {{ product_name }} needs your attention",
    body: paragraphs(
      HELLO,
      "{{ product_name }} received a card payment that it can't match to a report. The report or its reporter was erased, or the payment matches no payment page. Nothing was marked as resolved.",
      `{% if when != "" %}It arrived on {{ when }}. {% endif %}Find the payment by its time in the Stripe dashboard and refund it there. The operator can find its Stripe ID and the reason in the log of command-api. All admins get this email, but only one needs to act.`,
    ),
    action: "Open the audit log",
  },
  /** About another published report on the same person, which it doesn't quote. */
  same_person: {
    subject: "{{ product_name }} published another report about a person you reported",
    body: paragraphs(
      HELLO,
      `We published someone else's report about the person in your ${REPORT}. The two reports have more in common than the name.`,
      "Your report is marked in your dashboard.",
    ),
    action: "Open my dashboard",
  },
  weekly_summary: {
    subject: "Your week at {{ product_name }}",
    body: paragraphs(
      HELLO,
      "Your reports in the week of {{ week_start }} to {{ week_end }} (UTC):",
      "{% if views > 0 %}Your reports were viewed {% if views == 1 %}once{% else %}{{ views | number }} times{% endif %}.{% endif %}",
      "{% if approved > 0 %}Published: {{ approved | number }} of your reports.{% endif %}",
      "{% if rejected > 0 %}Not published: {{ rejected | number }} of your reports.{% endif %}",
      "{% if further > 0 %}New reports by others about people you reported: {{ further | number }}.{% endif %}",
    ),
    action: "Open my dashboard",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
