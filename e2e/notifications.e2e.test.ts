import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkOfMail, register } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { NARROW, overflows, violations, WIDE } from "./support/page-checks.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const RAE = "rae@shop.example";
const PASSWORD = "Correct-horse-9";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite(executable);
  page = await site.openTab();
});
afterAll(() => site?.close());

const settings = () => site.show(page, "/account-settings");
const decisions = () => page.getByLabel("Decisions on my reports");

/** What axe finds, and whether the page scrolls sideways, wide and narrow. */
async function faults(): Promise<string[]> {
  const found: string[] = [];
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport);
    found.push(...(await violations(page)));
    if (await overflows(page)) found.push(`scrolls sideways at ${viewport.width}`);
  }
  return found;
}

describe("notifications in the settings of an account", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("are off, and say why, until the address is confirmed", async () => {
    await site.show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await settings();
    await page.getByText("They are off because your address is not confirmed yet.").waitFor();
    expect(await decisions().isDisabled()).toBe(true);
    expect(await decisions().isChecked()).toBe(false);
    expect(await faults()).toEqual([]);
    const link = await linkOfMail(
      page,
      site.url("/outbox"),
      /Confirm your email/,
      "/verify-email/",
    );
    await page.goto(link);
    await page.getByText("The address of your account is confirmed.").waitFor();
    await settings();
    await expect.poll(() => decisions().isChecked()).toBe(true);
  });

  it("are set by the keyboard, and kept", async () => {
    await decisions().focus();
    await page.keyboard.press("Space");
    await page.getByText("Your notifications are saved.").waitFor();
    expect(await decisions().isChecked()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("notification-decisions");
    expect(await faults()).toEqual([]);
    await settings();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(false);
    await decisions().click();
    await page.getByText("Your notifications are saved.").waitFor();
    expect(await decisions().isChecked()).toBe(true);
  });

  it("say that they could not be saved or read, and go on", async () => {
    await page.route("**/auth/preferences**", (route) => route.abort());
    await decisions().click();
    await page.getByText("Your choice could not be saved. Please try again.").waitFor();
    expect(await decisions().isChecked()).toBe(true);
    await settings();
    await page.getByText("Your notifications could not be loaded. Please try again.").waitFor();
    expect(await faults()).toEqual([]);
    await page.unroute("**/auth/preferences**");
    await page.getByRole("button", { name: "Try again" }).click();
    await decisions().waitFor();
    expect(await decisions().isChecked()).toBe(true);
  });

  it("complained about nothing", () => {
    expect(site.complaints).toEqual([]);
  });
});
