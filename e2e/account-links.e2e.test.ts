import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { linkOfMail, register, signIn } from "./support/account-forms.ts";
import { takenOver } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";
const OTHER_PASSWORD = "Better-stapler-8";

let site: Site;

beforeAllInBrowser(async () => {
  site = await sharedSite();
});

const url = (route: string) => site.url(route);
const device = () => site.openTab();

async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await takenOver(page);
}

/** Returns the link in the newest email, read in a window that isn't signed in. */
async function mailed(subject: RegExp, target: string, to: string): Promise<string> {
  const page = await device();
  const link = await linkOfMail(page, url("/outbox"), subject, target, to);
  await page.context().close();
  return link;
}

async function registerOn(page: Page, email: string): Promise<void> {
  await show(page, url("/register"));
  await register(page, email, PASSWORD);
  await page.waitForURL(url("/dashboard"));
}

async function setNewPassword(page: Page): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
  await page.getByLabel("Confirm new password").fill(OTHER_PASSWORD);
  await page.getByRole("button", { name: "Set New Password" }).click();
  await page.getByText("Password reset successfully!").waitFor();
  await page.getByRole("link", { name: "Go to Login" }).click();
  await page.waitForURL(/\/login$/);
}

describe("emailed links in a browser", () => {
  it("confirm a signed-in owner's address, and reset the password", async () => {
    const page = await device();
    await registerOn(page, "rae@account-links.example");
    const confirmation = await mailed(
      /^Confirm your email address/,
      "/verify-email/",
      "rae@account-links.example",
    );
    await show(page, confirmation);
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByText("Email verified successfully!").waitFor();
    await page.getByText("Your account's email address is confirmed.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Email confirmed");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Go to Profile" }).click();
    await page.getByText("(confirmed)").waitFor();
    expect(await page.getByText("Confirm your address").count()).toBe(0);

    await show(page, url("/forgot-password"));
    await page.getByLabel("Email").fill("rae@account-links.example");
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await page.getByText("Password reset email sent! Please check your inbox.").waitFor();
    const elsewhere = await device();
    const reset = await mailed(
      /^Set a new .* password/,
      "/reset-password/",
      "rae@account-links.example",
    );
    await show(elsewhere, reset);
    await setNewPassword(elsewhere);
    await takenOver(elsewhere);
    await signIn(elsewhere, "rae@account-links.example", OTHER_PASSWORD);
    await elsewhere.waitForURL(url("/dashboard"));
  });

  it("confirm the address on another device with the registration password, and keep everything", async () => {
    const page = await device();
    await registerOn(page, "lee@account-links.example");
    const other = await device();
    const subject = /^Confirm your email address/;
    await show(other, await mailed(subject, "/verify-email/", "lee@account-links.example"));
    const confirm = other.getByRole("button", { name: "Confirm Email" });
    await confirm.click();
    await other.getByText("Enter the password you chose").waitFor();
    await other.getByLabel("Password", { exact: true }).fill(OTHER_PASSWORD);
    await confirm.click();
    await other.getByText("This isn't the password").waitFor();
    expect(await violations(other)).toEqual([]);
    expect(await other.evaluate(() => document.activeElement?.id)).toBe("field-password");
    await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await confirm.click();
    await other.getByText("Email verified successfully!").waitFor();
    // The first device is still signed in, and its profile is as it was entered.
    await show(page, url("/profile"));
    await page.getByText("(confirmed)").waitFor();
    expect(await page.getByText("Alpine Watches").count()).toBeGreaterThan(0);
  });

  it("give an address registered by a stranger to its owner, who sets a new password", async () => {
    const stranger = await device();
    await registerOn(stranger, "pat@account-links.example");
    const owner = await device();
    await show(
      owner,
      await mailed(/^Confirm your email address/, "/verify-email/", "pat@account-links.example"),
    );
    await owner.getByRole("button", { name: "Confirm Email" }).click();
    await owner.getByRole("button", { name: "Set a New Password" }).click();
    await owner.getByText("Email verified successfully!").waitFor();
    await setNewPassword(owner);
    await takenOver(owner);
    await signIn(owner, "pat@account-links.example", OTHER_PASSWORD);
    await owner.waitForURL(url("/dashboard"));
    await show(owner, url("/profile"));
    await owner.getByText("Last sign-in").waitFor();
    expect(await owner.getByText("Alpine Watches").count()).toBe(0);
  });
});
