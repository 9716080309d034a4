import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CardPaymentsUnavailable } from "./card-processor.ts";
import { StripeProcessor } from "./stripe-processor.ts";

/** Code of Stripe's 404 errors. */
let code = "";
/** Whether it accepts requests but never responds. */
let isFrozen = false;
let calls = 0;
const stripe = createServer((_, reply) => {
  calls += 1;
  if (isFrozen) return;
  reply.writeHead(404, { "content-type": "application/json" });
  reply.end(JSON.stringify({ error: { type: "invalid_request_error", code, message: "No such" } }));
});
let processor: StripeProcessor;
beforeAll(async () => {
  await new Promise<void>((resolve) => stripe.listen(0, "127.0.0.1", resolve));
  const { port } = stripe.address() as AddressInfo;
  processor = new StripeProcessor(
    {
      secretKey: "sk_test_none",
      webhookSecret: "whsec_none",
      apiUrl: `http://127.0.0.1:${port}`,
    },
    { warn: () => undefined },
  );
});
afterAll(() => {
  stripe.closeAllConnections();
  return new Promise((resolve) => stripe.close(resolve));
});

const HOUR_MS = 3_600_000;
const find = (inMs: number) => processor.find("cs_test_1", new Date(Date.now() + inMs));

it("treats a page unknown to Stripe as ended once it has expired, and not before", async () => {
  code = "resource_missing";
  expect(await find(-HOUR_MS)).toEqual({ state: "ended" });
  await expect(find(HOUR_MS)).rejects.toThrow(CardPaymentsUnavailable);
});

it("treats no other error as the end of a page", async () => {
  code = "account_invalid";
  await expect(find(-HOUR_MS)).rejects.toThrow(CardPaymentsUnavailable);
});

it("calls an unresponsive Stripe only once, and gives up after the caller's timeout", async () => {
  isFrozen = true;
  calls = 0;
  const found = processor.find("cs_test_1", new Date(Date.now() + HOUR_MS), 50);
  await expect(found).rejects.toThrow(CardPaymentsUnavailable);
  expect(calls).toBe(1);
  // The default timeout is four seconds.
}, 3_000);
