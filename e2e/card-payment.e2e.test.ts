import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import {
  paidMessage,
  type StripePage,
  StripeStandIn,
  signed,
} from "#services/command-api/testing/stripe.fixture.ts";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { register } from "./support/account-forms.ts";
import { tokenOf } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };
const WEBHOOK_SECRET = "whsec_journey";

const stripe = new StripeStandIn();
let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let id: string;

beforeAllInBrowser(async () => {
  await stripe.start();
  site = await startSite({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SAMPLE_DATA: "none",
    STRIPE_SECRET_KEY: "sk_test_journey",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.origin,
  });
  page = await site.openTab();
});
afterAll(async () => {
  await site?.close();
  await stripe.stop();
});

/** Sends Stripe's message that the page was paid. */
async function tell(of: StripePage): Promise<number> {
  const body = paidMessage(of);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": signed(body, WEBHOOK_SECRET),
  };
  const url = site.url("/prod/api/payments/stripe");
  return (await fetch(url, { method: "POST", headers, body })).status;
}

const panel = () => page.getByRole("region", { name: "RESOLVED banner" });

/** Prepares a public report of the account, with an accepted letter. */
async function prepare(): Promise<void> {
  id = (await site.post("/reports/submit", chargeback, await tokenOf(page))).id;
  const admin = (await site.post("/auth/login", ADMIN)).token;
  await site.post(`/admin/reports/${id}/approve`, {}, admin);
  await site.show(page, `/dashboard/reports/${id}`);
  const letter = { name: "letter.pdf", mimeType: "application/pdf", buffer: pdf };
  await panel().locator("input[type=file]").setInputFiles(letter);
  await panel().getByText(/^PDF,/).waitFor();
  await panel().getByRole("checkbox").check();
  await panel().getByRole("button", { name: "Request the banner" }).click();
  await panel().getByText("We've received your letter").waitFor();
  const opened = await site.post(`/account/reports/${id}/open`, {}, await tokenOf(page));
  const { request_id } = opened.resolution;
  await site.post(`/admin/reports/${id}/resolution/accept`, { request_id }, admin);
}

describe("paying the fee by card in a browser", () => {
  it("is offered once the letter is accepted", async () => {
    await site.show(page, "/register");
    await register(page, "rae@shop.example", ADMIN.password);
    await page.waitForURL(site.url("/dashboard"));
    await prepare();
    await site.show(page, `/dashboard/reports/${id}`);
    await panel().getByText("You can pay now").waitFor();
    await panel().getByRole("button", { name: "Pay by card" }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it("leads to Stripe's page, and after a return without payment says that nothing was paid", async () => {
    await panel().getByRole("button", { name: "Pay by card" }).click();
    await page.getByRole("heading", { name: "Stripe" }).waitFor();
    expect(page.url()).toBe(stripe.last.url);
    await page.getByRole("link", { name: "Back" }).click();
    await panel().getByText("You left the payment page without paying.").waitFor();
    // The URL drops how the payer came back.
    await page.waitForURL(site.url(`/dashboard/reports/${id}`));
    await page.reload();
    await panel().getByText("You opened a payment page and haven't paid yet").waitFor();
  });

  it("waits for Stripe's confirmation after payment, even after a reload, then shows the banner", async () => {
    await panel().getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("heading", { name: "Stripe" }).waitFor();
    expect(stripe.pages.size).toBe(1);
    await page.getByRole("link", { name: "Pay" }).click();
    await panel().getByText("waiting for Stripe to confirm").waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
    expect(await panel().getByText("You can pay now").count()).toBe(0);
    // Stripe has accepted the payment, but its message has not arrived yet.
    stripe.last.status = "complete";
    await page.reload();
    await panel().getByText("Your payment is being processed.").waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
    expect(await panel().getByText("haven't paid yet").count()).toBe(0);
    expect(await tell(stripe.last)).toBe(200);
    await panel().getByText("We've received your payment, and the report shows").waitFor();
    expect(await panel().getByText("being processed").count()).toBe(0);
    expect(site.complaints).toEqual([]);
  });
});
