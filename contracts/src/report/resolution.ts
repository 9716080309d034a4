import { formatMoney, fromCents } from "./money.ts";
import type { Currency } from "./words.ts";

/** What the RESOLVED banner costs, in integer cents. */
export const RESOLUTION_FEE: { readonly amount_cents: number; readonly currency: Currency } = {
  amount_cents: 25_000,
  currency: "USD",
};

/** The fee as forms, emails and texts name it. */
export const RESOLUTION_FEE_IN_WORDS = formatMoney(
  fromCents(RESOLUTION_FEE.amount_cents),
  RESOLUTION_FEE.currency,
);

/** The `kind` of a report's file that is a notarized letter. It is never published. */
export const LETTER = "letter";

/** How often the banner can be asked for on one report, at most. */
export const MOST_REQUESTS = 10;

/** How often a payment page can be opened for one report, at most, and for how many minutes each is open. */
export const MOST_CHECKOUTS = 20;
export const CHECKOUT_MINUTES = 60;

/** What the report's page is told in its address when the payer comes back. It is no proof of anything. */
export const CHECKOUT_RETURN = { parameter: "payment", paid: "done", left: "left" } as const;

/** How the fee can be paid by card, while it is due. */
export const CARD_STATES = {
  offered: "No payment page was opened",
  open: "A payment page is open",
  on_its_way: "A payment is on its way",
  other_amount: "A payment was made that is not the fee",
  expired: "The last payment page has expired",
} as const;

/** Where a request for the banner stands. */
export const RESOLUTION_STAGES = {
  requested: "Letter under review",
  letter_accepted: "Waiting for payment",
  letter_refused: "Letter refused",
  withdrawn: "Withdrawn",
  resolved: "Resolved",
  refunded: "Refunded",
} as const;
export type ResolutionStage = keyof typeof RESOLUTION_STAGES;

/** How the fee arrives without anyone of staff. */
export const CARD_METHODS = { stripe: "Card (Stripe)" } as const;

/** How the fee arrived, where staff note it by hand. */
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

/** Most characters of a payment's reference, and of a reason. */
export const REFERENCE_LENGTH = 100;
export const RESOLUTION_REASON_LENGTH = 1000;

/** Whether a request waits for staff or for the payment. */
export function isOpenStage(stage: ResolutionStage): boolean {
  return stage === "requested" || stage === "letter_accepted";
}
