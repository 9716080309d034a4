import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_BROWSER, openPage, storeSession } from "./support/browser.ts";
import { post } from "./support/calls.ts";
import { NARROW, WIDE } from "./support/page-checks.ts";
import { addAccount, type Registry, runCommand, startRegistry } from "./support/registry.ts";
import { openSession } from "./support/sessions.ts";
import { sharedBrowser } from "./support/shared.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
const AUDITOR = "auditor@registry.example";

let dataDir: string;
let registry: Registry;
let browser: Browser;

beforeAll(async () => {
  if (!executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-console-"));
  registry = await startRegistry({
    dataDir,
    env: { SAMPLE_DATA: "", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD },
  });
  await addAccount(dataDir, { role: "auditor", email: AUDITOR, password: PASSWORD });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await registry?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const url = (route: string) => `${registry.url}${route}`;
const notice = (page: Page) => page.getByRole("complementary", { name: "Sample data" });

/** Opens the first screen of an account, and collects everything that the page complains about. */
async function open(email: string) {
  const { page, complaints } = await openPage(browser);
  await storeSession(
    page,
    registry.url,
    await openSession(registry.url, { email, password: PASSWORD }),
  );
  await page.goto(url(email === AUDITOR ? "/admin" : "/admin/reports"));
  await page
    .getByRole("heading", { level: 1, name: /^(Reports Management|Audit Logs)$/ })
    .waitFor();
  return { page, complaints };
}

describe("the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);
  it("says on any screen, wide and narrow, that it shows samples, and what it does not find", async () => {
    const { page, complaints } = await open(ADMIN);
    await page.getByRole("link", { name: "Dmitri Orlov" }).click();
    await page.getByText("Total due").waitFor();
    const report = new URL(page.url()).pathname.replace(/^\/admin/, "");
    for (const [route, sign] of [
      [report, "Possible matches"],
      [`${report}/edit`, "Save changes"],
      ["/reports?filter=%7B%22q%22%3A%22zzzz%22%7D", "No reports match these filters"],
      ["/nowhere", "Page not found"],
    ] as const) {
      await page.goto(url(`/admin${route}`));
      await page.locator("main").getByText(sign, { exact: true }).first().waitFor();
      for (const viewport of [NARROW, WIDE]) {
        await page.setViewportSize(viewport);
        await notice(page).waitFor();
      }
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("lists reports in rows of 40 pixels that truncate only titles of more than 50 letters", async () => {
    const { page } = await open(ADMIN);
    await page.getByRole("link", { name: "Dmitri Orlov" }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    const rows = await page.locator("tbody tr").evaluateAll((all) =>
      all.map((row) => ({
        height: row.getBoundingClientRect().height,
        isSample: row.textContent?.includes("Sample"),
        cut: [...row.querySelectorAll<HTMLElement>("td, td *")]
          .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
            return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
          })
          .filter((part) => getComputedStyle(part).overflow === "hidden")
          .filter((part) => part.title.length <= 50)
          .map((part) => part.textContent),
      })),
    );
    expect(rows).toHaveLength(25);
    for (const row of rows) expect(row).toEqual({ height: 40, isSample: true, cut: [] });
    await page.context().close();
  });

  it("lists reports with the specified columns and counts, and says how many it has loaded again", async () => {
    const { page } = await open(ADMIN);
    await page.getByRole("link", { name: "Dmitri Orlov" }).waitFor();
    const [, ...heads] = await page.getByRole("columnheader").allTextContents();
    expect(heads).toEqual([
      "NameSubmitted",
      "Amount",
      "Title",
      "Status",
      "Verified",
      "Additional CBs",
      "Fees & Total",
      "Emergency Actions",
    ]);
    const stats = page.getByRole("list", { name: "Quick Stats" }).getByRole("listitem");
    for (const [i, label] of ["Total", "Pending", "Approved", "Rejected"].entries())
      await stats
        .nth(i)
        .getByText(new RegExp(`^${label}: [\\d,]+$`))
        .waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("Loaded 25 reports successfully").waitFor();
    await page.context().close();
  });

  it("says in a dialog why a decision failed, and shows what somebody else decided first", async () => {
    const { page } = await open(ADMIN);
    await page.getByRole("link", { name: "Dmitri Orlov" }).click();
    await page.getByRole("button", { name: /^Reject/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Other" }).check();
    await dialog.getByLabel("Details for the reporter").fill("The order was never shipped.");
    await page.route("**/reject", (route) => route.abort());
    await dialog.getByRole("button", { name: "Reject report" }).click();
    await dialog.getByRole("alert").getByText("Failed to reject report").waitFor();
    await page.unroute("**/reject");

    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { token } = await openSession(registry.url, { email: ADMIN, password: PASSWORD });
    await post(
      registry.url,
      `/admin/reports/${id}/reject`,
      { reason: "Somebody else was first." },
      token,
    );
    await dialog.getByRole("button", { name: "Reject report" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Somebody else was first.", { exact: true }).waitFor();
    await page.getByRole("alert").getByText("The report is already rejected").waitFor();

    // What somebody else decided is not reversed by the person who did not see it yet.
    await page.route(`**/prod/api/admin/reports/${id}`, (route) => route.abort());
    await post(registry.url, `/admin/reports/${id}/status`, { status: "pending" }, token);
    await page.getByRole("button", { name: "Change decision…" }).click();
    await page.getByRole("menuitem", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve report" }).click();
    await page.getByRole("alert").getByText("Someone else changed this in the meantime").waitFor();
    await page.unroute(`**/prod/api/admin/reports/${id}`);
    await page.context().close();
  });

  it("has a sidebar of 280 pixels, section, role and initial in the header, and a menu that signs out", async () => {
    const { page, complaints } = await open(ADMIN);
    const sections = page.getByRole("navigation", { name: "Sections" });
    const width = () =>
      sections.locator("..").evaluate((drawer) => drawer.getBoundingClientRect().width);
    expect(await width()).toBe(280);
    const header = page.getByRole("banner");
    for (const [link, title] of [
      ["Users", "Users"],
      ["Content", "Content Management"],
      ["System", "System Management"],
    ] as const) {
      await sections.getByRole("link", { name: link, exact: true }).click();
      await header.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    }
    await header.getByText("Admin", { exact: true }).waitFor();
    const account = header.getByRole("button", { name: "Account menu" });
    // The account's name is "First Admin".
    expect(await account.innerText()).toBe("F");
    await account.click();
    const leadsTo = (name: string) =>
      page.getByRole("menuitem", { name, exact: true }).getAttribute("href");
    expect([await leadsTo("Profile"), await leadsTo("Main Site")]).toEqual(["/profile", "/"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Close menu" }).click();
    await expect.poll(width).toBe(56);
    await page.reload();
    await header.getByRole("heading", { level: 1, name: "System Management" }).waitFor();
    expect(await width()).toBe(56);
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect.poll(width).toBe(280);
    // The queue has its room where the window is not wide.
    await sections.getByRole("link", { name: /^Queue/ }).click();
    await expect.poll(width).toBe(56);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(width).toBe(280);
    await page.setViewportSize({ width: 1439, height: 900 });
    await expect.poll(width).toBe(56);
    await sections.getByRole("link", { name: "Users", exact: true }).click();
    await expect.poll(width).toBe(280);
    await account.click();
    await page.getByRole("menuitem", { name: "Logout", exact: true }).click();
    await page.waitForURL((address) => address.pathname === "/login");
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows an auditor the audit log and histories, and no report", async () => {
    const { page, complaints } = await open(AUDITOR);
    await notice(page).waitFor();
    expect(await page.getByRole("link", { name: "Reports", exact: true }).count()).toBe(0);
    await page
      .getByRole("link", { name: /^Report / })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /^History of / }).waitFor();
    await page.getByText("A sample").waitFor();
    await page.getByRole("banner").getByRole("link", { name: "Audit Logs" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit Logs" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("tells an auditor which sections are for admins alone", async () => {
    const { page } = await open(AUDITOR);
    for (const route of ["/system", "/settings", "/documents", "/mails", "/test"]) {
      await page.goto(url(`/admin${route}`));
      await page
        .getByRole("heading", { level: 1, name: "You don't have access to this page" })
        .waitFor();
    }
    await page.context().close();
  });

  it("does not mention samples once they are cleared", async () => {
    expect(registry.output()).toMatch(/^Samples: .*\n.*npm run sample:clear/m);
    const { page } = await open(ADMIN);
    await notice(page).getByText("npm run sample:clear").waitFor();
    expect(await runCommand("sample-clear", [], { dataDir })).toMatchObject({ code: 0 });
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
        const empty = page.getByText("No reports yet");
        await empty.or(page.getByRole("table")).first().waitFor();
        return [await empty.count(), await notice(page).count()];
      })
      .toEqual([1, 0]);
    await page.context().close();
  });
});
