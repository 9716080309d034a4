import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { faults, violations } from "./support/page-checks.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
const SOON = { timeout: 10_000, interval: 50 };

let site: Site;
let page: Page;

beforeAll(async () => {
  if (!executable) return;
  const env = { SAMPLE_DATA: "none", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD };
  site = await startSite(executable, env);
  page = await openSystem();
});
afterAll(() => site?.close());

/** The page of the system, in a browser of its own that signs in. */
async function openSystem(): Promise<Page> {
  const tab = await site.openTab();
  await tab.goto(site.url("/admin/system"));
  await signIn(tab, ADMIN, PASSWORD);
  await switchOf(tab, "Maintenance Mode").waitFor();
  return tab;
}
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
  skipWhere(executable ? undefined : NO_BROWSER);

  it("show a banner on the site and refuse a submission, until they are undone", async () => {
    expect(await faults(page)).toEqual([]);
    expect((await submit()).status).toBe(400);
    await switchOf(page, "Maintenance Mode").check();
    await page.getByLabel("Message on the banner").fill("Moving to a larger house");
    expect(await faults(page)).toEqual([]);
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
    const visitor = await site.openTab();
    await visitor.goto(site.url("/search"));
    await visitor.getByRole("complementary", { name: "Maintenance" }).waitFor();
    expect(await violations(visitor)).toEqual([]);
    await visitor.close();
    // What was saved is there after a reload.
    await page.reload();
    await expect.poll(() => switchOf(page, "Maintenance Mode").isChecked(), SOON).toBe(true);
    await switchOf(page, "Maintenance Mode").uncheck();
    await save(page);
    await saved(page);
    await expect.poll(async () => (await submit()).status, SOON).toBe(400);
    await expect.poll(home, SOON).not.toContain("Moving to a larger house");
  });

  it("of two editors tell the second who changed what, and overwrite nothing", async () => {
    const second = await openSystem();
    await switchOf(page, "Debug Mode").check();
    await save(page);
    await expect
      .poll(() => second.evaluate(readSettings, tokenKey))
      .toMatchObject({
        debugMode: true,
      });
    await switchOf(second, "Email Notifications").uncheck();
    await save(second);
    const told = second.getByRole("alert").filter({ hasText: "Somebody else" });
    await told.getByText(/Debug Mode: on/).waitFor();
    expect(await second.evaluate(readSettings, tokenKey)).toMatchObject({
      debugMode: true,
      emailNotifications: true,
    });
    await told.getByRole("button", { name: "Go on with mine" }).click();
    expect(await switchOf(second, "Debug Mode").isChecked()).toBe(true);
    await save(second);
    await saved(second);
    await expect
      .poll(() => second.evaluate(readSettings, tokenKey), SOON)
      .toMatchObject({ debugMode: true, emailNotifications: false });
    await second.close();
  });
});

const tokenKey = "token";
/** In the page, with its session: what applies. */
async function readSettings(key: string) {
  const headers = { authorization: `Bearer ${localStorage.getItem(key)}` };
  const answer = await fetch("/prod/api/system/settings", { headers, cache: "no-store" });
  return (await answer.json()).data;
}
