import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER, openBrowser, openPage } from "./support/browser.ts";
import { NARROW, overflows, violations, WIDE } from "./support/page-checks.ts";
import { type Registry, startRegistry } from "./support/registry.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";

let dataDir: string;
let registry: Registry;
let browser: Browser;

beforeAll(async () => {
  if (!executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-factor-"));
  registry = await startRegistry({
    dataDir,
    // The samples are loaded and decided about all the same.
    env: {
      SAMPLE_DATA: "",
      ADMIN_EMAIL: ADMIN,
      ADMIN_PASSWORD: PASSWORD,
      STAFF_SECOND_FACTOR: "on",
    },
  });
  browser = await openBrowser(executable);
});
afterAll(async () => {
  await browser?.close();
  await registry?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe("an admin without a second factor, in the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("reads a report, is refused its kept-back data, and is led to the account settings", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${registry.url}/admin/reports`);
    await signIn(page, ADMIN, PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    await page.locator("main tbody tr").first().waitFor();
    await page.locator("main tbody tr a").first().click();
    const link = page.getByRole("link", { name: "Set it up" });
    await page
      .getByRole("button", { name: /kept-back|Reveal/i })
      .first()
      .click();
    await link.waitFor();
    const found: string[] = [];
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      found.push(...(await violations(page)));
      if (await overflows(page)) found.push(`scrolls sideways at ${viewport.width}`);
    }
    expect(found).toEqual([]);
    await link.click();
    await page.waitForURL(`${registry.url}/account-settings`);
    await page.getByRole("button", { name: "Set Up Two-Factor Sign-In" }).waitFor();
  });
});
