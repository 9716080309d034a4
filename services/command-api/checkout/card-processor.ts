import type { Logger } from "pino";
import type { Currency } from "#contracts/report/words.ts";

/** A payment page to be opened. */
export interface CardOrder {
  /** Idempotency key: a repeated call opens no second page. */
  readonly paymentId: string;
  readonly reportId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  /** Description on the page and the receipt. Contains no names. */
  readonly title: string;
  readonly expiresAt: Date;
  /** Where the payer is redirected after paying or canceling. */
  readonly paidUrl: string;
  readonly leftUrl: string;
}

/** A page opened at the payment service. */
export interface CardPage {
  /** The payment service's ID for it. */
  readonly sessionId: string;
  /** Address for the payer to open. Secret. */
  readonly url: string;
}

/** Current state of a payment page. `done`: it was paid, or a payment is in progress. */
export type PageNow =
  | { readonly state: "open"; readonly url: string }
  | ({ readonly state: "done" } & Charged)
  | { readonly state: "ended" };

/** What a payer was charged, according to the payment service. */
export interface Charged {
  readonly amountCents: number | null;
  /** ISO 4217, upper case. */
  readonly currency: string | null;
}

/** A payment that the payment service reports as received. */
export interface CardPayment extends Charged {
  /** The payment service's ID of this webhook event. */
  readonly eventId: string;
  /** Read from the page's metadata, so it may be any text. */
  readonly paymentId: string;
  readonly reportId: string;
  readonly sessionId: string;
  readonly live: boolean;
  /** Identifies the payment in the payment service's records. */
  readonly reference: string;
}

/** A payment service with a hosted card page. */
export interface CardProcessor {
  /** Name used in the log. */
  readonly name: string;
  /** Whether real money moves. */
  readonly live: boolean;
  /** @throws {CardPaymentsUnavailable} */
  open(order: CardOrder): Promise<CardPage>;
  /** @param expiresAt after this, an unknown page counts as ended. @param withinMs timeout. @throws {CardPaymentsUnavailable} */
  find(sessionId: string, expiresAt: Date, withinMs?: number): Promise<PageNow>;
  /** Expires a page so that it can't be paid anymore. @throws {CardPaymentsUnavailable} */
  end(sessionId: string): Promise<void>;
  /**
   * Reads a webhook event of the payment service.
   * @param body raw, as received.
   * @param now in milliseconds.
   * @returns undefined unless it reports a payment on one of the registry's pages.
   * @throws {NotSigned}
   */
  read(body: string, signature: string, now: number): CardPayment | undefined;
}

/** The payment service is unavailable or sent an unexpected reply. */
export class CardPaymentsUnavailable extends Error {
  override readonly name = "CardsAway";
  /** Whether there was no reply at all, so that the next call would time out too. */
  readonly isSilent: boolean;

  constructor(message: string, { isSilent = false }: { readonly isSilent?: boolean } = {}) {
    super(message);
    this.isSilent = isSilent;
  }
}

/** A webhook event that the payment service didn't sign, or that is too old. */
export class NotSigned extends Error {
  override readonly name = "NotSigned";
}

/** Opens card payments. Loads the library lazily, because it costs memory and startup time. */
export async function openCards(settings: CardSettings, log: Logger) {
  const { StripeProcessor } = await import("./stripe-processor.ts");
  const processor: CardProcessor = new StripeProcessor(settings, log);
  return { processor, publicUrl: settings.publicUrl };
}

/** Access to a Stripe account, and where payers return to. */
export interface CardSettings {
  readonly secretKey: string;
  /** Signing secret of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Origin of the site. */
  readonly publicUrl: string;
  /** Origin of another server with Stripe's API, for testing. */
  readonly apiUrl?: string;
}

/** Whether the Stripe key is for live mode. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}
