import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { register, signIn } from "./support/account-forms.ts";
import { violations } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const RAE = "rae@account-settings.example";
const PASSWORD = "Correct-horse-9";
const OTHER_PASSWORD = "Better-stapler-8";

let site: Site;
/** The browser in which Rae registers. Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const url = (route: string) => site.url(route);
const show = (tab: Page, route: string) => site.show(tab, route);

/** Signs in with another browser, which then shows the settings. */
async function elsewhere(): Promise<Page> {
  const tab = await site.openTab();
  await show(tab, "/account-settings");
  await signIn(tab, RAE, PASSWORD);
  await tab.waitForURL(url("/account-settings"));
  return tab;
}

async function isOver(tab: Page): Promise<void> {
  await show(tab, "/profile");
  const said = tab.getByText("Your session has ended. Sign in again.");
  await said.first().waitFor();
  // The page says so, without a toast beside it that would disappear after eight seconds.
  await expect.poll(() => said.count(), { timeout: 4000 }).toBe(1);
}

describe("account settings in a browser", () => {
  it("are in the account menu, and list where the account is signed in", async () => {
    await show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(url("/dashboard"));
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("link", { name: "Account settings" }).click();
    await page.waitForURL(url("/account-settings"));
    await page.getByText("You're not signed in anywhere else.").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "(this device)" }).count()).toBe(1);
  });

  it("show and edit the profile, and move the focus to the next step", async () => {
    await show(page, "/account-settings");
    const fact = (label: string) => page.locator("dl div", { hasText: label }).locator("dd");
    expect(await fact("Member since").innerText()).toMatch(/^\w+ \d{1,2}, \d{4}$/);
    expect(await fact("Reports").innerText()).toBe("0 reports");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByRole("button", { name: "Edit Profile" }).click();
    await page.getByLabel("Job title").fill("Nobody");
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await fact("Job title").innerText()).toBe("Not given");
    await expect.poll(focused).toBe("Edit Profile");
    await page.getByRole("button", { name: "Edit Profile" }).click();
    await page.getByLabel("Job title").fill("Owner");
    await page.getByLabel("Company").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Profile updated successfully!").waitFor();
    expect(await fact("Job title").innerText()).toBe("Owner");
    expect(await fact("Company").innerText()).toBe("Not given");
    expect(await focused()).toBe("Edit Profile");
  });

  it("end one other session, then all others", async () => {
    const [first, second] = [await elsewhere(), await elsewhere()];
    const ends = page.getByRole("button", { name: /^End session/ });
    await show(page, "/account-settings");
    await expect.poll(() => ends.count()).toBe(2);
    // The most recently used one comes first.
    await ends.first().click();
    await page.getByText("Session ended").waitFor();
    await expect.poll(() => ends.count()).toBe(1);
    await isOver(second);
    await page.getByRole("button", { name: "End All Other Sessions" }).click();
    await page.getByText("You're signed out everywhere else").waitFor();
    await page.getByText("You're not signed in anywhere else.").waitFor();
    await isOver(first);
  });

  it("change the password, keeping this session", async () => {
    await show(page, "/account-settings");
    const before = await page.evaluate(() => localStorage.getItem("refreshToken"));
    await page.getByRole("button", { name: "Change Password" }).click();
    await page.locator("#field-currentPassword:focus").waitFor();
    await page.getByRole("button", { name: "Save Password" }).click();
    await page.getByText("Current password is a required field").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("field-currentPassword");
    await page.getByLabel("Current password", { exact: true }).fill("Wrong-horse-9");
    await page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
    await page.getByLabel("Confirm new password", { exact: true }).fill(OTHER_PASSWORD);
    await page.getByRole("button", { name: "Save Password" }).click();
    await page.getByText("Your current password is incorrect.").waitFor();
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Save Password" }).click();
    await page.getByText("Password changed successfully!").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("refreshToken"))).not.toBe(before);
  });

  it("delete the account with its password, and keep it after a sign-in", async () => {
    await show(page, "/account-settings");
    await page.getByRole("link", { name: "Delete Account" }).click();
    await page.waitForURL(url("/account-settings/delete"));
    const remove = page.getByRole("button", { name: "Delete My Account" });
    await remove.click();
    await page.getByText("Password is a required field").waitFor();
    await page.getByLabel("Password", { exact: true }).fill("Wrong-horse-9");
    await remove.click();
    await page.getByText("That password is incorrect. Your account was not deleted.").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(OTHER_PASSWORD);
    await remove.click();
    await page.getByRole("heading", { name: "Your account will be deleted" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await show(page, "/login");
    await signIn(page, RAE, OTHER_PASSWORD);
    await page.getByText("We canceled the deletion of your account.").waitFor();
  });

  it("log no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
