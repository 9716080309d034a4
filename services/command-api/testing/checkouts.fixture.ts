import { Writable } from "node:stream";
import { pino } from "pino";
import { expect } from "vitest";
import type { CommandApi } from "../composition.ts";
import { type Fixture, startCommandApi } from "./command-api.fixture.ts";
import { eventsOf } from "./reports.fixture.ts";
import { resolutionCalls } from "./resolutions.fixture.ts";
import { type StripeStandIn, signed } from "./stripe.fixture.ts";

export const SECRET_KEY = "sk_test_51Nqq7canary";
export const WEBHOOK_SECRET = "whsec_canary4711";

/** Starts a registry that takes cards through the stand-in. @param logged receives the lines of its log. */
export function startWithCards(stripe: StripeStandIn, logged: string[] = []): Promise<Fixture> {
  const sink = new Writable({
    write(line, _, next) {
      logged.push(String(line));
      next();
    },
  });
  return startCommandApi({
    cards: {
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      publicUrl: "https://registry.test",
      apiUrl: stripe.origin,
    },
    log: pino({ level: "debug" }, sink),
  });
}

/** Calls about card payments. */
export function checkoutCalls(fixture: () => Fixture) {
  const url = (id: string, path: string) => `/prod/api/account/reports/${id}/resolution/${path}`;
  return {
    /** Requests the payment page as the owner; `as: null` is a visitor. */
    checkout: (
      id: string,
      request_id: string,
      { as = "user", key }: { as?: "user" | "admin" | null; key?: string | undefined } = {},
    ) =>
      fixture().call("POST", url(id, "checkout"), {
        body: { request_id },
        ...(as ? { as } : {}),
        ...(key ? { key } : {}),
      }),
    /** Returns the state of the owner's request, or the whole response for another status. */
    async stateOf(id: string, as: "user" | "admin" = "user", status = 200) {
      const answer = await fixture().call("POST", url(id, "state"), { body: {}, as });
      expect(answer.statusCode, answer.body).toBe(status);
      return status === 200 ? answer.json().data.resolution : answer.json();
    },
    /** Delivers a message from the payment service. */
    notice: (payload: string, signature: string, to: CommandApi = fixture().api) =>
      to.app.inject({
        method: "POST",
        url: "/prod/api/payments/stripe",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        payload,
      }),
  };
}

/** Calls and queries for tests of payments, with a registry of {@link startWithCards}. */
export function paymentCalls(fixture: () => Fixture, stripe: StripeStandIn) {
  const calls = resolutionCalls(fixture);
  const own = checkoutCalls(fixture);
  const { checkout, notice } = own;
  const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;
  const typesOf = async (id: string) => (await eventsOf(fixture(), id)).map(({ type }) => type);
  const countOf = async (id: string, type: string) =>
    (await typesOf(id)).filter((each) => each === type).length;

  /** Sends a message from Stripe, signed now. */
  const send = (message: string, to?: CommandApi) =>
    notice(message, signed(message, WEBHOOK_SECRET), to);

  /** A report whose fee is due, with an open payment page. */
  async function opened() {
    const { id, request_id } = await calls.accepted();
    const answer = await checkout(id, request_id);
    expect(answer.statusCode, answer.body).toBe(200);
    return { id, request_id, page: stripe.last, url: answer.json().data.url as string };
  }

  /** Returns the payments recorded as not matching a fee, newest first. */
  async function unmatched(): Promise<{ data: Record<string, unknown> }[]> {
    const { rows } = await fixture().db.query(
      "select data from event_log.event where type = 'PaymentUnmatched' order by position desc",
    );
    return rows;
  }
  return { ...own, calls, codeOf, typesOf, countOf, send, opened, unmatched };
}
