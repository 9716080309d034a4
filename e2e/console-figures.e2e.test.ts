import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Analytics } from "#contracts/http/analytics.ts";
import type { Notifications } from "#contracts/http/sessions.ts";
import {
  findChromium,
  NO_BROWSER,
  openPage,
  storeSession,
  withoutChanges,
} from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { addAccount, type Registry, startRegistry } from "./support/registry.ts";
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
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  if (!executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-figures-"));
  registry = await startRegistry({
    dataDir,
    env: { SAMPLE_DATA: "", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD },
  });
  await addAccount(dataDir, { role: "auditor", email: AUDITOR, password: PASSWORD });
  browser = await sharedBrowser();
  ({ page, complaints } = await open(ADMIN));
});
afterAll(async () => {
  await registry?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const url = (route: string) => `${registry.url}${route}`;

async function open(email: string) {
  const opened = await openPage(browser);
  await storeSession(
    opened.page,
    registry.url,
    await openSession(registry.url, { email, password: PASSWORD }),
  );
  await opened.page.goto(url("/admin"));
  await opened.page
    .getByRole("heading", { level: 1, name: /^(Admin Dashboard|Audit Logs)$/ })
    .waitFor();
  return opened;
}

async function call(route: string, body?: object): Promise<{ data: never }> {
  const token = await page.evaluate(() => localStorage.getItem("token"));
  const reply = await fetch(url(route), {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as { data: never };
}

/** Sends the report as a visitor: the admin could not decide about one of their own. @returns its id. */
async function submit(): Promise<string> {
  const reply = await fetch(url("/prod/api/reports/submit"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(REPORT),
  });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { data: { id: string } }).data.id;
}

/** The figure of a tile. */
const tile = (label: string) =>
  page
    .getByRole("list", { name: /^Figures/ })
    .getByRole("listitem")
    .filter({ hasText: label });
const figure = async (label: string) =>
  Number((await tile(label).locator("p").nth(1).textContent())?.replace(",", ""));

async function openDashboard(): Promise<void> {
  await page.goto(url("/admin"));
  await tile("Total Reports")
    .getByText(/submitted in 30 days/)
    .waitFor();
}

/** The cells of a row in a table of figures. */
async function row(table: string, name: string): Promise<string[]> {
  const cells = page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }) })
    .getByRole("cell");
  return cells.allTextContents();
}

const today = () =>
  new Intl.DateTimeFormat("en-US", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date());

/** Today's row of the chart of reports: submitted, approved, rejected. */
async function todaysReports(): Promise<number[]> {
  const section = page.getByRole("region", { name: "Reports", exact: true }).first();
  if (!(await section.locator("details").evaluate((it) => (it as HTMLDetailsElement).open)))
    await section.getByText("Figures as a table").click();
  return (await row("Reports", today())).map(Number);
}

const REPORT = {
  report_type: "chargeback",
  first_name: "Quinn",
  last_name: "Ames",
  city: "Denver",
  state: "CO",
  zip: "80202",
  title: "Disputed a delivered order",
  description: "Signed for the parcel, then disputed the charge.",
  last_4: "4242",
  amount: 1234.5,
  transaction_date: "2026-05-02",
  reporter_first_name: "Rae",
  reporter_last_name: "Hill",
  reporter_email: "rae@shop.example",
  terms_accepted: true,
};

describe("dashboard and analytics", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("show what the lists hold, and change with a report that is submitted and approved", async () => {
    await openDashboard();
    const counts = async () =>
      ((await call("/prod/api/admin/reports?limit=1")).data as { counts: Record<string, number> })
        .counts;
    const listed = await counts();
    expect(await figure("Pending Reports")).toBe(listed.pending);
    expect(Number((await row("Reports by Status", "Approved"))[0])).toBe(listed.approved);
    expect(await figure("Total Users")).toBe(2);
    const before = await figure("Total Reports");
    const [submitted = 0, approved = 0] = await todaysReports();

    const id = await submit();
    await openDashboard();
    await expect.poll(() => figure("Total Reports")).toBe(before + 1);
    expect(await figure("Pending Reports")).toBe((listed.pending ?? 0) + 1);
    expect((await todaysReports()).slice(0, 2)).toEqual([submitted + 1, approved]);
    await page
      .getByRole("region", { name: "Recent Activity" })
      .getByRole("link", { name: "Quinn Ames" })
      .waitFor();

    await call(`/prod/api/admin/reports/${id}/verify`, {});
    await call(`/prod/api/admin/reports/${id}/approve`, {});
    await openDashboard();
    await expect.poll(() => figure("Pending Reports")).toBe(listed.pending);
    expect((await todaysReports()).slice(0, 2)).toEqual([submitted + 1, approved + 1]);

    await page.goto(url("/admin/analytics?period=7days"));
    await page.getByRole("table", { name: "Top Reporters" }).getByText("r***@***").waitFor();
    expect((await row("Top Reporters", "r***@***"))[2]).toBe("$1,234.50");

    const { top_offenders } = (await call("/prod/api/admin/analytics?period=1year"))
      .data as Analytics;
    const [most] = top_offenders ?? [];
    expect(most?.reports).toBeGreaterThan(1);
    await page.goto(url("/admin/analytics?period=1year"));
    await page.getByRole("heading", { name: "Top Offenders", exact: true }).waitFor();
    const name = `${most?.first_name} ${most?.last_name}`;
    await page.getByRole("table", { name: "Top Offenders" }).getByText(name).first().waitFor();
    expect((await row("Top Offenders", name)).slice(0, 2)).toEqual([
      String(most?.reports),
      String(most?.all_reports),
    ]);
  });

  it("begin with what is to be done, each leading to where it is done", async () => {
    await openDashboard();
    const todo = page.getByRole("list", { name: "To do" }).getByRole("listitem");
    const { work } = (await call("/prod/api/admin/notifications")).data as Pick<
      Notifications,
      "work"
    >;
    const card = (label: string) => todo.filter({ hasText: label });
    await card("To decide").getByText(`${work.queue?.count}`, { exact: true }).waitFor();
    await card("To decide")
      .getByText(/^Oldest \d+ d$/)
      .waitFor();
    await card("Last backup").getByText("No backup is listed").waitFor();
    await card("Failed emails").getByText("0", { exact: true }).waitFor();
    await card("To decide").getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${work.queue?.late} reports?$`) })
      .waitFor();
  });

  it("load at most 330 kB of code for the first view, and the charts when one comes near", async () => {
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
      viewport: { width: 1280, height: 500 },
    });
    const tab = await context.newPage();
    const sizes = new Map<string, number>();
    tab.on("response", async (response) => {
      if (!response.url().endsWith(".js")) return;
      const bytes = Number(await response.headerValue("content-length"));
      const encoding = await response.headerValue("content-encoding");
      // Below a kilobyte nothing is compressed.
      sizes.set(response.url(), encoding === "br" || bytes < 1024 ? bytes : Number.NaN);
    });
    await withoutChanges(tab);
    await tab.goto(url("/admin"), { waitUntil: "networkidle" });
    await tab.getByText(/submitted in 30 days/).waitFor();
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(330_000);
    expect([...sizes.keys()].filter((file) => file.includes("/Chart-"))).toEqual([]);
    await tab.getByText("Figures as a table").last().scrollIntoViewIfNeeded();
    await tab.locator("svg.MuiChartsSurface-root, .MuiChartsSurface-root svg").first().waitFor();
    await context.close();
  });

  it("leave the code of each section in files that no other section fetches", async () => {
    const context = await browser.newContext({
      storageState: await page.context().storageState(),
    });
    const tab = await context.newPage();
    /** The files that were fetched while each route was open. */
    const fetched = new Map<string, Set<string>>();
    const of = (route: string) => fetched.get(route) ?? new Set<string>();
    const routeOf = (address: string) => new URL(address).pathname.replace(/\/$/, "");
    tab.on("request", (request) => {
      if (!request.url().endsWith(".js")) return;
      const route = routeOf(request.frame().url());
      fetched.set(route, of(route).add(request.url()));
    });
    await withoutChanges(tab);
    await tab.goto(url("/admin"), { waitUntil: "networkidle" });
    const first = new Set(of("/admin"));
    const links = tab.getByRole("navigation", { name: "Sections" }).getByRole("link");
    await links.filter({ hasText: "Audit logs" }).waitFor();
    const addresses = await links.evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    );
    const routes = [...addresses.map(routeOf), "/admin/test"];
    expect(routes).toContain("/admin/audit-logs");
    for (const route of routes.filter((each) => each !== "/admin")) {
      await tab.goto(url(route));
      await expect
        .poll(() => [...of(route)].filter((file) => !first.has(file)), {
          message: `${route} fetches what the first view has not`,
        })
        .not.toEqual([]);
    }
    const withoutOwn = routes.filter((route) => {
      const others = routes.filter((other) => other !== route).map(of);
      return [...of(route)].every((file) => others.some((theirs) => theirs.has(file)));
    });
    expect(withoutOwn).toEqual([]);
    await context.close();
  });

  it("are screens that axe does not object to and that do not scroll sideways", async () => {
    for (const route of ["/admin", "/admin/analytics?period=1year"]) {
      await page.goto(url(route));
      await page.getByText("Figures as a table").first().waitFor();
      for (const summary of await page.getByText("Figures as a table").all()) await summary.click();
      await page.locator(".MuiChartsSurface-root").nth(2).waitFor();
      expect(await faults(page), route).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it("say which part failed and show no made-up figure, until it is tried again", async () => {
    await page.route("**/admin/dashboard", async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const failed = { ...data, users: null, figures: null, failed: ["users", "figures"] };
      await route.fulfill({ response: reply, json: { success: true, data: failed } });
    });
    await page.goto(url("/admin"));
    await tile("Total Users").getByText("Couldn't load").waitFor();
    await page.getByRole("alert").getByText("Couldn't load the charts.").waitFor();
    expect(await figure("Total Reports")).toBeGreaterThan(30);
    await page.unroute("**/admin/dashboard");
    await page.getByRole("button", { name: "Try again: Total Users" }).click();
    await expect.poll(() => figure("Total Users")).toBe(2);
    await page.getByText("Figures as a table").first().waitFor();

    await page.route("**/admin/analytics?*", (route) => route.abort());
    await page.goto(url("/admin/analytics"));
    await page
      .getByRole("alert")
      .getByText("Failed to fetch analytics: Connection failed")
      .waitFor();
    expect(await page.getByRole("list", { name: /^Figures/ }).count()).toBe(0);
    await page.unroute("**/admin/analytics?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await tile("Submitted")
      .getByText(/previous \d+ days/)
      .waitFor();
  });

  it("say that there is nothing yet, or why nothing could be read, and lead to the other sections", async () => {
    await page.route("**/admin/dashboard", async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const empty = { ...data, reports: { total: 0, statuses: [] } };
      await route.fulfill({ response: reply, json: { success: true, data: empty } });
    });
    await page.goto(url("/admin"));
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
    await page.unroute("**/admin/dashboard");
    await page.route("**/admin/dashboard", (route) => route.abort());
    await page.goto(url("/admin"));
    await page
      .getByRole("alert")
      .getByText("Failed to fetch dashboard statistics: Connection failed")
      .waitFor();
    await page.unroute("**/admin/dashboard");
  });

  it("are worked by keyboard: another period is in the address, and the export holds what is shown", async () => {
    await page.goto(url("/admin/analytics"));
    await tile("Submitted").getByText("in the previous 30 days").waitFor();
    await page.getByRole("combobox", { name: "Period" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await tile("Submitted").getByText("in the previous 365 days").waitFor();
    expect(new URL(page.url()).search).toBe("?period=1year");
    const shown = (await call("/prod/api/admin/analytics?period=1year")).data as {
      figures: { points: { from: string; submitted: number }[] };
    };
    // The samples are spread over the year.
    expect(shown.figures.points.filter(({ submitted }) => submitted > 0).length).toBeGreaterThan(8);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^analytics-1year-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    const column = lines[0]?.split(",").indexOf("submitted") ?? -1;
    expect(
      lines.slice(1, 1 + shown.figures.points.length).map((line) => line.split(",")[column]),
    ).toEqual(shown.figures.points.map(({ submitted }) => String(submitted)));
  });

  it("are not for auditors, who start with the audit log", async () => {
    const { page: tab } = await open(AUDITOR);
    await tab.getByRole("heading", { level: 1, name: "Audit Logs" }).waitFor();
    expect(new URL(tab.url()).pathname).toBe("/admin/audit-logs");
    expect(await tab.getByRole("link", { name: "Analytics" }).count()).toBe(0);
    await tab.goto(url("/admin/analytics"));
    await tab.getByText("You don't have access to this page").waitFor();
    await tab.context().close();
  });
});
