import type { Logger } from "pino";
import Stripe from "stripe";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import {
  type CardOrder,
  type CardPage,
  type CardPayment,
  CardPaymentsUnavailable,
  type CardProcessor,
  type CardSettings,
  type Charged,
  isLiveKey,
  NotSigned,
  type PageNow,
} from "./card-processor.ts";

/** Timeout in milliseconds per call. A call that fails in transit is retried once. */
const TIMEOUT_MS = 4_000;
const RETRIES = 1;
/** Maximum age of a signature in seconds. Stripe signs each delivery attempt anew. */
const TOLERANCE_S = 300;

/** Webhook events that report a payment. With cards, only the first one occurs. */
const PAID = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];

/** The fields read from an event. A session without these metadata wasn't opened here. */
const Paid = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z0-9_-]{1,100}$" }),
  livemode: Type.Boolean(),
  data: Type.Object({
    object: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 255 }),
      amount_total: Type.Union([Type.Integer(), Type.Null()]),
      currency: Type.Union([Type.String(), Type.Null()]),
      payment_intent: Type.String({ minLength: 1, maxLength: 100 }),
      metadata: Type.Object({ registry_payment: Type.String(), registry_report: Type.String() }),
    }),
  }),
});

/** Card payments on pages of Stripe Checkout. */
export class StripeProcessor implements CardProcessor {
  readonly name = "stripe";
  readonly live: boolean;
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;
  readonly #log: Pick<Logger, "warn">;

  constructor(
    { secretKey, webhookSecret, apiUrl }: Omit<CardSettings, "publicUrl">,
    log: Pick<Logger, "warn">,
  ) {
    this.live = isLiveKey(secretKey);
    this.#webhookSecret = webhookSecret;
    this.#log = log;
    this.#stripe = new Stripe(secretKey, {
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
      ...(apiUrl ? serverAt(apiUrl) : {}),
    });
  }

  async open(order: CardOrder): Promise<CardPage> {
    const { paymentId, reportId, amountCents, currency, title, expiresAt } = order;
    const metadata = { registry_payment: paymentId, registry_report: reportId };
    const session = await this.#call("open", () =>
      this.#stripe.checkout.sessions.create(
        {
          mode: "payment",
          // Otherwise Stripe may offer payers their own currency and charge them in it.
          adaptive_pricing: { enabled: false },
          client_reference_id: paymentId,
          metadata,
          payment_intent_data: { metadata },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: amountCents,
                product_data: { name: title },
              },
            },
          ],
          expires_at: Math.floor(expiresAt.getTime() / 1000),
          success_url: order.paidUrl,
          cancel_url: order.leftUrl,
        },
        { idempotencyKey: paymentId },
      ),
    );
    if (!session.url) throw new CardPaymentsUnavailable("Stripe opened a page without an address");
    return { sessionId: session.id, url: session.url };
  }

  async find(sessionId: string, expiresAt: Date, withinMs?: number): Promise<PageNow> {
    const limits = withinMs === undefined ? {} : { timeout: withinMs, maxNetworkRetries: 0 };
    const found = await this.#call("find", () =>
      this.#stripe.checkout.sessions.retrieve(sessionId, {}, limits).catch((error: unknown) => {
        // A page unknown to this key, for example after switching accounts, can't be paid once it has expired.
        const { code } = error as Partial<Stripe.errors.StripeError>;
        if (code === "resource_missing" && expiresAt.getTime() <= Date.now()) return undefined;
        throw error;
      }),
    );
    if (!found) return { state: "ended" };
    const { status, url } = found;
    if (status === "complete") return { state: "done", ...chargedBy(found) };
    return status === "open" && url ? { state: "open", url } : { state: "ended" };
  }

  async end(sessionId: string): Promise<void> {
    await this.#call("end", () => this.#stripe.checkout.sessions.expire(sessionId));
  }

  read(body: string, signature: string, now: number): CardPayment | undefined {
    let event: Stripe.Event;
    try {
      const { webhooks } = this.#stripe;
      const secret = this.#webhookSecret;
      event = webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, now);
    } catch (error) {
      throw new NotSigned("the message has no valid signature of now", { cause: error });
    }
    if (!PAID.includes(event.type)) return undefined;
    const { payment_status } = event.data.object as { payment_status?: string };
    if (payment_status !== "paid" || !Value.Check(Paid, event)) return undefined;
    const { id: eventId, livemode: live, data }: Static<typeof Paid> = event;
    const { id: sessionId, payment_intent, metadata } = data.object;
    return {
      eventId,
      paymentId: metadata.registry_payment,
      reportId: metadata.registry_report,
      sessionId,
      live,
      ...chargedBy(data.object),
      reference: payment_intent,
    };
  }

  /** Logs only codes, because Stripe's messages may contain IDs and the end of a key. */
  async #call<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { type, code, statusCode, requestId } = error as Partial<Stripe.errors.StripeError>;
      this.#log.warn(
        { what, type, code, statusCode, stripeRequestId: requestId },
        "a Stripe call failed",
      );
      const isSilent = statusCode === undefined;
      throw new CardPaymentsUnavailable("Stripe is unavailable or sent an unexpected reply", {
        isSilent,
      });
    }
  }
}

function chargedBy(session: Pick<Stripe.Checkout.Session, "amount_total" | "currency">): Charged {
  const { amount_total, currency } = session;
  return { amountCents: amount_total, currency: currency?.toUpperCase() ?? null };
}

function serverAt(origin: string): Stripe.StripeConfig {
  const { protocol, hostname, port } = new URL(origin);
  const isPlain = protocol === "http:";
  return {
    protocol: isPlain ? "http" : "https",
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  };
}
