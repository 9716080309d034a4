import { HELLO, paragraphs, REASON, REPORT, type ShippedTemplate } from "./shipped-template.ts";

/** Mails about a report, to its reporter. */
export const reportTemplates = {
  /** Its words are fixed, as nobody has confirmed the address yet. */
  verification: {
    subject: "Confirm your report to {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Thank you for your report. Please confirm that this address is yours. Our moderators then review the report, and you get a mail when they have decided.",
      "The link works once, within 48 hours. If you did not submit a report, you can ignore this mail.",
    ),
    action: "Confirm my email address",
  },
  /** The question is the staff's words, and goes only to an address that its owner has confirmed. */
  question: {
    subject: "A question about your report to {{ product_name }}",
    body: paragraphs(
      HELLO,
      `A moderator has a question about your ${REPORT}:`,
      "{{ question }}",
      "The report waits for your answer. The link takes one answer, within 30 days. You need no account.",
    ),
    action: "Answer the question",
  },
  approved: {
    subject: "Your report to {{ product_name }} is published",
    body: paragraphs(HELLO, `Your ${REPORT} was approved and is public now.`),
    // The address of the report's page contains a name, so no mail links to it.
    action: "Open the registry",
  },
  rejected: {
    subject: "Your report to {{ product_name }} was not published",
    body: paragraphs(HELLO, `Your ${REPORT} was reviewed and will not be published.`, REASON),
  },
  under_review: {
    subject: "Your report to {{ product_name }} is under review",
    body: paragraphs(
      HELLO,
      `Your ${REPORT} is being reviewed. You get another mail when it is decided.`,
    ),
  },
  pending: {
    subject: "Your report to {{ product_name }} waits for a review",
    body: paragraphs(HELLO, `Your ${REPORT} was put back into the queue and waits for a review.`),
  },
  taken_down: {
    subject: "Your report to {{ product_name }} is not public for now",
    body: paragraphs(
      HELLO,
      `Somebody sent us a copyright notice about your ${REPORT}. It is under review and not public for now. Nothing was deleted. The notice has the number {{ number }}.`,
      REASON,
      "If this is a mistake, send a counter-notice and quote the number. The DMCA policy says what must be in it, and what follows.",
    ),
    action: "Send a counter-notice",
  },
  put_back: {
    subject: "Your report to {{ product_name }} is public again",
    body: paragraphs(
      HELLO,
      `Your ${REPORT} is public again. The copyright notice {{ number }} does not hold it any more.`,
    ),
    action: "Open the registry",
  },
  evidence_withheld: {
    subject: "A picture of your report to {{ product_name }} is not public for now",
    body: paragraphs(
      HELLO,
      `Somebody sent us a copyright notice about a published picture of your ${REPORT}. The picture is not shown for now. Nothing was deleted. The notice has the number {{ number }}.`,
      REASON,
      "If this is a mistake, send a counter-notice and quote the number. The DMCA policy says what must be in it, and what follows.",
    ),
    action: "Send a counter-notice",
  },
  evidence_released: {
    subject: "A picture of your report to {{ product_name }} is shown again",
    body: paragraphs(
      HELLO,
      `A published picture of your ${REPORT} is shown again. The copyright notice {{ number }} does not hold it any more.`,
    ),
    action: "Open the registry",
  },
  infringer_warned: {
    subject: "A warning from {{ product_name }}: your report infringed copyright",
    body: paragraphs(
      HELLO,
      `The copyright notice {{ number }} counts against this address, because it took material of your ${REPORT} down. After the second time we accept nothing from it for 30 days, and after the third time nothing any more.`,
      "It does not count any more once the notice is withdrawn or answered by a counter-notice. The DMCA policy says how.",
    ),
    action: "Read the DMCA policy",
  },
  infringer_suspended: {
    subject: "{{ product_name }} accepts no reports from this address",
    body: paragraphs(
      HELLO,
      `The copyright notice {{ number }} took material of your ${REPORT} down, and it was not the first time. {% if until != "" %}We accept nothing from this address until {{ until }}.{% else %}We accept nothing from this address any more.{% endif %}`,
      "If this is a mistake, send a counter-notice and quote the number, or write to us. The DMCA policy says what follows.",
    ),
    action: "Read the DMCA policy",
  },
  /** Its words are fixed, as nobody has confirmed the address. */
  submission_held_back: {
    subject: "{{ product_name }} did not accept a report",
    body: paragraphs(
      "Hello,",
      'Somebody submitted a report with this address. We did not accept it: reports from this address infringed copyright more than once. {% if until != "" %}We accept nothing from it until {{ until }}.{% else %}We accept nothing from it any more.{% endif %}',
      "If you think this is a mistake, write to us. If you did not submit a report, you can ignore this mail.",
    ),
    action: "Read the DMCA policy",
  },
  letter_accepted: {
    subject: "Your letter to {{ product_name }} was accepted",
    body: paragraphs(
      HELLO,
      `We checked the notarized letter for your ${REPORT}, and it is in order.`,
      "The RESOLVED banner costs {{ fee }}, once. Your report's page says how to pay. The banner is shown as soon as the payment has arrived.",
      "The fee is paid back only when it was paid twice or by mistake.",
    ),
    action: "Open your report",
  },
  letter_refused: {
    subject: "Your letter to {{ product_name }} was not accepted",
    body: paragraphs(
      HELLO,
      `We checked the notarized letter for your ${REPORT}, and cannot accept it. There is nothing to pay.`,
      REASON,
      "You can send another letter on your report's page.",
    ),
    action: "Open your report",
  },
  resolved: {
    subject: "Your report to {{ product_name }} is marked as resolved",
    body: paragraphs(
      HELLO,
      `Your payment of {{ fee }} has arrived. Your ${REPORT} shows the RESOLVED banner from now on, wherever it is public.`,
    ),
    action: "Open your report",
  },
  payment_refunded: {
    subject: "{{ product_name }} sent a payment back to you",
    body: paragraphs(
      HELLO,
      `We sent a payment for the RESOLVED banner on your ${REPORT} back to you.`,
      REASON,
      "Your report's page says whether it still shows the banner.",
    ),
    action: "Open your report",
  },
  /** Names nobody: the audit log does. */
  payment_told: {
    subject: "A payment at {{ product_name }} was noted or refunded",
    body: paragraphs(
      HELLO,
      "An admin of {{ product_name }} noted or refunded a payment for the RESOLVED banner. The audit log says who did it, and for which report.",
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
  /** Names nobody. */
  payment_unmatched: {
    subject: "A card payment to {{ product_name }} has to be looked at",
    body: paragraphs(
      HELLO,
      "A card payment arrived that {{ product_name }} cannot take as the fee of a report: the report or its reporter was erased, or the payment fits no payment page. Nothing was marked as resolved.",
      `{% if when != "" %}It arrived on {{ when }}. {% endif %}Find the payment by its time in Stripe's dashboard, and send the money back there. The operator finds Stripe's id and the reason in the log of command-api. One admin is enough: all of you get this mail.`,
    ),
    action: "Open the audit log",
  },
  /** About another public report on the same person, which it does not quote. */
  same_person: {
    subject: "Another report at {{ product_name }} on a person you reported",
    body: paragraphs(
      HELLO,
      `Somebody else's report on the person in your ${REPORT} was published. The two have more in common than the name.`,
      "Your dashboard marks your report.",
    ),
    action: "Open my dashboard",
  },
  weekly_summary: {
    subject: "Your week at {{ product_name }}",
    body: paragraphs(
      HELLO,
      "Your reports in the week of {{ week_start }} to {{ week_end }} (UTC):",
      "{% if views > 0 %}Your reports were read {% if views == 1 %}once{% else %}{{ views | number }} times{% endif %}.{% endif %}",
      "{% if approved > 0 %}Published: {{ approved | number }} report{% if approved != 1 %}s{% endif %} of yours.{% endif %}",
      "{% if rejected > 0 %}Not published: {{ rejected | number }} report{% if rejected != 1 %}s{% endif %} of yours.{% endif %}",
      "{% if further > 0 %}Further reports by others on people you reported: {{ further | number }} published.{% endif %}",
    ),
    action: "Open my dashboard",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
