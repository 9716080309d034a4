import type { OwnResolution } from "#contracts/http/resolution.ts";
import type { Returned } from "./use-payment.ts";

/** What the panel says of a card payment, and its button; none once somebody has paid. */
export interface PaymentWords {
  readonly news?: {
    readonly tone: "info" | "warning";
    readonly text: string;
    /** Whether it ends with the address to write to. */
    readonly asks?: true;
  };
  readonly button?: string;
}

/**
 * What became of a card payment while the fee is due.
 * @param returned how the payer came back, which proves nothing: only the server says that money came.
 */
export function paymentWords(
  { card, card_until }: OwnResolution,
  returned: Returned,
): PaymentWords {
  if (card === "other_amount")
    return {
      news: {
        tone: "warning",
        text: "The payment doesn't match the fee, so we can't show the banner. Please don't pay again, and write to",
        asks: true,
      },
    };
  if (returned === "paid")
    return {
      news: {
        tone: "info",
        text: "Thank you. We're waiting for Stripe to confirm your payment, which takes a few seconds. You can leave this page. We'll show the banner as soon as the payment arrives.",
      },
    };
  if (card === "on_its_way")
    return {
      news: {
        tone: "info",
        text: "Your payment is being processed. We'll show the banner as soon as Stripe confirms it. If that takes longer than a day, please write to us.",
      },
    };
  if (card === "expired")
    return {
      news: {
        tone: "warning",
        text: "The payment page has expired, and nothing was paid. You can open a new one.",
      },
      button: "Pay by card",
    };
  if (returned === "left")
    return {
      news: { tone: "info", text: "You left the payment page without paying." },
      button: "Continue to payment",
    };
  if (card === "open")
    return {
      news: {
        tone: "info",
        text: `You opened a payment page and haven't paid yet. You can use it until ${timeOf(card_until)}.`,
      },
      button: "Continue to payment",
    };
  return { button: "Pay by card" };
}

/** In the reader's zone, with its name. */
function timeOf(at: string | undefined): string {
  if (!at) return "it expires";
  return new Date(at).toLocaleTimeString("en-US", {
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
}
