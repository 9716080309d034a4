import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  paidMessage,
  type StripePage,
  StripeStandIn,
  signed,
} from "#services/command-api/testing/stripe.fixture.ts";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { register } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { faults } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };
const WEBHOOK_SECRET = "whsec_journey";

const stripe = new StripeStandIn();
let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let id: string;

beforeAll(async () => {
  if (!executable) return;
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
  if (executable) await stripe.stop();
});

/** Stripe tells the registry what became of the page; by default that it was paid. */
async function tell(of: StripePage, type = "checkout.session.completed"): Promise<number> {
  const body = paidMessage(of, { type });
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "stripe-signature": signed(body, WEBHOOK_SECRET),
  };
  const url = site.url("/prod/api/payments/stripe");
  return (await fetch(url, { method: "POST", headers, body })).status;
}

/** Lets the time of the only page that was opened be over, as the log has it. */
async function endPage(): Promise<void> {
  await onDatabase(site.dataDir, async (client) => {
    await client.query("alter table event_log.event disable trigger append_only");
    const { rowCount } = await client.query(
      `update event_log.event
       set data = jsonb_set(data::jsonb, '{expires_at}', to_jsonb($1::text))::json
       where type = 'CheckoutOpened'`,
      [new Date().toISOString()],
    );
    expect(rowCount).toBe(1);
    await client.query("alter table event_log.event enable always trigger append_only");
  });
}

const panel = () => page.getByRole("region", { name: "RESOLVED banner" });
const token = async () => (await page.evaluate(() => localStorage.getItem("token"))) ?? "";

/** A public report of the account, whose letter is accepted. */
async function prepare(): Promise<void> {
  id = (await site.post("/reports/submit", chargeback, await token())).id;
  const admin = (await site.post("/auth/login", ADMIN)).token;
  await site.post(`/admin/reports/${id}/approve`, {}, admin);
  await site.show(page, `/dashboard/reports/${id}`);
  const letter = { name: "letter.pdf", mimeType: "application/pdf", buffer: pdf };
  await panel().locator("input[type=file]").setInputFiles(letter);
  await panel().getByText(/^PDF,/).waitFor();
  await panel().getByRole("checkbox").check();
  await panel().getByRole("button", { name: "Request the banner" }).click();
  await panel().getByText("We've received your letter").waitFor();
  const opened = await site.post(`/account/reports/${id}/open`, {}, await token());
  const { request_id } = opened.resolution;
  await site.post(`/admin/reports/${id}/resolution/accept`, { request_id }, admin);
}

describe("paying the fee by card in a browser", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("is offered once the letter is accepted", async () => {
    await site.show(page, "/register");
    await register(page, "rae@shop.example", ADMIN.password);
    await page.waitForURL(site.url("/dashboard"));
    await prepare();
    await site.show(page, `/dashboard/reports/${id}`);
    await panel().getByText("You can pay now").waitFor();
    await panel().getByRole("button", { name: "Pay by card" }).waitFor();
    expect(await faults(page)).toEqual([]);
  });

  it("leads to Stripe's page, and says after a return without paying that nothing was paid", async () => {
    await panel().getByRole("button", { name: "Pay by card" }).click();
    await page.getByRole("heading", { name: "Stripe" }).waitFor();
    expect(page.url()).toBe(stripe.last.url);
    await page.getByRole("link", { name: "Back" }).click();
    await panel().getByText("You left the payment page without paying.").waitFor();
    // The address forgets how the payer came back.
    await page.waitForURL(site.url(`/dashboard/reports/${id}`));
    await page.reload();
    await panel().getByText("You opened a payment page and haven't paid yet").waitFor();
    expect(await faults(page)).toEqual([]);
  });

  it("says that the page has expired once Stripe has ended it or its time is over, and opens another", async () => {
    const first = stripe.last;
    first.status = "expired";
    expect(await tell(first, "checkout.session.expired")).toBe(200);
    const saysExpired = async () => {
      await page.reload();
      await panel()
        .getByText("The payment page has expired, and nothing was paid. You can open a new one.")
        .waitFor();
      expect(await panel().getByText("You can use it until").count()).toBe(0);
    };
    await saysExpired();
    await endPage();
    await saysExpired();
    await panel().getByRole("button", { name: "Pay by card", exact: true }).click();
    await page.getByRole("heading", { name: "Stripe" }).waitFor();
    expect(stripe.pages.size).toBe(2);
    expect(page.url()).not.toBe(first.url);
    await page.getByRole("link", { name: "Back" }).click();
    await panel().getByText("You left the payment page without paying.").waitFor();
  });

  it("waits after a return from paying until Stripe has told, also when the page is read again, and then shows the banner", async () => {
    await panel().getByRole("button", { name: "Continue to payment" }).click();
    await page.getByRole("heading", { name: "Stripe" }).waitFor();
    expect(stripe.pages.size).toBe(2);
    await page.getByRole("link", { name: "Pay" }).click();
    await panel().getByText("waiting for Stripe to confirm").waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
    expect(await panel().getByText("You can pay now").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    // Stripe has taken the payment, and its message is still to come.
    stripe.last.status = "complete";
    await page.reload();
    await panel().getByText("Your payment is being processed.").waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
    expect(await panel().getByText("haven't paid yet").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    expect(await tell(stripe.last)).toBe(200);
    await panel().getByText("We've received your payment, and the report shows").waitFor();
    expect(await panel().getByText("being processed").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
