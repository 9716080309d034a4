import { formatMoney, fromCents } from "./money.ts";
import type { Currency } from "./words.ts";

/** Price of the RESOLVED banner, in integer cents. */
export const RESOLUTION_FEE: { readonly amount_cents: number; readonly currency: Currency } = {
  amount_cents: 25_000,
  currency: "USD",
};

/** The fee, as shown in forms, emails and texts. */
export const RESOLUTION_FEE_TEXT = formatMoney(
  fromCents(RESOLUTION_FEE.amount_cents),
  RESOLUTION_FEE.currency,
);

/** The `kind` of a file that is a notarized letter. It is never published. */
export const LETTER = "letter";

/** Maximum number of requests for the banner per report. */
export const MAX_REQUESTS = 10;

/** Maximum number of payment pages per report, and how many minutes each stays open. */
export const MAX_CHECKOUTS = 20;
export const CHECKOUT_MINUTES = 60;

/** Query parameter of the report's page when the payer returns. It proves nothing. */
export const CHECKOUT_RETURN = { parameter: "payment", paid: "done", left: "left" } as const;

/** States of a card payment while the fee is due. */
export const CARD_STATES = {
  offered: "No payment page was opened",
  open: "A payment page is open",
  on_its_way: "Payment in progress",
  other_amount: "The payment doesn't match the fee",
  expired: "The last payment page has expired",
} as const;

/** Stages of a request for the banner. */
export const RESOLUTION_STAGES = {
  requested: "Letter under review",
  letter_accepted: "Waiting for payment",
  letter_refused: "Letter refused",
  withdrawn: "Withdrawn",
  resolved: "Resolved",
  refunded: "Refunded",
} as const;
export type ResolutionStage = keyof typeof RESOLUTION_STAGES;

/** Payment methods that do not involve staff. */
export const CARD_METHODS = { stripe: "Card (Stripe)" } as const;

/** Payment methods that staff record by hand. */
export const PAYMENT_METHODS = {
  bank_transfer: "Bank transfer",
  check: "Check",
  other: "Other",
} as const;

/** The only reasons for a refund. */
export const REFUND_REASONS = {
  double: "Paid twice",
  mistaken: "Paid by mistake",
} as const;

/** Maximum length of a payment's reference, in characters. */
export const REFERENCE_LENGTH = 100;
export const RESOLUTION_REASON_LENGTH = 1000;

/** Whether a request is waiting for staff or for the payment. */
export function isOpenStage(stage: ResolutionStage): boolean {
  return stage === "requested" || stage === "letter_accepted";
}
