import type { Logger } from "pino";
import type { Currency } from "#contracts/report/words.ts";

/** A page on which someone is to pay by card. */
export interface CardOrder {
  /** Under which a repeated call opens no second page. */
  readonly paymentId: string;
  readonly reportId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  /** What is paid for, as the page and the payer's receipt say it. It names no one. */
  readonly title: string;
  readonly expiresAt: Date;
  /** Where the payer comes back to, after paying or without. */
  readonly paidUrl: string;
  readonly leftUrl: string;
}

/** A page of the payment service. */
export interface CardPage {
  /** The payment service's name for it. */
  readonly sessionId: string;
  /** Where the payer goes. It is a secret of the payer's. */
  readonly url: string;
}

/** What a page of the payment service is now. `done`: it was paid, or a payment is on its way. */
export type PageNow =
  | { readonly state: "open"; readonly url: string }
  | ({ readonly state: "done" } & Charged)
  | { readonly state: "ended" };

/** What a payer was charged, as the payment service says. */
export interface Charged {
  readonly amountCents: number | null;
  /** ISO 4217, upper case. */
  readonly currency: string | null;
}

/** Money that the payment service says has come. */
export interface CardPayment extends Charged {
  /** The payment service's id of this message. */
  readonly eventId: string;
  /** What the page was opened for; whatever stands there. */
  readonly paymentId: string;
  readonly reportId: string;
  readonly sessionId: string;
  readonly live: boolean;
  /** By what it is found in the payment service's books. */
  readonly reference: string;
}

/** A payment service with a hosted card page. */
export interface CardProcessor {
  /** Its name in the log. */
  readonly name: string;
  /** Whether real money moves. */
  readonly live: boolean;
  /** @throws {CardsAway} */
  open(order: CardOrder): Promise<CardPage>;
  /** @param expiresAt after which an unknown page has ended. @param withinMs to wait at most. @throws {CardsAway} */
  find(sessionId: string, expiresAt: Date, withinMs?: number): Promise<PageNow>;
  /** Makes a page take no payment anymore. @throws {CardsAway} */
  end(sessionId: string): Promise<void>;
  /**
   * Reads a message of the payment service.
   * @param body as it arrived. @param now in milliseconds.
   * @returns undefined when it tells of no payment on one of the registry's pages.
   * @throws {NotSigned}
   */
  read(body: string, signature: string, now: number): CardPayment | undefined;
}

/** The payment service does not answer, or not as it should. */
export class CardsAway extends Error {
  override readonly name = "CardsAway";
  /** Whether nothing came back, so that the next call would wait as long. */
  readonly isSilent: boolean;

  constructor(message: string, { isSilent = false }: { readonly isSilent?: boolean } = {}) {
    super(message);
    this.isSilent = isSilent;
  }
}

/** A message is not the payment service's, or not of now. */
export class NotSigned extends Error {
  override readonly name = "NotSigned";
}

/** Opens payments by card. The library takes memory and time to load, which only those who use it spend. */
export async function openCards(settings: CardSettings, log: Logger) {
  const { StripeProcessor } = await import("./stripe-processor.ts");
  const processor: CardProcessor = new StripeProcessor(settings, log);
  return { processor, publicUrl: settings.publicUrl };
}

/** Access to an account at Stripe, and where payers come back to. */
export interface CardSettings {
  readonly secretKey: string;
  /** The secret of the endpoint to which Stripe sends its messages. */
  readonly webhookSecret: string;
  /** Origin of the site. */
  readonly publicUrl: string;
  /** Origin of another server with Stripe's interface, to try it out. */
  readonly apiUrl?: string;
}

/** Whether real money moves with a key of Stripe. */
export function isLiveKey(secretKey: string): boolean {
  return /^[a-z]+_live_/.test(secretKey);
}
