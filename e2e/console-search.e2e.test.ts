import type { Browser, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reportNumber } from "#contracts/report/masks.ts";
import { openPage, PLAIN, storeSession } from "./support/browser.ts";
import { post } from "./support/calls.ts";
import { onDatabase } from "./support/database.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser, sharedBrowser, sharedRegistry } from "./support/shared.ts";

let registry: Awaited<ReturnType<typeof sharedRegistry>>;
let browser: Browser;
let ann: StoredSession;
let id: string;

beforeAllInBrowser(async () => {
  registry = await sharedRegistry();
  ann = await openSession(registry.url, ADMIN);
  const body = { ...chargeback, first_name: "Quinn", last_name: "Findable" };
  ({ id } = await post<{ id: string }>(registry.url, "/reports/submit", body));
  browser = await sharedBrowser();
});

async function open(address: string) {
  const opened = await openPage(browser);
  await storeSession(opened.page, registry.url, ann);
  await opened.page.goto(registry.url + address);
  await opened.page.getByRole("button", { name: "Search everything" }).waitFor();
  return opened;
}

const field = (page: Page) => page.getByRole("combobox", { name: "Search" });

describe("the global search", () => {
  it("finds a reported person by name, and lists their reports", async () => {
    const { page, complaints } = await open("/admin/system");
    await page.keyboard.press("/");
    await field(page).waitFor();
    await page.keyboard.type("findable quinn");
    const people = page.getByRole("group", { name: "People" });
    await people.getByRole("option", { name: /^Quinn Findable/ }).click();
    await page.waitForURL("**/admin/reports?*");
    await page
      .getByRole("link", { name: /Quinn Findable/ })
      .first()
      .waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("Quinn Findable");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("finds reports by name or number, users by full address, and pages, by keyboard alone", async () => {
    const { page, complaints } = await open("/admin/system");
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    await page.keyboard.type("Findable");
    const reports = page.getByRole("group", { name: "Reports" });
    const report = reports.getByRole("option", { name: /Quinn Findable/ });
    await report.waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/admin/reports/${id}`);

    await page.getByRole("heading", { name: "Quinn Findable" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(reportNumber(id));
    await report.waitFor();
    await page.getByText("1 result", { exact: true }).waitFor();

    await field(page).fill(ADMIN.email);
    await page.getByRole("option", { name: /b\*\*\*@\*\*\*/ }).waitFor();
    await field(page).fill("audit");
    await page.getByRole("option", { name: /^Audit logs/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/audit-logs");
    await page.keyboard.press("Control+k");
    await field(page).fill("nobody has this name");
    await page.getByText("No results for").waitFor();
    await page.keyboard.press("Escape");
    await field(page).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe("an idle session", () => {
  it("warns, and once it expires the page waits for a sign-in and keeps what was typed", async () => {
    const page = await (await browser.newContext(PLAIN)).newPage();
    await page.clock.install();
    await storeSession(page, registry.url, ann);
    await page.goto(`${registry.url}/admin/reports/${id}`);
    await page.getByRole("textbox", { name: "Note for moderators" }).fill("Half a thought");
    await page.waitForFunction(() => localStorage.getItem("console-idle-until") !== null);
    await page.clock.runFor(28.5 * 60_000);
    const warning = page.getByRole("alertdialog", { name: "Are you still there?" });
    await warning.waitFor();
    await warning.getByRole("button", { name: "Stay signed in" }).click();
    await warning.waitFor({ state: "detached" });

    await page.clock.runFor(31 * 60_000);
    await onDatabase(registry.dataDir, (client) =>
      client.query("update command.session set active_at = active_at - interval '31 minutes'"),
    );
    const over = page.getByRole("alertdialog", { name: "You were signed out" });
    await over.waitFor();
    expect(await page.evaluate(() => localStorage.getItem("token"))).toBeNull();
    // The server has ended the page's session too.
    const refused = await fetch(`${registry.url}/prod/api/auth/profile`, {
      headers: { authorization: `Bearer ${ann.token}` },
    });
    expect(refused.status).toBe(401);

    const again = await openSession(registry.url, ADMIN);
    await page.evaluate((items) => void Object.assign(localStorage, items), again);
    await page.clock.runFor(2_000);
    await over.waitFor({ state: "detached" });
    expect(await page.getByRole("textbox", { name: "Note" }).inputValue()).toBe("Half a thought");
    await page.context().close();
  });
});
