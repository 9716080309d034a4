import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reportNumber } from "#contracts/report/masks.ts";
import { register } from "./support/account-forms.ts";
import { tokenOf } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const REASON = "No proof of delivery was given";
const REPORT = {
  ...chargeback,
  reporter_email: "rae@own-report.example",
  title: "Never paid",
  street_address: "1 Elm Street",
  notes: "The courier has a photo",
  chargebacks: [{ amount: 10, notes: "A second order" }],
};

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let id: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

describe("an account's own report in a browser", () => {
  it("opens from the dashboard, unmasked and as submitted", async () => {
    await site.show(page, "/register");
    await register(page, REPORT.reporter_email, ADMIN.password);
    await page.waitForURL(site.url("/dashboard"));
    const token = await tokenOf(page);
    id = (await site.post("/reports/submit", REPORT, token)).id;
    const { token: admin } = await site.post("/auth/login", ADMIN);
    await site.post(`/admin/reports/${id}/reject`, { reason: REASON }, admin);
    await expect
      .poll(async () => {
        await site.show(page, "/dashboard");
        await page.getByRole("heading", { name: "My Reports" }).waitFor();
        return page.getByText(REASON).count();
      })
      .toBe(1);
    await page.getByRole("link", { name: /^View submission/ }).click();
    await page.waitForURL(site.url(`/dashboard/reports/${id}`));
    await page.getByText("1 Elm Street").waitFor();
    const shown = await page.locator("main").innerText();
    for (const text of [
      reportNumber(id),
      REASON,
      "The courier has a photo",
      "A second order",
      "May 2, 2026",
    ])
      expect(shown).toContain(text);
    expect(shown).toContain(REPORT.reporter_email);
  });

  it("prints without buttons", async () => {
    await page.emulateMedia({ media: "print" });
    for (const name of ["Print", "Submit again"])
      expect(await page.getByRole("button", { name }).isVisible()).toBe(false);
    expect(await page.getByText("1 Elm Street").isVisible()).toBe(true);
    await page.emulateMedia({ media: "screen" });
  });

  it("can be submitted again, filled in, after a rejection", async () => {
    await page.getByRole("button", { name: "Submit again" }).click();
    await page.waitForURL(site.url("/report"));
    await page.getByText(/^We filled in this form from the report you submitted/).waitFor();
    const values = {
      title: "Never paid",
      amount: "412.50",
      last_4: "4242",
      street_address: "1 Elm Street",
    };
    for (const [name, value] of Object.entries(values))
      expect(await page.locator(`#field-${name}`).inputValue()).toBe(value);
    expect(await page.locator("#field-chargebacks-0-amount").inputValue()).toBe("10.00");
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(false);
    // None of it is in the browser's history: reloading the page shows the draft at most.
    await site.show(page, "/report");
    expect(await page.locator("#field-last_4").inputValue()).toBe("");
  });

  it("asks for the password if it was last entered too long ago", async () => {
    let isProved = false;
    await page.route("**/account/reports/*/open**", (route) => {
      if (isProved) return route.continue();
      const error = { code: "proof_required", message: "Please enter your password again." };
      return route.fulfill({ status: 403, json: { success: false, error } });
    });
    await site.show(page, `/dashboard/reports/${id}`);
    const dialog = page.getByRole("dialog", { name: "Enter your password again" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Enter your password to open the report.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Open the report" }).click();
    await dialog.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    isProved = true;
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("1 Elm Street").waitFor();
    await page.unroute("**/account/reports/*/open**");
  });

  it("says when there is no such report, and when the registry does not answer", async () => {
    await site.show(page, "/dashboard/reports/5b0b7f3e-0000-4000-8000-000000000009");
    await page.getByRole("heading", { name: "Report not found", level: 1 }).waitFor();
    expect(await page.locator("main").getByRole("heading").count()).toBe(1);
    expect(await page.title()).toContain("Report not found");
    await page.route("**/account/reports/*/open**", (route) => route.abort());
    await site.show(page, `/dashboard/reports/${id}`);
    await page.getByText("We couldn't open your report. Please try again.").waitFor();
    await page.unroute("**/account/reports/*/open**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("1 Elm Street").waitFor();
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
