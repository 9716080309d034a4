import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";

let site: Site;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    // The samples are loaded and decided about all the same.
    SAMPLE_DATA: "",
    ADMIN_EMAIL: ADMIN,
    ADMIN_PASSWORD: PASSWORD,
    STAFF_SECOND_FACTOR: "on",
  });
});
afterAll(() => site?.close());

describe("an admin without a second factor, in the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("sees no report, and is led to the account settings", async () => {
    const page = await site.openTab();
    await page.goto(site.url("/admin/reports"));
    await signIn(page, ADMIN, PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    const link = page.getByRole("link", { name: "Set it up" });
    await link.waitFor();
    expect(await page.locator("main tbody tr a").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await link.click();
    await page.waitForURL(site.url("/account-settings"));
    await page.getByRole("button", { name: "Set Up Two-Factor Authentication" }).waitFor();
  });
});
