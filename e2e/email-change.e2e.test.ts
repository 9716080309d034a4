import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { linkOfMail, register, signIn } from "./support/account-forms.ts";
import { takenOver } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const RAE = "rae@email-change.example";
const OTHER = "rae.holt@email-change.example";
const PASSWORD = "Correct-horse-9";
const NEW_PASSWORD = "Better-stapler-8";

let site: Site;
/** The browser in which Rae registers. Each test continues where the one before ended. */
let page: Page;
let inbox: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
  inbox = await site.openTab();
});

const button = (name: string, tab = page) => tab.getByRole("button", { name, exact: true });
const address = () => page.getByLabel("New email address");
const linkIn = (subject: RegExp, target: string, to = RAE, least = 1) =>
  linkOfMail(inbox, site.url("/outbox"), subject, target, to, least);

const focused = (tab: Page) => tab.evaluate(() => document.activeElement?.textContent);

async function open(tab: Page, link: string): Promise<void> {
  await tab.goto(link);
  await takenOver(tab);
}

describe("a change of email address in a browser", () => {
  it("is requested in the settings, which say what is wrong with the address", async () => {
    await site.show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await open(page, await linkIn(/Confirm your email address/, "/verify-email/"));
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByText("Email verified successfully!").waitFor();
    await site.show(page, "/account-settings");
    await button("Change Email Address").click();
    await page.locator("#field-email:focus").waitFor();
    await button("Send Confirmation Link").click();
    await page.getByText("Email is a required field").waitFor();
    await address().fill("no address");
    await page.getByText("Please enter a valid email").waitFor();
    await address().fill(RAE.toUpperCase());
    await page.getByText("This is already your email address").waitFor();
    await page.route("**/auth/change-email**", (route) => route.abort(), { times: 1 });
    await address().fill(OTHER);
    await button("Send Confirmation Link").click();
    await page.getByText("Failed to change email address. Please try again.").waitFor();
    await button("Send Confirmation Link").click();
    await page.getByText(`We've sent a link to ${OTHER}.`).waitFor();
    await linkIn(/Request to change the email address/, "/forgot-password");
  });

  it("is canceled while it is pending, and requested again", async () => {
    await site.show(page, "/account-settings");
    await page.getByText(`A new address is awaiting confirmation: ${OTHER}.`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.route("**/auth/change-email**", (route) => route.abort(), { times: 1 });
    await button("Cancel Change").click();
    await page.getByText("We couldn't cancel the change. Please try again.").waitFor();
    await button("Cancel Change").click();
    await page.getByText("Your email address stays the same.").waitFor();
    await page.getByText("awaiting confirmation").waitFor({ state: "detached" });
    await button("Change Email Address").click();
    await address().fill(OTHER);
    await button("Send Confirmation Link").click();
    await page.getByText(`We've sent a link to ${OTHER}.`).waitFor();
    await button("Cancel Change").waitFor();
  });

  it("is confirmed with the link, where the account is signed in", async () => {
    // The first link was canceled.
    const link = await linkIn(/Confirm your new email address/, "/change-email/", OTHER, 2);
    const elsewhere = await site.openTab();
    await open(elsewhere, link);
    await elsewhere.waitForURL(/\/login\?next=/);
    await signIn(elsewhere, RAE, PASSWORD);
    await button("Use the New Address", elsewhere).waitFor();
    await open(page, link);
    await button("Use the New Address").click();
    await page.getByText("Email address changed successfully!").waitFor();
    await page.getByText(`From now on, sign in with ${OTHER}`).waitFor();
    expect(await focused(page)).toBe("Your email address has changed");
    expect(await violations(page)).toEqual([]);
    // The other session has ended.
    await button("Use the New Address", elsewhere).click();
    await elsewhere.waitForURL(/\/login/);
    // This session continues, and shows the new address.
    await page.getByRole("link", { name: "Go to Account Settings" }).click();
    await page.getByText(`You sign in with ${OTHER}.`).waitFor();
    await open(page, link);
    await button("Use the New Address").click();
    await page.getByText("This link has already been used, has expired").waitFor();
    expect(await focused(page)).toMatch(/^You can request a new link/);
  });

  it("is undone from the previous address, with a new password", async () => {
    const link = await linkIn(/Your .* email address was changed/, "/undo-email-change/");
    const owner = await site.openTab();
    await open(owner, link);
    await owner.route("**/auth/undo-email-change**", (route) => route.abort(), { times: 1 });
    await button("Undo the Change", owner).click();
    await owner.getByText("We couldn't undo the change. Try again.").waitFor();
    await button("Undo the Change", owner).click();
    await owner.getByText("Your account has its previous email address back.").waitFor();
    expect(await focused(owner)).toBe("Set a new password");
    expect(await violations(owner)).toEqual([]);
    await owner.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
    await owner.getByLabel("Confirm new password", { exact: true }).fill(NEW_PASSWORD);
    await button("Set New Password", owner).click();
    await owner.getByText("Your password is set").waitFor();
    expect(await focused(owner)).toBe("Your password is set");
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
