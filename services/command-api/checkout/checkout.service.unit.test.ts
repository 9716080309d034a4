import { expect, it } from "vitest";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { CardPaymentsUnavailable, type PageNow } from "./card-processor.ts";
import { CheckoutService } from "./checkout.service.ts";

const NOW = "2026-11-27T10:00:00.000Z";
const state = {
  resolution: { request_id: "request", stage: "letter_accepted" },
  checkouts: [
    {
      request_id: "request",
      payment_id: "payment",
      session_id: "cs_test_1",
      live: false,
      expires_at: "2026-11-27T11:00:00.000Z",
      amount_cents: 25_000,
      currency: "USD",
      paid: false,
    },
  ],
} as unknown as ReportState;

/** A service whose payment service replies with `find`. */
function readers(find: () => Promise<PageNow>) {
  let now = 0;
  let asked = 0;
  const processor = {
    live: false,
    find: () => {
      asked += 1;
      return find();
    },
  };
  const cards = { processor, publicUrl: "https://registry.example" };
  const deps = { cards, clock: () => now } as unknown as ConstructorParameters<
    typeof CheckoutService
  >[0];
  const service = new CheckoutService(deps);
  return {
    look: () => service.look(state, NOW),
    after: (ms: number) => {
      now += ms;
    },
    asked: () => asked,
  };
}

it("queries an unresponsive payment service again after 30 seconds, and not before", async () => {
  let answer: () => Promise<PageNow> = () =>
    Promise.reject(new CardPaymentsUnavailable("silent", { isSilent: true }));
  const { look, after, asked } = readers(() => answer());
  expect([await look(), await look(), asked()]).toEqual([undefined, undefined, 1]);
  answer = async () => ({ state: "ended" });
  after(29_999);
  expect([await look(), asked()]).toEqual([undefined, 1]);
  after(1);
  expect([await look(), await look(), asked()]).toEqual(["ended", "ended", 3]);
});

it("queries one that refused every time, since that takes no time", async () => {
  const { look, asked } = readers(() => Promise.reject(new CardPaymentsUnavailable("refused")));
  expect([await look(), await look(), asked()]).toEqual([undefined, undefined, 2]);
});

it("reports a payment in progress once the service has accepted it", async () => {
  const { look } = readers(async () => ({ state: "done", amountCents: 25_000, currency: "USD" }));
  expect(await look()).toBe("on_its_way");
});

it.each([
  [24_999, "USD"],
  [25_000, "EUR"],
  [null, null],
])("reports a payment of the wrong amount: %s %s", async (amountCents, currency) => {
  const { look } = readers(async () => ({ state: "done", amountCents, currency }));
  expect(await look()).toBe("other_amount");
});
