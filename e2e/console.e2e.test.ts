import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Page, Request } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { Analytics } from "#contracts/http/analytics.ts";
import type { Notifications } from "#contracts/http/sessions.ts";
import { addAccount } from "./support/added-accounts.ts";
import { withoutChanges } from "./support/browser.ts";
import { post, send } from "./support/calls.ts";
import { NARROW, WIDE } from "./support/page-checks.ts";
import { runCommand } from "./support/registry.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser, sharedBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const AUDITOR = { email: "auditor@registry.example", password: ADMIN.password };

let site: Site;
let admin: StoredSession;
/** The admin's console. Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await startSite({
    SAMPLE_DATA: "",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  await addAccount(site.origin, site.dataDir, { role: "auditor", ...AUDITOR });
  admin = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(admin);
});
afterAll(() => site?.close());

const open = (address: string) => page.goto(site.url(`/admin${address}`));
const read = <T>(route: string) => send<T>(site.origin, `GET /admin${route}`, {}, admin.token);
const notice = (tab: Page) => tab.getByRole("complementary", { name: "Sample data" });

describe("the console", () => {
  it("lists reports in 40-pixel rows that truncate only titles longer than 50 characters", async () => {
    await open("/reports");
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
  });

  it("lists reports with the specified columns and counts, and says how many a refresh loaded", async () => {
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
  });

  it("says in a dialog why a decision failed, and shows what someone else decided first", async () => {
    const reads = new Set<Request>();
    page.on("request", (request) => {
      if (/\/admin\/reports\/[^/?]+(\?|$)/.test(request.url())) reads.add(request);
    });
    const isOver = (request: Request) => void reads.delete(request);
    page.on("requestfinished", isOver).on("requestfailed", isOver);
    await page.getByRole("link", { name: "Dmitri Orlov" }).click();
    await page.getByRole("button", { name: /^Reject/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Other" }).check();
    await dialog.getByLabel("Details for the reporter").fill("The order was never shipped.");
    await page.route("**/reject", (route) => route.abort());
    await dialog.getByRole("button", { name: "Reject report" }).click();
    await dialog.getByRole("alert").getByText("Failed to reject report").waitFor();
    await page.unroute("**/reject");

    const report = `/admin/reports/${new URL(page.url()).pathname.split("/").at(-1)}`;
    const reason = "Somebody else was first.";
    await post(site.origin, `${report}/reject`, { reason }, admin.token);
    await dialog.getByRole("button", { name: "Reject report" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(reason, { exact: true }).waitFor();
    await page.getByRole("alert").getByText("The report is already rejected").waitFor();

    // Someone who has not seen another's decision yet does not reverse it.
    await page.route(`**/prod/api${report}`, (route) => route.abort());
    // A read in flight would bring what comes next.
    await expect.poll(() => reads.size).toBe(0);
    await post(site.origin, `${report}/status`, { status: "pending" }, admin.token);
    await page.getByRole("button", { name: "Change decision…" }).click();
    await page.getByRole("menuitem", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve report" }).click();
    await page.getByRole("alert").getByText("Someone else changed this in the meantime").waitFor();
    await page.unroute(`**/prod/api${report}`);
  });

  it("says on any screen, wide and narrow, that it shows samples, and that a page is not found", async () => {
    await open("/nowhere");
    await page.getByText("Page not found", { exact: true }).first().waitFor();
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      await notice(page).getByText("npm run sample:clear").waitFor();
    }
  });

  it("shows an auditor the audit log and histories, but no report", async () => {
    const tab = await site.openTabAs(await openSession(site.origin, AUDITOR));
    await tab.goto(site.url("/admin"));
    await tab.getByRole("heading", { level: 1, name: "Audit Logs" }).waitFor();
    expect(new URL(tab.url()).pathname).toBe("/admin/audit-logs");
    await notice(tab).waitFor();
    await tab.getByRole("button", { name: "Check the log" }).waitFor();
    await tab.getByRole("button", { name: "Account menu" }).waitFor();
    for (const name of ["Reports", "Analytics"])
      expect(await tab.getByRole("link", { name, exact: true }).count()).toBe(0);
    expect(await tab.getByRole("button", { name: /^Notifications/ }).count()).toBe(0);
    await tab
      .getByRole("link", { name: /^Report / })
      .first()
      .click();
    await tab.getByRole("heading", { level: 1, name: /^History of / }).waitFor();
    await tab.getByText(/Sample data$/).waitFor();
    const refused = tab.getByRole("heading", { name: "You don't have access to this page" });
    for (const route of ["system", "settings", "documents", "mails", "test", "analytics"]) {
      await tab.goto(site.url(`/admin/${route}`));
      await refused.waitFor();
    }
    await tab.context().close();
  });

  it("has a 280-pixel sidebar, section, role and initial in the header, and a menu to log out", async () => {
    await open("/reports");
    const sections = page.getByRole("navigation", { name: "Sections" });
    const width = () =>
      sections.locator("..").evaluate((drawer) => drawer.getBoundingClientRect().width);
    const header = page.getByRole("banner");
    for (const [link, title] of [
      ["Users", "Users"],
      ["System", "System Management"],
    ] as const) {
      await sections.getByRole("link", { name: link, exact: true }).click();
      await header.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    }
    expect(await width()).toBe(280);
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
    // The queue gets the sidebar's space unless the window is wide.
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
    await page.context().close();
    admin = await openSession(site.origin, ADMIN);
    page = await site.openTabAs(admin);
  });
});

/** A tile with a figure. */
const tile = (label: string) =>
  page
    .getByRole("list", { name: /^Totals/ })
    .getByRole("listitem")
    .filter({ hasText: label });
const figure = async (label: string) =>
  Number((await tile(label).locator("p").nth(1).textContent())?.replace(",", ""));

/** Returns the cells of a row in a table of figures. */
async function row(table: string, name: string): Promise<string[]> {
  const header = page.getByRole("rowheader", { name, exact: true });
  const rows = page.getByRole("table", { name: table }).getByRole("row").filter({ has: header });
  await rows.first().waitFor();
  return rows.getByRole("cell").allTextContents();
}

describe("dashboard and analytics", () => {
  it("load at most 330 kB of code at first, none of other sections, and charts only as they come near", async () => {
    const storageState = await page.context().storageState();
    const viewport = { width: 1280, height: 500 };
    // A new context has nothing cached.
    const tab = await (await sharedBrowser()).newPage({ storageState, viewport });
    const sizes = new Map<string, number>();
    tab.on("response", async (response) => {
      if (!response.url().endsWith(".js")) return;
      const bytes = Number(await response.headerValue("content-length"));
      const encoding = await response.headerValue("content-encoding");
      // Below a kilobyte nothing is compressed.
      sizes.set(response.url(), encoding === "br" || bytes < 1024 ? bytes : Number.NaN);
    });
    await withoutChanges(tab);
    await tab.goto(site.url("/admin"), { waitUntil: "networkidle" });
    await tab.getByText(/submitted in 30 days/).waitFor();
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(330_000);
    const root = path.resolve(import.meta.dirname, "../web-admin");
    const built = await readdir(path.join(root, "dist/assets"));
    const sources = ["src/app/ConsoleApp.tsx", "src/layout/sections.ts"];
    const code = await Promise.all(sources.map((file) => readFile(path.join(root, file), "utf8")));
    const sections = [...code.join().matchAll(/import\("[./\w-]*\/(\w+)\.tsx"\)/g)];
    expect(sections.length).toBeGreaterThan(20);
    for (const name of ["Chart", ...sections.map(([, section]) => section)]) {
      const isOf = (file: string) => path.basename(file).startsWith(`${name}-`);
      expect([name, built.some(isOf), [...sizes.keys()].some(isOf)]).toEqual([name, true, false]);
    }
    await tab.getByText("Show data as a table").last().scrollIntoViewIfNeeded();
    await tab.locator("svg.MuiChartsSurface-root, .MuiChartsSurface-root svg").first().waitFor();
    await tab.close();
  });

  it("show the lists' figures, starting with a to-do list that leads to each task", async () => {
    await open("");
    await tile("Total Reports")
      .getByText(/submitted in 30 days/)
      .waitFor();
    const { counts } = await read<{ counts: Record<string, number> }>("/reports?limit=1");
    expect(await figure("Pending Reports")).toBe(counts.pending);
    expect(Number((await row("Reports by Status", "Approved"))[0])).toBe(counts.approved);
    expect(await figure("Total Users")).toBe(2);
    const { work } = await read<Pick<Notifications, "work">>("/notifications");
    const todo = page.getByRole("list", { name: "To do" }).getByRole("listitem");
    const card = (label: string) => todo.filter({ hasText: label });
    await card("To decide").getByText(`${work.queue?.count}`, { exact: true }).waitFor();
    await card("To decide")
      .getByText(/^Oldest \d+ d$/)
      .waitFor();
    await card("Last backup").getByText("No backups found").waitFor();
    await card("Failed emails").getByText("0", { exact: true }).waitFor();
    await card("To decide").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${work.queue?.late} reports?$`) })
      .waitFor();
  });

  it("work by keyboard, with the period in the URL and an export of what is shown", async () => {
    await open("/analytics");
    await tile("Submitted").getByText("in the previous 30 days").waitFor();
    await page.getByRole("combobox", { name: "Period" }).focus();
    for (const key of ["Enter", "End", "Enter"]) await page.keyboard.press(key);
    await tile("Submitted").getByText("in the previous 365 days").waitFor();
    expect(new URL(page.url()).search).toBe("?period=1year");
    const shown = await read<Analytics>("/analytics?period=1year");
    const [most] = shown.top_offenders ?? [];
    const name = `${most?.first_name} ${most?.last_name}`;
    expect((await row("Top Offenders", name)).slice(0, 2)).toEqual([
      String(most?.reports),
      String(most?.all_reports),
    ]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).focus();
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^analytics-1year-\d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(await file.path(), "utf8")).toContain(name);
  });

  it("say which part failed, without made-up figures, until it is retried", async () => {
    await page.route("**/admin/dashboard", async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const failed = { ...data, users: null, figures: null, failed: ["users", "figures"] };
      await route.fulfill({ response: reply, json: { success: true, data: failed } });
    });
    await open("");
    await tile("Total Users").getByText("Couldn't load").waitFor();
    await page.getByRole("alert").getByText("Couldn't load the charts.").waitFor();
    expect(await figure("Total Reports")).toBeGreaterThan(30);
    await page.unroute("**/admin/dashboard");
    await page.getByRole("button", { name: "Try again: Total Users" }).click();
    await expect.poll(() => figure("Total Users")).toBe(2);
    await page.getByText("Show data as a table").first().waitFor();
  });

  it("say that there is nothing yet, and link to the other sections", async () => {
    await page.route("**/admin/dashboard", async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const empty = { ...data, reports: { total: 0, statuses: [] } };
      await route.fulfill({ response: reply, json: { success: true, data: empty } });
    });
    await open("");
    await page.getByText("No dashboard data available.").waitFor();
    const links = page.getByRole("region", { name: "Quick Actions" }).getByRole("link");
    const paths = await links.evaluateAll((all) => all.map((it) => it.getAttribute("href")));
    expect(paths).toEqual([
      "/admin/users",
      "/admin/reports",
      "/admin/documents",
      "/admin/payments",
      "/admin/analytics",
      "/admin/audit-logs",
      "/admin/content",
      "/admin/system",
      "/admin/templates",
    ]);
    expect(site.complaints).toEqual([]);
  });
});

describe("samples", () => {
  it("are removed by `npm run sample:clear`, along with the notice", async () => {
    await open("/reports");
    await notice(page).waitFor();
    const cleared = await runCommand("sample-clear", [], { dataDir: site.dataDir });
    expect(cleared.output).toMatch(/^[1-9]\d* sample reports removed\.$/m);
    const left = async () => {
      const { loaded } = await send<{ loaded: boolean }>(
        site.origin,
        "GET /samples",
        {},
        admin.token,
      );
      const { total } = await read<{ total: number }>("/reports?limit=1");
      return [loaded, total];
    };
    await expect.poll(left).toEqual([false, 0]);
    await page.reload();
    await page.getByText("No reports yet").waitFor();
    expect(await notice(page).count()).toBe(0);
  });
});
