import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { MAX_CHECKOUTS } from "#contracts/report/resolution.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  checkoutOpened,
  letterAccepted,
  paymentAccepted,
  reportApproved,
  reporterErased,
  reportResolved,
  reportSubmitted,
  resolutionRequested,
  resolutionWithdrawn,
} from "#test-kit/report-events.ts";
import { decideReport } from "../report/report.decider.ts";
import { openPage } from "./checkout.decider.ts";

const REQUEST = "11111111-1111-4111-8111-111111111111";
const LETTER = "22222222-2222-4222-8222-222222222222";
const PAID = "33333333-3333-4333-8333-333333333333";
const OTHER = "44444444-4444-4444-8444-444444444444";
const ADMIN = "55555555-5555-4555-8555-555555555555";

const moment = { now: "2026-11-23T12:00:00.000Z", newId: OTHER };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });
const due = [
  reportSubmitted(),
  reportApproved(),
  ...resolutionRequested(REQUEST, LETTER),
  letterAccepted(REQUEST),
];
const page = {
  payment_id: PAID,
  processor: "stripe",
  live: false,
  expires_at: "2026-11-23T13:00:00.000Z",
  session_id: "cs_test_1",
};
const open = { type: "OpenCheckout", requestId: REQUEST, page } as const;
const stored = (more: object = {}): ReportEvent => {
  const event = checkoutOpened(REQUEST, PAID, "cs_test_1");
  return { ...event, data: { ...event.data, ...more } } as ReportEvent;
};
const payment = {
  eventId: "evt_1",
  paymentId: PAID,
  reportId: OTHER,
  sessionId: "cs_test_1",
  live: false,
  amountCents: 25_000,
  currency: "USD",
  reference: "pi_1",
};
const accept = {
  type: "AcceptCheckout",
  processor: "stripe",
  live: false,
  payment,
  told: [ADMIN],
} as const;
const accepted: ReportEvent = {
  type: "PaymentAccepted",
  data: {
    payment_id: PAID,
    request_id: REQUEST,
    method: "stripe",
    amount_cents: 25_000,
    currency: "USD",
    told: [ADMIN],
    personal: { reference: "pi_1" },
  },
};
const stateOf = (events: readonly ReportEvent[]) =>
  events.reduce<ReportState | undefined>(evolveReport, undefined) as ReportState;

describe("opening a payment page", () => {
  it("stores it with the requested fee, and its session ID under the reporter's key", () => {
    const { session_id, ...clear } = page;
    given(...due)
      .when(open)
      .gives({
        type: "CheckoutOpened",
        data: {
          ...clear,
          request_id: REQUEST,
          amount_cents: 25_000,
          currency: "USD",
          reporter: { session_id },
        },
      });
  });

  it("stores none while another is open, unless that one no longer accepts payment", () => {
    given(...due, stored())
      .when({ ...open, page: { ...page, payment_id: OTHER } })
      .gives();
    const { events } = given(...due, stored()).when({
      ...open,
      ended: PAID,
      page: { ...page, payment_id: OTHER },
    });
    expect(events).toHaveLength(1);
  });

  it("stores another one exactly when the first has expired", () => {
    const at = stateOf([...due, stored({ expires_at: moment.now })]);
    expect(openPage(at, REQUEST, "2026-11-23T11:59:59.999Z")?.payment_id).toBe(PAID);
    expect(openPage(at, REQUEST, moment.now)).toBeUndefined();
    const { events } = given(...due, stored({ expires_at: moment.now })).when(open);
    expect(events).toHaveLength(1);
  });

  it("is limited to twenty per report", () => {
    const over = { expires_at: "2026-11-23T11:00:00.000Z" };
    const most = Array.from({ length: MAX_CHECKOUTS }, () => stored(over));
    expect(given(...due, ...most.slice(1)).when(open).events).toHaveLength(1);
    given(...due, ...most)
      .when(open)
      .isRefused("resolution_closed");
  });

  it("is refused if no fee is due", () => {
    given(...due.slice(0, -1))
      .when(open)
      .isRefused("resolution_closed");
    given(...due, resolutionWithdrawn(REQUEST))
      .when(open)
      .isRefused("resolution_closed");
    given(...due, paymentAccepted(REQUEST), reportResolved(REQUEST))
      .when(open)
      .isRefused("already_paid");
  });
});

describe("a card payment", () => {
  it("adds the banner once", () => {
    given(...due, stored())
      .when(accept)
      .gives(accepted, { type: "ReportResolved", data: { request_id: REQUEST } });
    given(...due, stored(), accepted)
      .when(accept)
      .gives();
  });

  it("counts even if its page has expired, since the money was received", () => {
    const { events } = given(...due, stored({ expires_at: "2026-11-01T00:00:00.000Z" })).when(
      accept,
    );
    expect(events).toHaveLength(2);
  });

  it.each([
    ["another session", { sessionId: "cs_test_2" }],
    ["another amount", { amountCents: 25_001 }],
    ["another currency", { currency: "EUR" }],
    ["another mode", { live: true }],
    ["another page", { paymentId: OTHER }],
  ])("changes nothing with %s", (_what, different) => {
    given(...due, stored())
      .when({ ...accept, payment: { ...payment, ...different } })
      .gives();
  });

  it("changes nothing once the reporter is erased, or in the other mode", () => {
    given(...due, stored(), reporterErased())
      .when(accept)
      .gives();
    given(...due, stored())
      .when({ ...accept, live: true })
      .gives();
    // A page that was opened with a key of the other mode.
    given(...due, stored({ live: true }))
      .when(accept)
      .gives();
    given().when(accept).gives();
  });

  it("is recorded without the banner if the request is closed or was paid some other way", () => {
    given(...due, stored(), resolutionWithdrawn(REQUEST))
      .when(accept)
      .gives(accepted);
    given(...due, stored(), paymentAccepted(REQUEST, OTHER), reportResolved(REQUEST))
      .when(accept)
      .gives(accepted);
    const again = [...resolutionRequested(OTHER, ADMIN), letterAccepted(OTHER)];
    given(...due, stored(), resolutionWithdrawn(REQUEST), ...again)
      .when(accept)
      .gives(accepted);
  });
});
