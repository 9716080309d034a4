import type { HistoryEntry } from "#contracts/http/admin-reports.ts";
import { REFUND_REASONS } from "#contracts/report/resolution.ts";

/**
 * What an event about the RESOLVED banner did; undefined for any other event.
 * @param who the subject of the sentence.
 */
export function resolutionSentence(
  { type, reason_code }: HistoryEntry,
  who: string,
): string | undefined {
  switch (type) {
    case "ResolutionRequested":
      return `${who} asked for the RESOLVED banner, with a notarized letter`;
    case "ResolutionLetterAccepted":
      return `${who} accepted the notarized letter`;
    case "ResolutionLetterRefused":
      return `${who} refused the notarized letter`;
    case "ResolutionWithdrawn":
      return `${who} withdrew the request for the RESOLVED banner`;
    case "CheckoutOpened":
      return `${who} opened a page to pay the fee by card`;
    case "PaymentAccepted":
      return `${who} noted a payment`;
    case "PaymentRefunded":
      return `${who} refunded a payment${refundText(reason_code)}`;
    case "ReportResolved":
      return `${who} put the RESOLVED banner on the report`;
    case "ReportUnresolved":
      return `${who} removed the RESOLVED banner`;
    default:
      return undefined;
  }
}

function refundText(code: string | undefined): string {
  const words: Readonly<Record<string, string>> = REFUND_REASONS;
  return code && Object.hasOwn(words, code) ? `, ${words[code]?.toLowerCase()}` : "";
}
