import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { AskedProcess } from "#contracts/http/system.ts";
import { SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import { violations } from "./support/page-checks.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const STATUS = "**/prod/api/system/status";
const JOB = "**/prod/api/system/jobs/*";

let packages: Server;
/** How the package registry answers. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  packages = createServer((request, response) => answer(request, response));
  packages.listen(0, "127.0.0.1");
  await once(packages, "listening");
  site = await startSite({
    SAMPLE_DATA: "none",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    UPDATE_CHECK: "on",
    npm_config_registry: `http://127.0.0.1:${(packages.address() as AddressInfo).port}/`,
  });
  page = await site.openTabAs(await openSession(site.origin, ADMIN));
});
afterAll(async () => {
  await site?.close();
  packages?.closeAllConnections();
  packages?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const results = () => page.getByRole("list", { name: "Results", exact: true });
const history = () => page.getByRole("list", { name: "Action history" });
const said = (text: string) => page.getByRole("status").getByText(text).waitFor();
const card = (label: string) =>
  page
    .getByRole("list", { name: /^(Connections|Use)$/ })
    .getByRole("listitem")
    .filter({ has: page.getByText(label, { exact: true }) });

describe("system management", () => {
  it("shows the registry's dependencies, its read models and its process", async () => {
    await page.goto(site.url("/admin/system"));
    await page.getByRole("heading", { level: 1, name: "System Management" }).waitFor();
    for (const label of [
      "Database",
      "Redis Cache",
      "S3 Storage",
      "Email Service",
      "Search",
      "Event Log",
      "Keys",
    ])
      await card(label).getByText("Connected", { exact: true }).waitFor();
    await card("Read models").getByText("Up to date").waitFor();
    const processes = page.getByRole("table", { name: "Processes" });
    await processes
      .getByRole("row")
      .filter({ hasText: "command-api, mailer, projector, query-api" })
      .getByText("Running")
      .waitFor();
    expect(await processes.getByRole("row").count()).toBe(2);
    expect(await page.getByText("OPERATIONS_URLS").count()).toBe(0);
  });

  it("refreshes by itself, keeps its data when that fails, and tries again when asked", async () => {
    await page.route(STATUS, (route) => route.fulfill({ status: 502, body: "bad gateway" }));
    await page
      .getByRole("alert")
      .getByText(/^Failed to load system data: HTTP error! status: 502 Showing data from /)
      .waitFor({ timeout: 30_000 });
    expect(await card("Database").getByText("Connected", { exact: true }).isVisible()).toBe(true);
    await page.reload();
    await page
      .getByRole("alert")
      .getByText("Failed to load system data: HTTP error! status: 502", { exact: true })
      .waitFor();
    expect(await page.getByRole("list", { name: "Connections" }).count()).toBe(0);
    await page.unroute(STATUS);
    await button("Try again").click();
    await card("Database").getByText("Connected", { exact: true }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("shows what is down or gone, and what web and HAProxy use if they report it", async () => {
    await page.route(STATUS, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const parts = data.parts.map((part: { part: string }) =>
        part.part === "email" ? { ...part, status: "disconnected", mode: "external" } : part,
      );
      const gone = { ...data.processes[0], id: crypto.randomUUID(), state: "gone", reported: 90 };
      const figures = { uptime: 3700, memory: 52_428_800, cpu: 12.5 };
      const asked: AskedProcess[] = [
        { address: 1 },
        { address: 2, figures: { service: "haproxy", ...figures } },
      ];
      const processes = [...data.processes, gone];
      const changed = { ...data, parts, processes, processors: [], asked };
      await route.fulfill({ response, json: { success: true, data: changed } });
    });
    await page.reload();
    await card("Email Service").getByText("Disconnected").waitFor();
    await card("Read models").getByText("Not running").waitFor();
    await page.getByText("Not running, last seen 1 min 30 s ago").waitFor();
    const row = page
      .getByRole("table", { name: "Processes" })
      .getByRole("row", { name: /^HAProxy/ });
    for (const text of ["Running", "1 h 1 min", "50 MB", "12.5%"])
      await row.getByText(text, { exact: true }).waitFor();
    await page
      .getByText("The process at address 1 of OPERATIONS_URLS reports no resource data.")
      .waitFor();
    await page.unroute(STATUS);
  });

  it("clears the caches of every process, with progress and result", async () => {
    await page.goto(site.url("/admin/system"));
    const begun: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(SYSTEM_ACTIONS_PATH)) begun.push(request.postData());
    });
    // However fast the processes answer, the first poll finds the job running. No other action starts before it
    // ends.
    await page.route(
      JOB,
      async (route) => {
        await button("Security Scan").dispatchEvent("click");
        const response = await route.fetch();
        const { data } = await response.json();
        const job = { ...data, state: "running", done: 0, lines: [] };
        await route.fulfill({ response, json: { success: true, data: job } });
      },
      { times: 1 },
    );
    await button("Clear Cache").click();
    await page.getByText("Clear Cache: in progress").waitFor();
    await said("Clear cache completed successfully");
    for (const service of ["command-api", "query-api", "projector", "mailer"])
      await results()
        .getByText(new RegExp(`^${service} removed \\d+ entries\\.$`))
        .waitFor();
    await history()
      .getByRole("listitem")
      .filter({ hasText: /Clear cache completed successfully · First Admin · / })
      .waitFor();
    expect(begun).toEqual(['{"action":"clear-cache"}']);
    // A refused action is named, and the previous result stays.
    await page.route(`**${SYSTEM_ACTIONS_PATH}`, (route) => route.fulfill({ status: 502 }));
    await button("Security Scan").click();
    await page
      .getByRole("alert")
      .getByText(/^Failed to security scan: /)
      .waitFor();
    await said("Clear cache completed successfully");
    await page.unroute(`**${SYSTEM_ACTIONS_PATH}`);
  });

  it("stops Check Updates and its request with a button, and runs the next one to the end", async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    answer = (request) => asked.resolve(request);
    await button("Check Updates").click();
    const ended = once((await asked.promise).socket, "close");
    await page.getByText("Check Updates: in progress, 5 of 7").waitFor();
    for (const name of ["Check Updates", "Create Backup"])
      expect(await button(name).isDisabled()).toBe(true);
    await button("Stop").click();
    await said("Check updates was stopped");
    await ended;
    expect(await results().getByRole("listitem").count()).toBe(5);
    expect(await button("Stop").count()).toBe(0);
    // Earlier results stay, below newer ones.
    await history().getByText("Clear cache completed successfully").click();
    const earlier = history().getByRole("list", { name: "Earlier results" });
    await earlier.getByText(/^mailer removed \d+ entries\.$/).waitFor();
    answer = (request, response) => {
      request.resume();
      response.end("{}");
    };
    await button("Check Updates").click();
    await said("Check updates completed successfully");
    await results()
      .getByText(/^The \d+ installed packages have no known vulnerabilities/)
      .waitFor();
  });

  it("lists a backup made with Create Backup, and verifies it", async () => {
    await button("Create Backup").click();
    await said("Create backup completed successfully");
    const backups = page.getByRole("region", { name: "Backups" });
    await backups.getByText(path.join(site.dataDir, "backup-keys"), { exact: true }).waitFor();
    const row = backups.getByRole("row").nth(1);
    for (const text of ["Manual", "Opens with the current key (version 1)"])
      await row.getByText(text, { exact: true }).waitFor();
    const verify = row.getByRole("button", { name: /^Verify registry-/ });
    await verify.click();
    await backups.getByText(/^registry-[0-9a-z-]+ is complete and can be restored\./).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await verify.evaluate((it) => it === document.activeElement)).toBe(true);
  });
});
