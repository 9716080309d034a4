import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { withoutChanges } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
const SOON = { timeout: 10_000, interval: 50 };

let site: Site;
let page: Page;

beforeAllInBrowser(async () => {
  const env = { SAMPLE_DATA: "none", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD };
  site = await startSite(env);
  page = await site.openTab();
  await page.goto(site.url("/admin/system"));
  await signIn(page, ADMIN, PASSWORD);
  await switchOf(page, "Maintenance Mode").waitFor();
});
afterAll(() => site?.close());

const switchOf = (tab: Page, name: string) => tab.getByRole("switch", { name });
const save = async (tab: Page) => tab.getByRole("button", { name: "Save Settings" }).click();
const saved = (tab: Page) => tab.getByText("Settings saved successfully").waitFor();
const home = async () => (await fetch(site.url("/"))).text();
const submit = async () =>
  fetch(site.url("/prod/api/reports/submit"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });

describe("the settings in the console", () => {
  it("show a banner on the site and refuse submissions, until they are undone", async () => {
    expect((await submit()).status).toBe(400);
    await switchOf(page, "Maintenance Mode").check();
    await page.getByLabel("Message on the banner").fill("Moving to a larger house");
    await save(page);
    await saved(page);
    await expect.poll(home, SOON).toContain("Moving to a larger house");
    const refused = await submit();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await refused.json()).error).toEqual({
      code: "maintenance",
      message: "Moving to a larger house",
    });
    const visitor = await page.context().newPage();
    await visitor.goto(site.url("/search"));
    await visitor.getByRole("complementary", { name: "Maintenance" }).waitFor();
    expect(await violations(visitor)).toEqual([]);
    await visitor.close();
    // The saved values survive a reload.
    await page.reload();
    await expect.poll(() => switchOf(page, "Maintenance Mode").isChecked(), SOON).toBe(true);
    await switchOf(page, "Maintenance Mode").uncheck();
    await save(page);
    await saved(page);
    await expect.poll(async () => (await submit()).status, SOON).toBe(400);
    await expect.poll(home, SOON).not.toContain("Moving to a larger house");
  });

  it("have the specified labels, and report a failed save without losing what was typed", async () => {
    const size = page.getByLabel("Max File Size (MB)", { exact: true });
    const minutes = page.getByLabel("Session Timeout (minutes)", { exact: true });
    expect([await size.inputValue(), await minutes.inputValue()]).toEqual(["10", "30"]);
    await size.fill("7");
    await page.route("**/prod/api/system/settings", async (route) => {
      if (route.request().method() === "PUT") await route.fulfill({ status: 502, body: "" });
      else await route.fallback();
    });
    await save(page);
    await page.getByRole("alert").getByText("Failed to save settings").waitFor();
    expect(await size.inputValue()).toBe("7");
    expect(await page.evaluate(readSettings, tokenKey)).toMatchObject({ maxFileSize: 10 });
    await page.unroute("**/prod/api/system/settings");
    // What is typed while the saved settings are being reloaded is kept.
    const typed = Promise.withResolvers<void>();
    await page.route("**/prod/api/system/settings", async (route) => {
      if (route.request().method() === "GET") await typed.promise;
      await route.fallback();
    });
    await save(page);
    await saved(page);
    await size.fill("10");
    typed.resolve();
    const stored = () => page.evaluate(readSettings, tokenKey);
    await expect.poll(stored, SOON).toMatchObject({ maxFileSize: 7 });
    await expect.poll(() => page.getByText("You have unsaved changes.").isVisible()).toBe(true);
    await save(page);
    await expect.poll(stored, SOON).toMatchObject({ maxFileSize: 10 });
  });

  it("tell the second of two editors who changed what, and overwrite nothing", async () => {
    const second = await page.context().newPage();
    // Nothing tells this tab about the change before it sends its own.
    await withoutChanges(second);
    await second.goto(site.url("/admin/system"));
    await switchOf(second, "Debug Mode").waitFor();
    await switchOf(page, "Debug Mode").check();
    await save(page);
    await expect
      .poll(() => second.evaluate(readSettings, tokenKey))
      .toMatchObject({
        debugMode: true,
      });
    await switchOf(second, "Email Notifications").uncheck();
    await save(second);
    const told = second.getByRole("alert").filter({ hasText: "Someone else" });
    await told.getByText(/Debug Mode: on/).waitFor();
    expect(await second.evaluate(readSettings, tokenKey)).toMatchObject({
      debugMode: true,
      emailNotifications: true,
    });
    await told.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => switchOf(second, "Debug Mode").isChecked()).toBe(true);
    await save(second);
    await saved(second);
    await expect
      .poll(() => second.evaluate(readSettings, tokenKey), SOON)
      .toMatchObject({ debugMode: true, emailNotifications: false });
    await second.close();
  });
});

/** Opens the Settings page, in a tab that shares its session with the first one. */
async function openSettings(tab: Page): Promise<void> {
  await tab.goto(site.url("/admin/settings"));
  await tab.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await tab.getByLabel(/^Backups kept/).waitFor();
}
const field = (tab: Page, name: RegExp) => tab.getByLabel(name);
const outbox = async () => (await fetch(site.url("/outbox"))).text();

describe("the console's Settings page", () => {
  it("says at the field why a value is refused, and keeps what was typed", async () => {
    await openSettings(page);
    await field(page, /^Backups kept/).fill("1");
    await field(page, /^Support address/).fill("nobody");
    await save(page);
    await page
      .getByText("Backups kept must be a whole number from 2 to 365 days, or empty")
      .waitFor();
    await page.getByText("Support address must be an email address, or empty").waitFor();
    await page.getByText("You have unsaved changes.").waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await expect.poll(() => field(page, /^Backups kept/).inputValue()).toBe("");
    // The placeholders show what applies while they are empty.
    for (const [name, value] of [
      [/^Backups kept/, "7 days"],
      [/^Time of the daily backup/, "02:00 UTC"],
      [/^Support address/, "support@registry.example"],
      [/^Rejected reports/, "365 days"],
    ] as const)
      expect(await field(page, name).getAttribute("placeholder")).toBe(value);
  });

  it("changes what the site and the privacy page say, and notifies every admin by email", async () => {
    await openSettings(page);
    await field(page, /^Support address/).fill("desk@shop.example");
    await save(page);
    await saved(page);
    // A second change right after the first keeps it.
    await field(page, /^Sales address/).fill("sales@shop.example");
    await save(page);
    const stored = () => page.evaluate(readSettings, tokenKey);
    const both = { supportEmail: "desk@shop.example", salesEmail: "sales@shop.example" };
    await expect.poll(stored, SOON).toMatchObject(both);
    // A cleared field shows what will apply, not what is saved.
    const support = field(page, /^Support address/);
    await support.fill("");
    expect(await support.getAttribute("placeholder")).toBe("support@registry.example");
    await support.fill("desk@shop.example");
    await expect.poll(home, SOON).toContain("mailto:desk@shop.example");
    await expect.poll(outbox, SOON).toContain("Chargeback Registry settings were changed");
    await page
      .getByText(/Set by .+, /)
      .first()
      .waitFor();

    await field(page, /^Rejected reports/).fill("90");
    await save(page);
    const asked = page.getByRole("dialog", { name: "Delete older data?" });
    await asked.getByText("Rejected reports: 90 days").waitFor();
    await asked.getByRole("button", { name: "Save and delete" }).click();
    await saved(page);
    const privacy = async () => (await fetch(site.url("/privacy"))).text();
    await expect.poll(privacy, SOON).toContain("90 days after the rejection");
    await field(page, /^Support address/).fill("");
    await save(page);
    await expect.poll(home, SOON).not.toContain("desk@shop.example");
  });

  it("offers moderators only the selected reasons", async () => {
    await openSettings(page);
    await page.getByRole("checkbox", { name: "Duplicate" }).uncheck();
    await save(page);
    await saved(page);
    const reason = async () => {
      const { rejectReasonsOff } = await page.evaluate(readSettings, tokenKey);
      return rejectReasonsOff;
    };
    await expect.poll(reason, SOON).toEqual(["duplicate"]);
    const { id } = await site.post("/reports/submit", chargeback);
    await page.goto(site.url(`/admin/reports/${id}`));
    await page.getByRole("button", { name: "Reject…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "No evidence" }).waitFor();
    const offered = await dialog.getByRole("radiogroup", { name: "Reason" }).innerText();
    expect(offered).not.toContain("Duplicate");
    // Number keys count only the offered reasons.
    await dialog.getByRole("radio", { name: "No evidence" }).press("6");
    await expect.poll(() => dialog.getByRole("radio", { name: "Other" }).isChecked()).toBe(true);
  });

  it("shows another admin's changes immediately, and both versions of a page with unsaved changes", async () => {
    await openSettings(page);
    const second = await page.context().newPage();
    await openSettings(second);
    await field(second, /^Backups kept/).fill("9");
    await save(second);
    await saved(second);
    await expect.poll(() => field(page, /^Backups kept/).inputValue(), SOON).toBe("9");
    // A change on the other page loses nothing that is typed here.
    await field(page, /^Sales address/).fill("sell@shop.example");
    await second.goto(site.url("/admin/system"));
    await switchOf(second, "Email Notifications").click();
    await save(second);
    await saved(second);
    await openSettings(second);
    await field(second, /^Backups kept/).fill("11");
    await save(second);
    await saved(second);
    const told = page.getByRole("alert").filter({ hasText: "Someone else" });
    await told.getByText(/Backups kept: 11 days/).waitFor();
    expect(await violations(page)).toEqual([]);
    await told.getByRole("button", { name: "Keep mine" }).click();
    await save(page);
    await saved(page);
    // The message of an earlier save may still be showing.
    await expect
      .poll(() => page.evaluate(readSettings, tokenKey))
      .toMatchObject({ backupKeep: 11, salesEmail: "sell@shop.example" });
    await second.close();
  });

  it("asks before unsaved changes are left", async () => {
    await openSettings(page);
    await field(page, /^Backups kept/).fill("12");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("link", { name: "System" }).first().click();
    await expect.poll(() => field(page, /^Backups kept/).inputValue()).toBe("12");
    await page.getByRole("button", { name: "Discard changes" }).click();
  });
});

const tokenKey = "token";
/** Runs in the page, with its session. Returns the settings in effect. */
async function readSettings(key: string) {
  const headers = { authorization: `Bearer ${localStorage.getItem(key)}` };
  const answer = await fetch("/prod/api/system/settings", { headers, cache: "no-store" });
  return (await answer.json()).data;
}
