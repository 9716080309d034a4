import { Type } from "typebox";
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
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute, emptyBody } from "../kernel/command-route.ts";
import { ownResolution } from "../resolution/own-resolution.ts";
import type { WriteSide } from "../write-side.ts";
import { PaymentNotices } from "./payment-notices.ts";

const Id = strict({ id: ReportId });
const OWNERS = ["user", "admin"] as const;

/** The routes of an owner who pays the fee by card, and waits for what becomes of it. */
export function checkoutRoutes(
  app: ServiceInstance,
  { checkouts, resolutions, takesCards, requests }: WriteSide,
): void {
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: OWN_CHECKOUT,
      roles: OWNERS,
      limit: "checkout",
      tag: "accounts",
      summary: "Get the page on which the fee of the RESOLVED banner is paid by card",
      params: Id,
      body: OpenCheckout,
      reply: CheckoutReply,
      async run(request, response) {
        const { params, body } = request;
        const envelope = requests.envelope(request, params.id, body);
        const { url, position } = await checkouts.open(params.id, body.request_id, envelope);
        requests.position(response, position);
        return succeed({ url });
      },
    }),
    commandRoute({
      method: "POST",
      url: OWN_RESOLUTION_STATE,
      roles: OWNERS,
      limit: "write",
      tag: "accounts",
      summary: "Where the request for the RESOLVED banner on a report of one's own stands",
      params: Id,
      body: strict({}),
      reply: OwnResolutionState,
      tidy: [emptyBody],
      async run(request) {
        const caller = requests.caller(request);
        const report = await resolutions.state(request.params.id, caller);
        return succeed({ resolution: ownResolution(report, caller.now, takesCards) ?? null });
      },
    }),
  ]);
}

/** Where Stripe tells of payments. It signs the body as it arrives, so that is not parsed before. */
export function paymentNoticeRoutes(app: ServiceInstance, side: WriteSide): void {
  const notices = new PaymentNotices({
    ...side,
    processor: side.cards?.processor,
    accounts: side.accountStore,
    log: side.logger,
    now: () => new Date(),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_: unknown, body: string) => body,
  );
  app.route({
    method: "POST",
    url: STRIPE_NOTICES,
    config: { roles: ["visitor", "user", "admin", "auditor"], limit: "payment_notice" },
    schema: {
      tags: ["payments"],
      summary: "Take a message of Stripe about a payment; its signature stands in Stripe-Signature",
      consumes: ["application/json"],
      body: Type.String({ minLength: 1 }),
      response: { 200: DoneReply },
    },
    handler: async (request) => {
      const signature = request.headers["stripe-signature"];
      await notices.take(request.body as string, typeof signature === "string" ? signature : "");
      // Whoever is not Stripe learns nothing from what became of it.
      return done("The message was taken.");
    },
  });
}
