import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { linkOfMail, register } from "./support/account-forms.ts";
import { sendDecisionMails } from "./support/decision-mails.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const RAE = "rae@notifications.example";
const PASSWORD = "Correct-horse-9";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const settings = () => site.show(page, "/account-settings");
const mailsTo = (address: string, subject: RegExp) =>
  page.getByRole("row").filter({ hasText: address }).getByRole("link", { name: subject });
const decisions = () => page.getByLabel("Decisions on my reports");

/** Rejects a report from this address. @returns the path of the link in the email about it. */
async function mailedLink(reporter_email: string, token?: string): Promise<string> {
  const { id } = await site.post("/reports/submit", { ...chargeback, reporter_email }, token);
  const staff = (await site.post("/auth/login", ADMIN)).token;
  await site.post(`/admin/reports/${id}/reject`, { reason: "No proof of delivery" }, staff);
  const url = site.url("/outbox");
  await expect
    .poll(async () => {
      await sendDecisionMails(site.dataDir);
      await page.goto(url);
      return mailsTo(reporter_email, /wasn't published/).count();
    })
    .toBe(1);
  const link = await linkOfMail(page, url, /wasn't published/, "/unsubscribe/", reporter_email);
  return new URL(link).pathname;
}

describe("notifications in the account settings", () => {
  it("are off, and say why, until the address is confirmed", async () => {
    await site.show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await settings();
    await page.getByText("Notifications are off until you confirm your email address.").waitFor();
    expect(await decisions().isDisabled()).toBe(true);
    expect(await decisions().isChecked()).toBe(false);
    const link = await linkOfMail(
      page,
      site.url("/outbox"),
      /Confirm your email/,
      "/verify-email/",
      RAE,
    );
    await site.show(page, new URL(link).pathname);
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByText("Your account's email address is confirmed.").waitFor();
    await settings();
    await expect.poll(() => decisions().isChecked()).toBe(true);
  });

  it("are set by keyboard, and saved", async () => {
    await decisions().focus();
    await page.keyboard.press("Space");
    await page.getByText("Notification settings saved.").waitFor();
    expect(await decisions().isChecked()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("notification-decisions");
    await settings();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(false);
    await decisions().click();
    await page.getByText("Notification settings saved.").waitFor();
    expect(await decisions().isChecked()).toBe(true);
  });

  it("include further reports on the same person and a weekly summary, once turned on", async () => {
    const further = page.getByLabel("New reports about people I reported");
    const weekly = page.getByLabel("Weekly summary");
    expect([await further.isChecked(), await weekly.isChecked()]).toEqual([false, false]);
    for (const box of [further, weekly]) {
      await box.click();
      await expect.poll(() => box.isChecked()).toBe(true);
      await page.getByText("Notification settings saved.").waitFor();
    }
    await settings();
    for (const box of [further, weekly]) await expect.poll(() => box.isChecked()).toBe(true);
  });

  it("say that they could not be saved or loaded, and recover", async () => {
    await page.route("**/auth/preferences**", (route) => route.abort());
    await decisions().click();
    await page.getByText("We couldn't save your choice. Please try again.").waitFor();
    expect(await decisions().isChecked()).toBe(true);
    await settings();
    await page
      .getByText("We couldn't load your notification settings. Please try again.")
      .waitFor();
    await page.unroute("**/auth/preferences**");
    await page.getByRole("button", { name: "Try again" }).click();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(true);
  });

  it("are turned off with an emailed link, without a sign-in, but not just by opening it", async () => {
    const token = await page.evaluate(() => localStorage.getItem("token"));
    const link = await mailedLink(RAE, token ?? "");
    const visitor = await site.openTab();
    await site.show(visitor, link);
    await visitor.getByText("Select the button").waitFor();
    await settings();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(true);
    await visitor.route("**/api/unsubscribe/**", (route) => route.abort());
    await visitor.getByRole("button", { name: "Unsubscribe" }).click();
    await visitor.getByText("We couldn't save this. Try again.").waitFor();
    await visitor.unroute("**/api/unsubscribe/**");
    await visitor.getByRole("button", { name: "Unsubscribe" }).click();
    await visitor.getByText("emails about decisions on your reports").waitFor();
    expect(await visitor.evaluate(() => document.activeElement?.textContent)).toBe("Unsubscribed");
    await settings();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(false);
    await visitor.getByRole("button", { name: "Send Me These Emails Again" }).click();
    await visitor.getByRole("heading", { name: "Emails turned on again" }).waitFor();
    await site.show(visitor, "/unsubscribe/forged");
    await visitor.getByRole("button", { name: "Unsubscribe" }).click();
    await visitor.getByText("This link no longer works.").waitFor();
    expect(await visitor.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  });

  it("log no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
