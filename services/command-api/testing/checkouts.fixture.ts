import { expect } from "vitest";
import type { CommandApi } from "../composition.ts";
import type { Fixture } from "./command-api.fixture.ts";

/** Calls about card payments. */
export function checkoutCalls(fixture: () => Fixture) {
  const url = (id: string, path: string) => `/prod/api/account/reports/${id}/resolution/${path}`;
  return {
    /** An owner asks for the payment page; `as: null` is a visitor. */
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
    /** Where the owner's request stands, or the whole answer for another status. */
    async stateOf(id: string, as: "user" | "admin" = "user", status = 200) {
      const answer = await fixture().call("POST", url(id, "state"), { body: {}, as });
      expect(answer.statusCode, answer.body).toBe(status);
      return status === 200 ? answer.json().data.resolution : answer.json();
    },
    /** A message arrives from the payment service. */
    notice: (payload: string, signature: string, to: CommandApi = fixture().api) =>
      to.app.inject({
        method: "POST",
        url: "/prod/api/payments/stripe",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        payload,
      }),
  };
}
