import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { CommandApi } from "../composition.ts";
import { checkoutCalls } from "../testing/checkouts.fixture.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eventsOf } from "../testing/reports.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { paidMessage, StripeStandIn, signed } from "../testing/stripe.fixture.ts";

const SECRET_KEY = "sk_test_51Nqq7canary";
const WEBHOOK_SECRET = "whsec_canary4711";

const stripe = new StripeStandIn();
let fixture: Fixture;
/** Another process on the same stores. */
let second: CommandApi;
const logged: string[] = [];
beforeAll(async () => {
  await stripe.start();
  const sink = new Writable({
    write(line, _, next) {
      logged.push(String(line));
      next();
    },
  });
  fixture = await startCommandApi({
    cards: {
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      publicUrl: "https://registry.test",
      apiUrl: stripe.origin,
    },
    log: pino({ level: "debug" }, sink),
  });
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

const calls = resolutionCalls(() => fixture);
const { checkout, stateOf, notice } = checkoutCalls(() => fixture);
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const countOf = async (id: string, type: string) =>
  (await typesOf(id)).filter((each) => each === type).length;

/** Sends a message of Stripe with a signature of now. */
const send = (message: string, to?: CommandApi) =>
  notice(message, signed(message, WEBHOOK_SECRET), to);

/** A report whose fee is due, with an open page. */
async function opened() {
  const { id, request_id } = await calls.accepted();
  const answer = await checkout(id, request_id);
  expect(answer.statusCode, answer.body).toBe(200);
  return { id, request_id, page: stripe.last, url: answer.json().data.url as string };
}

/** What the owner of a report reads about the payment page. */
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

/** Lets the time of a report's page be over for so many hours, as the log has it. */
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

/** What was noted as money that is nobody's fee, the last one first. */
async function unmatched(): Promise<{ data: Record<string, unknown> }[]> {
  const { rows } = await fixture.db.query(
    "select data from event_log.event where type = 'PaymentUnmatched' order by position desc",
  );
  return rows;
}

describe("a payment page", () => {
  it("is opened for what the fee was when the owner asked, and the log keeps its name sealed", async () => {
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

  it("is the same one while it is open, however often the owner asks", async () => {
    const { id, request_id, url } = await opened();
    const key = randomUUID();
    for (const each of [undefined, key, key])
      expect((await checkout(id, request_id, { key: each })).json().data.url).toBe(url);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is one when two ask at once, and the other one takes no payment", async () => {
    const { id, request_id } = await calls.accepted();
    const before = stripe.pages.size;
    const answers = await Promise.all([1, 2, 3].map(() => checkout(id, request_id)));
    for (const answer of answers) expect(answer.statusCode, answer.body).toBe(200);
    expect(new Set(answers.map((answer) => answer.json().data.url)).size).toBe(1);
    const made = [...stripe.pages.values()].slice(before);
    expect(made.filter(({ status }) => status === "open")).toHaveLength(1);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is another one once Stripe ended the first", async () => {
    const { id, request_id, page, url } = await opened();
    page.status = "expired";
    const again = await checkout(id, request_id);
    expect(again.statusCode, again.body).toBe(200);
    expect(again.json().data.url).not.toBe(url);
    expect(await countOf(id, "CheckoutOpened")).toBe(2);
  });

  it("has expired for its owner once Stripe ended it before its time, and is open while that is not known", async () => {
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

  it("has a payment on its way from when Stripe has taken it until it tells, also after the page's time", async () => {
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

  it("is shown as the log has it while Stripe is silent, for which only the first reader waits", async () => {
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

  it("is not opened again while a payment is on its way", async () => {
    const { id, request_id, page } = await opened();
    page.status = "complete";
    const again = await checkout(id, request_id);
    expect([again.statusCode, codeOf(again)]).toEqual([409, "already_paid"]);
    expect(await countOf(id, "CheckoutOpened")).toBe(1);
  });

  it("is refused to strangers, before the letter is accepted, and for a report that nobody sees", async () => {
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

  it("cannot be opened while Stripe is away, and no log has a key, a page or Stripe's words", async () => {
    const { id, request_id, page } = await opened();
    stripe.failsWith = 500;
    const away = await checkout(id, request_id);
    expect([away.statusCode, codeOf(away)]).toEqual([503, "unavailable"]);
    const other = await calls.accepted();
    expect((await checkout(other.id, other.request_id)).statusCode).toBe(503);
    expect(await countOf(other.id, "CheckoutOpened")).toBe(0);
    const all = logged.join("");
    expect(all).toContain("Stripe refused");
    for (const secret of [SECRET_KEY, WEBHOOK_SECRET, page.id, "/v1/checkout", "canary"])
      expect(all, secret).not.toContain(secret);
  });

  it("is named nowhere by a registry without keys, and by no answer", async () => {
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

describe("a message of Stripe", () => {
  it("puts the banner on the report, and tells all admins", async () => {
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

  it("counts only with a signature of Stripe, of these bytes and of now", async () => {
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
    // Stripe signs each attempt anew, so one that comes days later is as good, and a slow one too.
    const slow = await notice(message, signed(message, WEBHOOK_SECRET, Date.now() - 200_000));
    expect(slow.statusCode, slow.body).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(1);
    expect(await unmatched()).toEqual(before);
  });

  it("counts once when it is sent twice, also to two processes at once, and after its second kind", async () => {
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
    // Neither does it later, when there is nothing left to be paid.
    await fixture.call("DELETE", admin(id), { as: "admin" });
    const before = await unmatched();
    expect((await send(message)).statusCode).toBe(200);
    const late = paidMessage(page, { type: "checkout.session.async_payment_succeeded" });
    expect((await send(late)).statusCode).toBe(200);
    expect(await unmatched()).toEqual(before);
  });

  it("changes nothing where nothing was paid, or on a page that was not opened here", async () => {
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
  ])("that is %s is told to the admins instead, once", async (_what, problem, told) => {
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
    // The right one still counts.
    expect((await send(paidMessage(page))).statusCode).toBe(200);
    expect(await countOf(id, "PaymentAccepted")).toBe(1);
  });

  it("in test mode does not count once the registry takes real money", async () => {
    const { id, page } = await opened();
    const live = await fixture.another({
      secretKey: "rk_live_51canary",
      webhookSecret: WEBHOOK_SECRET,
      publicUrl: "https://registry.test",
    });
    expect((await send(paidMessage(page), live)).statusCode).toBe(200);
    expect((await unmatched())[0]?.data).toMatchObject({ problem: "mode_differs", live: false });
    expect(await countOf(id, "PaymentAccepted")).toBe(0);
  });

  it("about a deleted report, an erased reporter or no report is told without naming anybody", async () => {
    const deleted = await opened();
    await fixture.call("DELETE", admin(deleted.id), { as: "admin" });
    const erased = await opened();
    await fixture.api.reports.execute(
      erased.id,
      { type: "EraseReporter" },
      {
        caller: {
          actor: { id: "system", role: "system" },
          origin: "live",
          correlationId: randomUUID(),
          now: new Date().toISOString(),
        },
        id: randomUUID(),
        body: {},
      },
    );
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

  it("about a request that is over is kept as money, without a banner, and can be sent back", async () => {
    const { id, request_id, page } = await opened();
    expect((await calls.withdraw(id, request_id)).statusCode).toBe(200);
    expect((await send(paidMessage(page))).statusCode).toBe(200);
    expect((await typesOf(id)).at(-1)).toBe("PaymentAccepted");
    // A new request does not hide it, and its refund takes nothing from that.
    await calls.ask(id);
    const state = await fixture.api.reports.load(id);
    const [payment] = state?.resolution?.payments ?? [];
    expect(payment?.method).toBe("stripe");
    await calls.staff(id, "/resolution/refund", {
      payment_id: payment?.payment_id,
      reason_code: "mistaken",
      reason: "The request was withdrawn",
    });
    expect((await typesOf(id)).at(-1)).toBe("PaymentRefunded");
    expect((await fixture.api.reports.load(id))?.resolution?.stage).toBe("requested");
  });

  it("is answered with 503 while there is nobody to be told, so that it is sent again", async () => {
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

  it("has a small body of JSON", async () => {
    const large = JSON.stringify({ a: "x".repeat(64 * 1024) });
    expect((await send(large)).statusCode).toBe(413);
    const form = await fixture.api.app.inject({
      method: "POST",
      url: "/prod/api/payments/stripe",
      headers: { "content-type": "text/plain" },
      payload: "x",
    });
    expect(form.statusCode).toBe(415);
    const empty = await fixture.api.app.inject({
      method: "POST",
      url: "/prod/api/payments/stripe",
    });
    expect(empty.statusCode).toBe(400);
  });
});

it("counts messages and pages each for themselves", async () => {
  const limited = await startCommandApi({ limits: "on" });
  onTestFinished(() => limited.close());
  const { notice: from, checkout: open } = checkoutCalls(() => limited);
  for (let n = 0; n < 300; n += 1) expect((await from("{}", "")).statusCode).toBe(404);
  expect((await from("{}", "")).statusCode).toBe(429);
  for (let n = 0; n < 30; n += 1)
    expect(codeOf(await open(randomUUID(), randomUUID()))).toBe("report_not_found");
  expect((await open(randomUUID(), randomUUID())).statusCode).toBe(429);
});
