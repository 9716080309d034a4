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

/** The routes of an owner who pays the fee by card, and waits for what becomes of it. */
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
      // No look is recorded, so none of its data may be shown.
      const report = await requireOwnReport(request.params.id, caller, side);
      return succeed({ resolution: ownResolution(report, caller.now, takesCards) ?? null });
    },
  });
}

/** Where Stripe tells of payments. It signs the body as it arrives, so that is not parsed before. */
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
      // Anyone who is not Stripe learns nothing from what became of it.
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
   * Takes a payment as the fee of its report. Money that is not a fee is noted, and all admins are mailed of
   * it. Each message counts once, and so does each payment.
   * @param body as it arrived.
   * @throws {DomainError} `invalid_request` for a message that the payment service did not sign just now;
   *   `unavailable` where it has to be sent again; `not_found` without a payment service.
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

  /** Notes money that is not a fee, so that someone sends it back. */
  async #noteUnmatched(payment: CardPayment, problem: PaymentProblem): Promise<Noticed> {
    const { handler, admins, commandIds, cards, logger } = this.deps;
    const processor = cards?.processor;
    const told = await admins();
    // The service tells again until there is someone to be told.
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
    // By this the operator finds it at the payment service. It names no one here.
    logger.warn({ event: event_id, problem, live }, "a card payment is nobody's fee");
    return "unmatched";
  }

  /** The command that a message is, however often it arrives. */
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

/** A refusal with 4xx would say that the message is at fault. */
function sendAgain(error: unknown): never {
  if (error instanceof DomainError) throw new DomainError("unavailable", messages.unavailable);
  throw error;
}
