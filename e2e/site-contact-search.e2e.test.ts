import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register, signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { addAccount } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { openSession, type StoredSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
/** Accounts that search by phone and by email: a new one may do so five times a day. */
const USER = "ora@shop.example";
const OTHER = "uma@shop.example";
const KNOWN = "ida@shop.example";
const PHONE = "(303) 555-0142";
const EMAIL = "quinn.ames@mailbox.example";
const addressOf = (q: string) => `/search?${new URLSearchParams({ q })}`;
const SEARCH = addressOf(PHONE);

let site: Site;
let admin: StoredSession;
beforeAll(async () => {
  if (!executable) return;
  site = await startSite({ ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
  for (const email of [USER, OTHER, KNOWN])
    await addAccount(site.dataDir, { role: "user", email, password: PASSWORD });
  admin = await openSession(site.origin, { email: ADMIN, password: PASSWORD });
  await publish({ ...chargeback, phone: PHONE, email: EMAIL });
});
afterAll(() => site?.close());

/** Sends a report and publishes it. */
async function publish(report: object, author?: string): Promise<void> {
  const { id } = await site.post("/reports/submit", report, author);
  await site.post(`/admin/reports/${id}/approve`, {}, admin.token);
}

const tab = async () => site.openTab(await site.newContext());
const search = async (page: Page, text = PHONE) => {
  await page.getByLabel("Name, title or location").fill(text);
  await page.getByLabel("Name, title or location").press("Enter");
};
const found = (page: Page) => page.getByText("1 report found");
/** Searches until the report is found, which was published a moment ago. */
async function find(page: Page, text: string): Promise<void> {
  await search(page, text);
  await page.waitForURL(site.url(addressOf(text)));
  await found(page).waitFor();
}
/** Signs in on the page that a visitor's search leads to, and is back at the search. */
async function comeBack(page: Page, text: string, email: string): Promise<void> {
  await site.show(page, addressOf(text));
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL(/\/login\?next=/);
  await signIn(page, email, PASSWORD);
  await page.waitForURL(site.url(addressOf(text)));
  await found(page).waitFor();
}
const verification = (page: Page) => page.getByRole("dialog", { name: "Security Verification" });

describe("a search by phone or email in a browser", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("asks a visitor to sign in, and says nothing of what there is", async () => {
    const page = await tab();
    await site.show(page, SEARCH);
    await page.getByText("Sign in to search by phone").waitFor();
    await search(page);
    await page.getByText("Sign in to search by phone").waitFor();
    expect(await page.getByText("No reports found").count()).toBe(0);
  });

  it("asks an account to confirm its address", async () => {
    const page = await tab();
    await site.show(page, "/register");
    await register(page, "rae@shop.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await site.show(page, SEARCH);
    await page.getByText("Confirm your email address to search by phone").waitFor();
    await page.getByRole("link", { name: "Confirm your email" }).waitFor();
  });

  it.each([
    ["phone", PHONE, USER],
    ["email", EMAIL, OTHER],
  ])(
    "leads a visitor to signing in and back, and an ordinary account finds the report by %s",
    async (contact, text, account) => {
      const page = await tab();
      await site.show(page, addressOf(text));
      await page.getByText(`Sign in to search by ${contact}`).waitFor();
      await comeBack(page, text, account);
      // The server renders the page without the account, and the browser asks again.
      await page.reload();
      await found(page).waitFor();
      await search(page, "nobody@mailbox.example");
      await page.getByText("No reports found").waitFor();
    },
  );

  it("asks an account in good standing for no tick, however often it searches", async () => {
    const { token } = await openSession(site.origin, { email: KNOWN, password: PASSWORD });
    await publish({ ...chargeback, last_name: "Orr", reporter_email: KNOWN }, token);
    await onDatabase(site.dataDir, (client) =>
      client.query("update accounts.account set confirmed_at = now() - interval '31 days'"),
    );
    const page = await tab();
    await comeBack(page, PHONE, KNOWN);
    for (const text of [EMAIL, PHONE, EMAIL, PHONE, EMAIL, PHONE]) {
      await find(page, text);
      expect(await verification(page).count()).toBe(0);
    }
  });

  it("asks a new account for the tick before the sixth search, and goes on", async () => {
    const page = await tab();
    await site.show(page, "/login");
    await signIn(page, OTHER, PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await site.show(page, "/search");
    for (const text of ["Ames", "Quinn", "Denver", "Disputed", "parcel"]) {
      await search(page, text);
      await page.waitForURL(site.url(addressOf(text)));
    }
    await search(page, "Quinn Ames");
    await verification(page).getByRole("checkbox").check();
    await verification(page).getByRole("button", { name: "Verify & Continue" }).click();
    await page.waitForURL(site.url(addressOf("Quinn Ames")));
  });
});
