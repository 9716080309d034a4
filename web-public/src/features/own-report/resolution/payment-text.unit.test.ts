import { expect, it } from "vitest";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { paymentText } from "./ResolutionPanel.tsx";

const due: OwnResolution = {
  request_id: "11111111-1111-4111-8111-111111111111",
  stage: "letter_accepted",
  fee: { currency: "USD", amount: 250 },
};
const open = { ...due, card: "open", card_until: "2026-11-23T12:00:00.000Z" } as const;

it("offers to pay if no page was opened, without a message", () => {
  expect(paymentText({ ...due, card: "offered" }, undefined)).toEqual({ button: "Pay by card" });
});

it("says how long an open page can be used", () => {
  const { news, button } = paymentText(open, undefined);
  expect(news?.text).toMatch(/haven't paid yet.* until \d+:00 [AP]M \S+/);
  expect(button).toBe("Continue to payment");
});

it("waits after a return from paying, and offers no second payment", () => {
  const words = paymentText(open, "paid");
  expect(words.news?.text).toContain("waiting for Stripe");
  expect(words).not.toHaveProperty("button");
});

it("says that a payment is processing, however the payer came back, and offers no second one", () => {
  const { card_until: _, ...rest } = open;
  for (const returned of [undefined, "left"] as const) {
    const words = paymentText({ ...rest, card: "on_its_way" }, returned);
    expect(words.news?.text).toMatch(/^Your payment is being processed\. /);
    expect(words).not.toHaveProperty("button");
  }
});

it("reports a wrong amount, however the payer came back, and offers no second payment", () => {
  for (const returned of [undefined, "paid", "left"] as const) {
    const words = paymentText({ ...due, card: "other_amount" }, returned);
    expect(words.news).toMatchObject({ tone: "warning", asks: true });
    expect(words.news?.text).toContain("doesn't match the fee");
    expect(words).not.toHaveProperty("button");
  }
});

it("says that nothing was paid if the payer left the page", () => {
  const { news, button } = paymentText(open, "left");
  expect(news?.text).toContain("without paying");
  expect(button).toBe("Continue to payment");
});

it("says that the page has expired, however the payer came back without paying", () => {
  for (const returned of [undefined, "left"] as const) {
    const words = paymentText({ ...due, card: "expired" }, returned);
    expect(words.news).toMatchObject({ tone: "warning" });
    expect(words.button).toBe("Pay by card");
  }
});
