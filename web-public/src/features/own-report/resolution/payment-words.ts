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
        text: "The payment that was made does not match the fee, so the banner is not shown. Please do not pay again, and write to",
        asks: true,
      },
    };
  if (returned === "paid")
    return {
      news: {
        tone: "info",
        text: "Thank you. We are waiting for Stripe to confirm your payment, which takes a few seconds. You can leave this page: the banner is shown as soon as the payment has arrived.",
      },
    };
  if (card === "on_its_way")
    return {
      news: {
        tone: "info",
        text: "Your payment is on its way. The banner is shown as soon as Stripe has confirmed it. Please write to us if that takes longer than a day.",
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
      news: { tone: "info", text: "You left the payment page, and nothing was paid." },
      button: "Go on paying by card",
    };
  if (card === "open")
    return {
      news: {
        tone: "info",
        text: `You have opened a payment page and not paid yet. It can be used until ${timeOf(card_until)}.`,
      },
      button: "Go on paying by card",
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
