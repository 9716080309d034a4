import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { fillReport } from "./support/account-forms.ts";
import { openPage, takenOver } from "./support/browser.ts";
import { type Registry, startRegistry } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser, sharedBrowser } from "./support/shared.ts";

let dataDir: string;
let registry: Registry;
let page: Page;
let complaints: string[];

beforeAllInBrowser(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-journey-"));
  registry = await startRegistry({ dataDir });
  ({ page, complaints } = await openPage(await sharedBrowser()));
});
afterAll(async () => {
  await registry?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const url = (route: string) => `${registry.url}${route}`;
const printed = (label: string) => new RegExp(`^${label}: (.+)$`, "m").exec(registry.output())?.[1];

async function signIn(): Promise<void> {
  const before = await page.evaluate(() => history.length);
  await page.goto(url("/admin/reports"));
  await page.getByLabel("Email").waitFor();
  // Only the page itself and the sign-in page, with no redirect loop between them.
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(before + 2);
  await page.getByLabel("Email").fill(printed("Admin email") ?? "");
  await page.getByLabel("Password", { exact: true }).fill(printed("Admin password") ?? "");
  await page.getByRole("button", { name: /sign in/i }).click();
  await page.getByRole("heading", { name: "Reports Management" }).waitFor();
}

async function openForm(): Promise<void> {
  await page.goto(url("/report"));
  await takenOver(page);
}

/** Opens the link of the newest verification email in the outbox. */
async function followMail(): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(url("/outbox"));
      return page.getByRole("link", { name: /Confirm your report/ }).count();
    })
    .toBeGreaterThan(0);
  await page
    .getByRole("link", { name: /Confirm your report/ })
    .first()
    .click();
  await page.locator('a[href*="/verify-email/"]').first().click();
  await page.getByRole("button", { name: "Confirm Email" }).click();
  await page.getByText("Email verified successfully!").waitFor();
}

describe("the main journey in a browser", () => {
  it("accepts a chargeback report, which the reporter confirms with the emailed link", async () => {
    await openForm();
    const submit = page.getByRole("button", { name: "Submit Report" });
    expect(await submit.isDisabled()).toBe(true);
    await fillReport(page, { ...chargeback, chargeback_fee: 25 });
    await page.getByText("$437.50").first().waitFor();
    await submit.click();
    await page.getByText("Report submitted successfully!").first().waitFor();
    await followMail();
  });

  it("submits on one click, even when that blurs a field with a problem", async () => {
    await openForm();
    await page.getByLabel(/agree to the/).check();
    await page.getByLabel("Your email").fill("not an address");
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("link", { name: /Please enter a valid email/ }).waitFor();
  });

  it("hides a report until it is approved", async () => {
    await page.goto(url("/search?q=ames"));
    await page.getByText("No reports found").waitFor();
    expect((await fetch(url("/report/quinn-ames"))).status).toBe(404);
  });

  it("lets a moderator approve it in the console", async () => {
    await signIn();
    await page
      .getByRole("link", { name: /Quinn Ames/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: "Quinn Ames" }).waitFor();
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.getByRole("button", { name: "Approve report" }).click();
    await page.getByText("Approved", { exact: true }).first().waitFor();
  });

  it("lets a visitor find it a moment later, despite a typo, and open it", async () => {
    await expect
      .poll(async () => {
        await page.goto(url("/search?q=quin+aimes"));
        return page.getByText("Quinn Ames").count();
      })
      .toBeGreaterThan(0);
    await page
      .getByRole("link", { name: /Quinn Ames/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Quinn Ames" }).waitFor();
    await page.getByText("$437.50").first().waitFor();
    await page
      .getByText(/not independently verified/i)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe("/report/quinn-ames");
  });

  it("shows in the history who did what", async () => {
    await page.goto(url("/admin/reports"));
    await page.getByRole("heading", { name: "Reports Management" }).waitFor();
    await page.getByRole("tab", { name: /All/ }).click();
    await page
      .getByRole("link", { name: /Quinn Ames/ })
      .first()
      .click();
    await page.getByRole("link", { name: /^History/ }).click();
    await page
      .getByText(/submitted/i)
      .first()
      .waitFor();
    await page
      .getByText(/verified|confirmed/i)
      .first()
      .waitFor();
    await page
      .getByText(/First Admin approved/i)
      .first()
      .waitFor();
  });

  it("deletes it (410, and gone from search and lists) until the deletion is undone", async () => {
    const status = async () => (await fetch(url("/report/quinn-ames"))).status;
    await page.goBack();
    await page.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("combobox", { name: "Reason for the deletion" }).click();
    await page.getByRole("option", { name: "Court order" }).click();
    await page.getByRole("button", { name: "Delete report" }).click();
    await page.getByText("Report deleted successfully").first().waitFor();
    await expect.poll(status).toBe(410);
    const found = () => fetch(url("/prod/api/reports/search?q=ames")).then((r) => r.json());
    await expect.poll(found).toMatchObject({ success: true, data: { total: 0 } });
    const recent = await fetch(url("/prod/api/reports/recent")).then((r) => r.text());
    expect(recent).not.toContain("Ames");
    const rows = page.getByRole("table", { name: "Deleted" }).getByRole("row");
    await page.goto(url("/admin/reports"));
    await page.getByRole("tab", { name: "Deleted" }).click();
    await rows.getByText(/Will be erased in 2[34] hours/).waitFor();
    await rows.getByRole("button", { name: "Undo deletion: Quinn Ames" }).click();
    await page.getByText("No deleted reports").waitFor();
    await expect.poll(status).toBe(200);
  });

  it("causes no console errors on any page", () => {
    expect(complaints).toEqual([]);
  });
});
