import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { type RegistryEvent, streams } from "#contracts/events/index.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import {
  CheckoutReply,
  OpenCheckout,
  OWN_CHECKOUT,
  OWN_RESOLUTION_STATE,
  OwnResolutionState,
  STRIPE_NOTICES,
} from "#contracts/http/resolution.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { OWNERS, ROLES } from "#http/actor.ts";
import { done, succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import { idsOf } from "../kernel/command-ids.store.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { type CommandEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import { requireOwnReport } from "../report/own-account.ts";
import { ownResolution } from "../resolution/resolution.service.ts";
import type { WriteSide } from "../write-side.ts";
import { type CardPayment, type CardProcessor, NotSigned } from "./card-processor.ts";
import { type PaymentProblem, paymentProblem } from "./checkout.decider.ts";

const Id = strict({ id: ReportId });

/** Adds the routes for an owner who pays the fee by card and waits for the result. */
export function checkoutRoutes(app: ServiceInstance, side: WriteSide): void {
  const { checkouts, takesCards } = side;
  const command = commandsOf(app, "accounts");
  command("POST", OWN_CHECKOUT, {
    roles: OWNERS,
    limit: "checkout",
    summary: "Get the page to pay the RESOLVED banner fee by card",
    params: Id,
    body: OpenCheckout,
    reply: CheckoutReply,
    async run(request) {
      const { params, body } = request;
      const envelope = request.envelope(params.id, body);
      const { url, position } = await checkouts.open(params.id, body.request_id, envelope);
      return succeed({ url }, { position });
    },
  });
  command("POST", OWN_RESOLUTION_STATE, {
    roles: OWNERS,
    limit: "write",
    summary: "The status of your request for the RESOLVED banner",
    params: Id,
    body: strict({}),
    reply: OwnResolutionState,
    async run(request) {
      const caller = request.caller;
      // This read isn't recorded, so it must not show any of the report's data.
      const report = await requireOwnReport(request.params.id, caller, side);
      return succeed({ resolution: ownResolution(report, caller.now, takesCards) ?? null });
    },
  });
}

/** Adds the Stripe webhook. Stripe signs the raw body, so it must not be parsed before the check. */
export function paymentNoticeRoutes(app: ServiceInstance, side: WriteSide): void {
  const notices = new PaymentNotices(side);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_: unknown, body: string) => body,
  );
  app.route({
    method: "POST",
    url: STRIPE_NOTICES,
    config: { roles: ROLES, limit: "payment_notice" },
    schema: {
      tags: ["payments"],
      summary: "Receive a Stripe webhook about a payment, signed in Stripe-Signature",
      consumes: ["application/json"],
      body: Type.String({ minLength: 1 }),
      response: { 200: DoneReply },
    },
    handler: async (request) => {
      const signature = request.headers["stripe-signature"];
      await notices.take(request.body as string, typeof signature === "string" ? signature : "");
      // Reveal nothing about the outcome to a caller other than Stripe.
      return done("The message was received.");
    },
  });
}

type Noticed = "accepted" | "unmatched" | "ignored";

interface NoteUnmatched {
  readonly type: "NoteUnmatchedPayment";
  readonly event: RegistryEvent;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

class PaymentNotices extends Service<WriteSide> {
  /**
   * Accepts a payment as the fee of its report. A payment that isn't a fee is recorded, and all admins are
   * emailed. Each webhook event and each payment counts once.
   * @param body raw, as received.
   * @throws {DomainError} `invalid_request` if the signature is invalid or too old; `unavailable` if it has to be
   *   sent again; `not_found` without a payment service.
   */
  async take(body: string, signature: string): Promise<Noticed> {
    const { admins, cards, reports } = this.deps;
    const processor = cards?.processor;
    if (!processor)
      throw new DomainError("not_found", "This registry doesn't accept card payments.");
    const payment = readSigned(processor, body, signature, new Date());
    if (!payment) return "ignored";
    const { reportId } = payment;
    if (!UUID.test(reportId)) return this.#noteUnmatched(payment, "checkout_unknown");
    const told = await admins();
    const command = {
      type: "AcceptCheckout",
      processor: processor.name,
      live: processor.live,
      payment,
      told,
    } as const;
    const envelope = this.#envelope(payment, reportId);
    const { state } = await reports.execute(reportId, command, envelope).catch(sendAgain);
    const problem = paymentProblem(state, command);
    return problem ? this.#noteUnmatched(payment, problem) : "accepted";
  }

  /** Records a payment that isn't a fee, so that someone refunds it. */
  async #noteUnmatched(payment: CardPayment, problem: PaymentProblem): Promise<Noticed> {
    const { handler, admins, commandIds, cards, logger } = this.deps;
    const processor = cards?.processor;
    const told = await admins();
    // The payment service retries until there is an admin to notify.
    if (!processor || told.length === 0) throw new DomainError("unavailable", messages.unavailable);
    const { eventId: event_id, live } = payment;
    const streamOf = (id: string) => streams.payment(aggregateIdOf(id));
    const envelope = await commandIds.settle(this.#envelope(payment, ""), streamOf);
    const aggregate: Aggregate<true, NoteUnmatched> = {
      stream: streamOf(envelope.id),
      clientSubject: () => "payment",
      evolve: () => true,
      decide: (noted, { event }) => (noted ? [] : [event]),
    };
    const event: RegistryEvent = {
      type: "PaymentUnmatched",
      data: { processor: processor.name, problem, live, event_id, told: [...told] },
    };
    const command = { type: "NoteUnmatchedPayment", event } as const;
    await handler.execute(aggregate, command, envelope).catch(sendAgain);
    // The operator can look up this ID at the payment service. It identifies no one here.
    logger.warn({ event: event_id, problem, live }, "a card payment matches no fee");
    return "unmatched";
  }

  /** The command for a webhook event; the same each time it is delivered. */
  #envelope({ eventId }: CardPayment, target: string): CommandEnvelope {
    const { commandKey } = this.deps;
    const identity = {
      actor: "system",
      method: "POST",
      route: "payment",
      target,
      idempotencyKey: eventId,
    };
    const caller = systemCaller(new Date().toISOString());
    return { caller, ...idsOf(commandKey, identity), body: {} };
  }
}

function readSigned(processor: CardProcessor, body: string, signature: string, now: Date) {
  try {
    return processor.read(body, signature, now.getTime());
  } catch (error) {
    if (!(error instanceof NotSigned)) throw error;
    throw new DomainError(
      "invalid_request",
      "The message's signature is missing, invalid or expired.",
    );
  }
}

/** Maps refusals to `unavailable`, because a 4xx would tell Stripe that the event itself is invalid. */
function sendAgain(error: unknown): never {
  if (error instanceof DomainError) throw new DomainError("unavailable", messages.unavailable);
  throw error;
}
