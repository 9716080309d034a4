import { RESOLUTION_FEE_IN_WORDS } from "#contracts/report/resolution.ts";
import { greeting, reportCalled } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Tells a report's owner that the notarized letter is in order, and what to pay. */
export function letterAcceptedMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `Your letter to ${productName} was accepted`,
    paragraphs: [
      greeting(words),
      `We checked the notarized letter for your ${reportCalled(words)}, and it is in order.`,
      `The RESOLVED banner costs ${RESOLUTION_FEE_IN_WORDS}, once. Your report's page says how to pay. The banner is shown as soon as the payment has arrived.`,
      "The fee is paid back only when it was paid twice or by mistake.",
    ],
    action: { label: "Open your report", url },
  };
}

/** Tells a report's owner that the letter was refused, and why. */
export function letterRefusedMail({ productName, url, words, reason }: MailFacts): MailText {
  return {
    subject: `Your letter to ${productName} was not accepted`,
    paragraphs: [
      greeting(words),
      `We checked the notarized letter for your ${reportCalled(words)}, and cannot accept it. There is nothing to pay.`,
      ...(reason ? [`Reason: ${reason}`] : []),
      "You can send another letter on your report's page.",
    ],
    action: { label: "Open your report", url },
  };
}

/** Tells a report's owner that the fee arrived, and the banner is shown. */
export function resolvedMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `Your report to ${productName} is marked as resolved`,
    paragraphs: [
      greeting(words),
      `Your payment of ${RESOLUTION_FEE_IN_WORDS} has arrived. Your ${reportCalled(words)} shows the RESOLVED banner from now on, wherever it is public.`,
    ],
    action: { label: "Open your report", url },
  };
}

/** Tells a report's owner that a payment was sent back, and why. */
export function paymentRefundedMail({ productName, url, words, reason }: MailFacts): MailText {
  return {
    subject: `${productName} sent a payment back to you`,
    paragraphs: [
      greeting(words),
      `We sent a payment for the RESOLVED banner on your ${reportCalled(words)} back to you.`,
      ...(reason ? [`Reason: ${reason}`] : []),
      "Your report's page says whether it still shows the banner.",
    ],
    action: { label: "Open your report", url },
  };
}

/** Tells an admin that somebody noted or refunded a payment. It names nobody: the audit log does. */
export function paymentToldMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `A payment at ${productName} was noted or refunded`,
    paragraphs: [
      greeting(words),
      `An admin of ${productName} noted or refunded a payment for the RESOLVED banner. The audit log says who did it, and for which report.`,
      "If nobody of you meant to, tell the operator at once: somebody else may act as an admin.",
    ],
    action: { label: "Open the audit log", url },
  };
}

/** Tells the registry's desk that a report's owner asks for the banner. It says nothing of the report. */
export function resolutionForDeskMail({ url, about }: MailFacts): MailText {
  const number = about?.number ?? "";
  return {
    subject: `RESOLVED banner asked for: report ${number}`,
    paragraphs: [
      `The owner of report ${number} sent a notarized letter and asks for the RESOLVED banner. The letter waits to be checked.`,
    ],
    action: { label: "Open the requests", url },
  };
}
