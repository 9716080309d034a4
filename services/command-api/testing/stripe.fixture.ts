import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";

/** A call that the stand-in received. */
export interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly fields: URLSearchParams;
}

export interface StripePage {
  readonly id: string;
  readonly url: string;
  readonly fields: URLSearchParams;
  status: "open" | "complete" | "expired";
  /** What the payer is charged, in cents, if it differs from the page's price. */
  charged?: number;
}

/**
 * Answers the registry's calls as Stripe does, so that tests decide what happens to a page. The shape of the calls
 * is verified against Stripe's own stripe-mock.
 */
export class StripeStandIn {
  readonly calls: StripeCall[] = [];
  readonly pages = new Map<string, StripePage>();
  /** Status of all responses, instead of the regular ones. */
  failsWith: number | undefined;
  /** Whether to accept calls but never answer. */
  isSilent = false;
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = new URL(request.url ?? "/", "http://stripe").pathname;
      const fields = new URLSearchParams(Buffer.concat(parts).toString());
      const shown = path.startsWith("/pay/") && this.pages.get(path.slice("/pay/".length));
      if (shown) {
        response.writeHead(200, { "content-type": "text/html" });
        return response.end(pageOf(shown));
      }
      const key = request.headers["idempotency-key"];
      const { method = "" } = request;
      const idempotencyKey = typeof key === "string" ? key : undefined;
      this.calls.push({ method, path, idempotencyKey, fields });
      if (this.isSilent) return;
      const [status, answer] = this.#answer(method, path, fields);
      response.writeHead(status, { "content-type": "application/json" });
      return response.end(JSON.stringify(answer));
    });
  });

  #answer(method: string, path: string, fields: URLSearchParams): [number, object] {
    if (this.failsWith) return [this.failsWith, { error: { type: "api_error", message: path } }];
    const [, , , , name = "", verb] = path.split("/");
    if (method === "POST" && !name) {
      const id = `cs_test_${randomBytes(12).toString("hex")}`;
      const url = `${this.origin}/pay/${id}`;
      const page: StripePage = { id, url, fields, status: "open" };
      this.pages.set(id, page);
      return [200, this.#session(page)];
    }
    const page = this.pages.get(name);
    if (!page) return [404, { error: { type: "invalid_request_error", message: `No ${name}` } }];
    if (verb === "expire") page.status = "expired";
    return [200, this.#session(page)];
  }

  #session(page: StripePage): object {
    const { id, url, status } = page;
    const shown = { id, object: "checkout.session", status, url: status === "open" ? url : null };
    return { ...shown, ...chargeOf(page) };
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get last(): StripePage {
    const page = [...this.pages.values()].at(-1);
    if (!page) throw new Error("no page was opened");
    return page;
  }
}

/** The page that the payer sees, with links to return after paying or without. */
function pageOf({ fields }: StripePage): string {
  const to = (name: string) => fields.get(name)?.replaceAll("&", "&amp;");
  return `<!doctype html><title>Stripe</title><h1>Stripe</h1>
    <a href="${to("success_url")}">Pay</a> <a href="${to("cancel_url")}">Back</a>`;
}

function chargeOf({ fields, charged }: StripePage): object {
  const price = (name: string) => fields.get(`line_items[0][price_data][${name}]`);
  return { amount_total: charged ?? Number(price("unit_amount")), currency: price("currency") };
}

/** What a message says about the session beyond how its page was opened. */
interface Told {
  readonly type?: string;
  readonly eventId?: string;
  readonly live?: boolean;
  readonly session?: object;
}

/** A message from Stripe that the page was paid, as it arrives. */
export function paidMessage(page: StripePage, told: Told = {}): string {
  const { type = "checkout.session.completed", live = false, session } = told;
  const field = (name: string) => page.fields.get(name);
  return JSON.stringify({
    id: told.eventId ?? `evt_${randomUUID().replaceAll("-", "")}`,
    object: "event",
    type,
    livemode: live,
    data: {
      object: {
        id: page.id,
        object: "checkout.session",
        mode: "payment",
        livemode: live,
        status: "complete",
        payment_status: "paid",
        payment_intent: `pi_${page.id.slice(8)}`,
        ...chargeOf(page),
        client_reference_id: field("client_reference_id"),
        metadata: {
          registry_payment: field("metadata[registry_payment]"),
          registry_report: field("metadata[registry_report]"),
        },
        ...session,
      },
    },
  });
}

/** The header with which Stripe signs a message, created with its own library. */
export function signed(payload: string, secret: string, atMs = Date.now()): string {
  const timestamp = Math.floor(atMs / 1000);
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}
