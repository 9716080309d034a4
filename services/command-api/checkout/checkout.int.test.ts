import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { CommandApi } from "../composition.ts";
import {
  checkoutCalls,
  paymentCalls,
  SECRET_KEY,
  startWithCards,
  WEBHOOK_SECRET,
} from "../testing/checkouts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { eventsOf } from "../testing/reports.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { paidMessage, StripeStandIn, signed } from "../testing/stripe.fixture.ts";

const stripe = new StripeStandIn();
let fixture: Fixture;
const logged: string[] = [];
beforeAll(async () => {
  await stripe.start();
  fixture = await startWithCards(stripe, logged);
});
afterAll(async () => {
  await fixture.close();
  await stripe.stop();
});
beforeEach(() => {
  stripe.failsWith = undefined;
  stripe.calls.length = 0;
});

const { calls, checkout, codeOf, countOf, opened, send, stateOf } = paymentCalls(
  () => fixture,
  stripe,
);

/** What the report's owner sees of the payment page. */
async function seenOf(id: string, at: CommandApi = fixture.api) {
  const answer = await at.app.inject({
    method: "POST",
    url: `/prod/api/account/reports/${id}/open`,
    headers: { authorization: `Bearer ${fixture.tokens.user}` },
    payload: {},
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { card, card_until } = answer.json().data.resolution;
  return { card, timed: card_until !== undefined };
}

/** Changes the log so that a report's page expired this many hours ago. */
async function endPage(id: string, hours: number): Promise<void> {
  const at = new Date(Date.now() - hours * 3_600_000).toISOString();
  await fixture.db.query("alter table event_log.event disable trigger append_only");
  const { rowCount } = await fixture.db.query(
    `update event_log.event
     set data = jsonb_set(data::jsonb, '{expires_at}', to_jsonb($1::text))::json
     where type = 'CheckoutOpened' and stream = $2`,
    [at, `report-${id}`],
  );
  expect(rowCount).toBe(1);
  await fixture.db.query("alter table event_log.event enable always trigger append_only");
}

describe("a payment page", () => {
  it("is opened for the fee at the time of the request, and its ID is encrypted in the log", async () => {
    const { id, request_id } = await calls.accepted();
    expect(await stateOf(id)).toMatchObject({ stage: "letter_accepted", card: "offered" });
    const answer = await checkout(id, request_id);
    expect(answer.statusCode, answer.body).toBe(200);
    const { last: page } = stripe;
    expect(answer.json().data).toEqual({ url: page.url });
    const [call] = stripe.calls;
    expect(Object.fromEntries(call?.fields ?? [])).toEqual({
      mode: "payment",
      "adaptive_pricing[enabled]": "false",
      client_reference_id: expect.any(String),
      "metadata[registry_payment]": call?.fields.get("client_reference_id"),
      "metadata[registry_report]": id,
      "payment_intent_data[metadata][registry_payment]": call?.fields.get("client_reference_id"),
      "payment_intent_data[metadata][registry_report]": id,
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "25000",
      "line_items[0][price_data][product_data][name]": expect.stringContaining("RESOLVED banner"),
      expires_at: expect.stringMatching(/^\d{10}$/),
      success_url: `https://registry.test/dashboard/reports/${id}?payment=done`,
      cancel_url: `https://registry.test/dashboard/reports/${id}?payment=left`,
    });
    expect(call?.idempotencyKey).toBe(call?.fields.get("client_reference_id"));
    const event = (await eventsOf(fixture, id)).at(-1);
    expect(event).toMatchObject({
      type: "CheckoutOpened",
      data: {
        payment_id: call?.idempotencyKey,
        request_id,
        processor: "stripe",
        live: false,
        amount_cents: 25_000,
        currency: "USD",
        reporter: { key: `reporter-${id}`, box: expect.any(String) },
      },
    });
    expect(JSON.stringify(event)).not.toContain(page.id);
    const state = await stateOf(id);
    expect(state.card).toBe("open");
    const minutes = (Date.parse(state.card_until) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(50);
    expect(minutes).toBeLessThanOrEqual(60);
  });

  it("stays the same while it is open, however often the owner asks", async () => {
    const { id, request_id, url } = await opened();
    const key = randomUUID();
    for (const each of [undefined, key, key])
      expect((await checkout(id, request_id, { key: each })).json().data.url).toBe(url);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is the same for concurrent requests, and the others accept no payment", async () => {
    const { id, request_id } = await calls.accepted();
    const before = stripe.pages.size;
    const answers = await Promise.all([1, 2, 3].map(() => checkout(id, request_id)));
    for (const answer of answers) expect(answer.statusCode, answer.body).toBe(200);
    expect(new Set(answers.map((answer) => answer.json().data.url)).size).toBe(1);
    const made = [...stripe.pages.values()].slice(before);
    expect(made.filter(({ status }) => status === "open")).toHaveLength(1);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is replaced once Stripe has ended it", async () => {
    const { id, request_id, page, url } = await opened();
    page.status = "expired";
    const again = await checkout(id, request_id);
    expect(again.statusCode, again.body).toBe(200);
    expect(again.json().data.url).not.toBe(url);
    expect(await countOf(id, "CheckoutOpened")).toBe(2);
  });

  it("shows as expired once Stripe has ended it early, and as open while that isn't known", async () => {
    const { id, page } = await opened();
    const seen = () => seenOf(id);
    expect(await seen()).toEqual({ card: "open", timed: true });
    page.status = "expired";
    expect((await send(paidMessage(page, { type: "checkout.session.expired" }))).statusCode).toBe(
      200,
    );
    expect(await seen()).toEqual({ card: "expired", timed: false });
    stripe.failsWith = 500;
    expect(await seen()).toEqual({ card: "open", timed: true });
  });

  it("shows a payment in progress from Stripe's acceptance to its webhook, even after it expires", async () => {
    const { id, page } = await opened();
    page.status = "complete";
    expect(await seenOf(id)).toEqual({ card: "on_its_way", timed: false });
    await endPage(id, 3);
    expect(await seenOf(id)).toEqual({ card: "on_its_way", timed: false });
    stripe.calls.length = 0;
    await endPage(id, 25);
    expect(await seenOf(id)).toEqual({ card: "expired", timed: false });
    expect(stripe.calls).toEqual([]);
    expect((await send(paidMessage(page))).statusCode).toBe(200);
    expect(await stateOf(id)).toMatchObject({ stage: "resolved" });
  });

  it("shows the logged state while Stripe doesn't respond, and only the first reader waits", async () => {
    const { id, page } = await opened();
    const other = await opened();
    const third = await fixture.another();
    stripe.calls.length = 0;
    stripe.isSilent = true;
    try {
      for (const of of [id, id, other.id])
        expect(await seenOf(of, third)).toEqual({ card: "open", timed: true });
      expect(stripe.calls.map(({ path }) => path.split("/").at(-1))).toEqual([page.id]);
    } finally {
      stripe.isSilent = false;
    }
  });

  it("can't be opened again while a payment is in progress", async () => {
    const { id, request_id, page } = await opened();
    page.status = "complete";
    const again = await checkout(id, request_id);
    expect([again.statusCode, codeOf(again)]).toEqual([409, "already_paid"]);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("shows a wrong amount before and after the webhook, and can't be opened again", async () => {
    const { id, request_id, page } = await opened();
    page.status = "complete";
    page.charged = 24_999;
    const said = async () => {
      expect(await seenOf(id)).toEqual({ card: "other_amount", timed: false });
      const again = await checkout(id, request_id);
      expect([again.statusCode, codeOf(again)]).toEqual([409, "already_paid"]);
      expect(again.json().error.message).toContain("doesn't match the fee");
    };
    await said();
    expect((await send(paidMessage(page))).statusCode).toBe(200);
    await said();
    expect(await stateOf(id)).toMatchObject({ stage: "letter_accepted" });
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is refused to strangers, before the letter is accepted, and for an unpublished report", async () => {
    const { id, request_id } = await calls.accepted();
    expect((await checkout(id, request_id, { as: null })).statusCode).toBe(401);
    const stranger = await checkout(id, request_id, { as: "admin" });
    const nothing = await checkout(randomUUID(), request_id, { as: "admin" });
    expect(stranger.statusCode).toBe(404);
    expect(stranger.body).toBe(nothing.body);
    expect((await stateOf(id, "admin", 404)).error.code).toBe("report_not_found");
    expect(codeOf(await checkout(id, randomUUID()))).toBe("not_found");
    await calls.staff(id, "/status", { status: "under_review" });
    expect(codeOf(await checkout(id, request_id))).toBe("report_not_public");
    const early = await calls.ownReport();
    expect(codeOf(await checkout(early, await calls.ask(early)))).toBe("resolution_closed");
    expect(stripe.calls).toEqual([]);
  });

  it("can't be opened while Stripe is unavailable, and no log contains a key, a page or Stripe's messages", async () => {
    const { id, request_id, page } = await opened();
    stripe.failsWith = 500;
    const away = await checkout(id, request_id);
    expect([away.statusCode, codeOf(away)]).toEqual([503, "unavailable"]);
    const other = await calls.accepted();
    expect((await checkout(other.id, other.request_id)).statusCode).toBe(503);
    expect(await countOf(other.id, "CheckoutOpened")).toBe(0);
    const all = logged.join("");
    expect(all).toContain("a Stripe call failed");
    for (const secret of [SECRET_KEY, WEBHOOK_SECRET, page.id, "/v1/checkout", "canary"])
      expect(all, secret).not.toContain(secret);
  });

  it("is never mentioned or offered by a registry without keys", async () => {
    const plain = await startCommandApi();
    onTestFinished(() => plain.close());
    const { id, request_id } = await resolutionCalls(() => plain).accepted();
    const without = checkoutCalls(() => plain);
    expect(await without.stateOf(id)).not.toHaveProperty("card");
    const answer = await without.checkout(id, request_id);
    expect([answer.statusCode, codeOf(answer)]).toEqual([404, "not_found"]);
    const message = "{}";
    expect((await without.notice(message, signed(message, WEBHOOK_SECRET))).statusCode).toBe(404);
  });
});

it("limits webhook events and payment pages separately", async () => {
  const limited = await startCommandApi({ limits: "on" });
  onTestFinished(() => limited.close());
  const { notice: from, checkout: open } = checkoutCalls(() => limited);
  for (let n = 0; n < 300; n += 1) expect((await from("{}", "")).statusCode).toBe(404);
  expect((await from("{}", "")).statusCode).toBe(429);
  for (let n = 0; n < 30; n += 1)
    expect(codeOf(await open(randomUUID(), randomUUID()))).toBe("report_not_found");
  expect((await open(randomUUID(), randomUUID())).statusCode).toBe(429);
});
