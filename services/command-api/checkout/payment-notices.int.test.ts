import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CommandApi } from "../composition.ts";
import { paymentCalls, startWithCards, WEBHOOK_SECRET } from "../testing/checkouts.fixture.ts";
import type { Fixture } from "../testing/command-api.fixture.ts";
import { admin, eraseReporter, eventsOf } from "../testing/reports.fixture.ts";
import { paidMessage, StripeStandIn, signed } from "../testing/stripe.fixture.ts";

const stripe = new StripeStandIn();
let fixture: Fixture;
let second: CommandApi;
beforeAll(async () => {
  await stripe.start();
  fixture = await startWithCards(stripe);
  second = await fixture.another();
});
afterAll(async () => {
  await fixture.close();
  await stripe.stop();
});
beforeEach(() => {
  stripe.failsWith = undefined;
  stripe.calls.length = 0;
});

const { checkout, codeOf, countOf, notice, opened, send, stateOf, typesOf, unmatched } =
  paymentCalls(() => fixture, stripe);

describe("a Stripe webhook event", () => {
  it("adds the banner to the report, and notifies all admins", async () => {
    const { id, request_id, page } = await opened();
    const answer = await send(paidMessage(page));
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await typesOf(id)).slice(-2)).toEqual(["PaymentAccepted", "ReportResolved"]);
    const event = (await eventsOf(fixture, id)).at(-2);
    expect(event).toMatchObject({
      data: { method: "stripe", amount_cents: 25_000, currency: "USD", request_id },
      metadata: { actor: { id: "system", role: "system" }, command: "AcceptCheckout" },
    });
    expect((event as { data: { told: string[] } }).data.told).toHaveLength(1);
    expect(event?.metadata).not.toHaveProperty("client");
    const { resolution } = (await fixture.api.reports.load(id)) ?? {};
    expect(resolution?.payments[0]?.reference).toBe(`pi_${page.id.slice(8)}`);
    expect(await stateOf(id)).not.toHaveProperty("card");
    expect(codeOf(await checkout(id, request_id))).toBe("already_paid");
  });

  it("counts only with a recent Stripe signature of its exact bytes", async () => {
    const { id, page } = await opened();
    const message = paidMessage(page);
    const late = Date.now() - 301_000;
    const refused = [
      "",
      "t=1,v1=00",
      signed(message, "whsec_another"),
      signed(`${message} `, WEBHOOK_SECRET),
      signed(message, WEBHOOK_SECRET, late),
    ];
    for (const signature of refused) {
      const answer = await notice(message, signature);
      expect([signature, answer.statusCode, codeOf(answer)]).toEqual([
        signature,
        400,
        "invalid_request",
      ]);
    }
    expect(await countOf(id, "PaymentAccepted")).toBe(0);
    const before = await unmatched();
    // Stripe signs each attempt anew, so one that comes days later is valid, and so is a slow one.
    const slow = await notice(message, signed(message, WEBHOOK_SECRET, Date.now() - 200_000));
    expect(slow.statusCode, slow.body).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(1);
    expect(await unmatched()).toEqual(before);
  });

  it("counts once if sent twice, even concurrently to two processes, and after its second type", async () => {
    const { id, page } = await opened();
    const message = paidMessage(page);
    const answers = await Promise.all([
      send(message),
      send(message, second),
      send(message),
      send(paidMessage(page, { type: "checkout.session.async_payment_succeeded" }), second),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect((await send(message, second)).statusCode).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(1);
    expect(await countOf(id, "ReportResolved")).toBe(1);
    // Neither counts later, when nothing is due anymore.
    await fixture.call("DELETE", admin(id), { as: "admin" });
    const before = await unmatched();
    expect((await send(message)).statusCode).toBe(200);
    const late = paidMessage(page, { type: "checkout.session.async_payment_succeeded" });
    expect((await send(late)).statusCode).toBe(200);
    expect(await unmatched()).toEqual(before);
  });

  it("changes nothing without a payment, or for a page that wasn't opened here", async () => {
    const { id, page } = await opened();
    const before = await unmatched();
    for (const message of [
      paidMessage(page, { session: { payment_status: "unpaid" } }),
      paidMessage(page, { type: "checkout.session.expired" }),
      paidMessage(page, { type: "charge.refunded" }),
      paidMessage(page, { session: { metadata: { order: "12" } } }),
      JSON.stringify({ id: "evt_1", object: "event", type: "ping", data: { object: {} } }),
    ]) {
      const answer = await send(message);
      expect(answer.statusCode, answer.body).toBe(200);
    }
    expect(await countOf(id, "PaymentAccepted")).toBe(0);
    expect(await unmatched()).toEqual(before);
  });

  it.each([
    ["of another session", "session_differs", { session: { id: "cs_test_another" } }],
    ["in live mode to a test key", "mode_differs", { live: true }],
    ["of another amount", "amount_differs", { session: { amount_total: 24_999 } }],
    ["of another currency", "amount_differs", { session: { currency: "eur" } }],
    ["of no amount", "amount_differs", { session: { amount_total: null, currency: null } }],
  ])("that is %s is reported to admins instead, once", async (_what, problem, told) => {
    const { id, page } = await opened();
    const before = await unmatched();
    const message = paidMessage(page, told);
    const answers = await Promise.all([send(message), send(message, second), send(message)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await send(message, second)).statusCode).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(0);
    const [noted, ...others] = await unmatched();
    expect(others).toEqual(before);
    expect(noted?.data).toEqual({
      processor: "stripe",
      problem,
      live: "live" in told,
      event_id: JSON.parse(message).id,
      told: [expect.any(String)],
    });
    // The correct one still counts.
    expect((await send(paidMessage(page))).statusCode).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(1);
  });

  it("about a deleted report, an erased reporter or no report is reported without naming anyone", async () => {
    const deleted = await opened();
    await fixture.call("DELETE", admin(deleted.id), { as: "admin" });
    const erased = await opened();
    await eraseReporter(fixture, erased.id);
    const { page } = await opened();
    const unknown = { metadata: { registry_payment: randomUUID(), registry_report: randomUUID() } };
    const odd = { metadata: { registry_payment: "x", registry_report: "../x" } };
    const told: [string, string][] = [
      [paidMessage(deleted.page), "report_deleted"],
      [paidMessage(erased.page), "reporter_erased"],
      [paidMessage(page, { session: unknown }), "checkout_unknown"],
      [paidMessage(page, { session: odd }), "checkout_unknown"],
    ];
    for (const [message, problem] of told) {
      expect((await send(message)).statusCode).toBe(200);
      const [noted] = await unmatched();
      expect(noted?.data.problem).toBe(problem);
      for (const id of [deleted.id, erased.id, page.id, "pi_"])
        expect(JSON.stringify(noted)).not.toContain(id);
    }
  });

  it("is answered with 503 while there is no admin to notify, so that Stripe retries", async () => {
    const { page } = await opened();
    const before = await unmatched();
    const { rows } = await fixture.db.query(
      "update command.account set status = 'banned' where role = 'admin' returning id",
    );
    const message = paidMessage(page, { live: true });
    try {
      expect((await send(message)).statusCode).toBe(503);
      expect(await unmatched()).toEqual(before);
    } finally {
      await fixture.db.query("update command.account set status = 'active' where id = $1", [
        rows[0].id,
      ]);
    }
    expect((await send(message)).statusCode).toBe(200);
    expect((await unmatched()).length).toBe(before.length + 1);
  });
});
