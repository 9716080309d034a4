import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AskedProcess } from "#contracts/http/system.ts";
import { SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER, openPage } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { NARROW, overflows, violations, WIDE } from "./support/page-checks.ts";
import { type Registry, startRegistry } from "./support/registry.ts";
import { sharedBrowser } from "./support/shared.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = "admin@registry.example";
const PASSWORD = "Correct-horse-9";
const STATUS = "**/prod/api/system/status";
const JOB = "**/prod/api/system/jobs/*";

let dataDir: string;
let registry: Registry;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  if (!executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-system-"));
  registry = await startRegistry({
    dataDir,
    env: { SAMPLE_DATA: "none", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD },
  });
  ({ page, complaints } = await openPage(await sharedBrowser()));
  await page.goto(url("/admin"));
  await signIn(page, ADMIN, PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Admin Dashboard" }).waitFor();
});
afterAll(async () => {
  await registry?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** What is still written has another name. */
const isWhole = (file: string) => /^registry-.*\.tar\.zst$/.test(file);

const url = (route: string) => `${registry.url}${route}`;

const card = (label: string) =>
  page
    .getByRole("list", { name: /^(Connections|Use)$/ })
    .getByRole("listitem")
    .filter({ has: page.getByText(label, { exact: true }) });

describe("system management", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("shows what the registry stands on, its process and its tables", async () => {
    await page.goto(url("/admin/system"));
    await page.getByRole("heading", { level: 1, name: "System Management" }).waitFor();
    for (const label of [
      "Database",
      "Redis Cache",
      "S3 Storage",
      "Email Service",
      "Search",
      "Event Log",
      "Keys",
    ]) {
      await card(label).getByText("Connected", { exact: true }).waitFor();
      await card(label)
        .getByText(/^Embedded.*, \d+ ms$/)
        .waitFor();
    }
    await card("Read models").getByText("Up to date").waitFor();
    await card("Memory")
      .getByText(/^[\d,]+ MB$/)
      .waitFor();
    await card("CPU")
      .getByText(/^[\d.]+ %$/)
      .waitFor();
    // npm has no safe version of the embedded one.
    await page
      .getByRole("note")
      .getByText(/^PostgreSQL [\d.]+ is older than [\d.]+, .* POSTGRES_BIN /)
      .waitFor();
    const processes = page.getByRole("table", { name: "Processes" });
    await processes
      .getByRole("row")
      .filter({ hasText: "command-api, mailer, projector, query-api" })
      .getByText("Running")
      .waitFor();
    expect(await processes.getByRole("row").count()).toBe(2);
    expect(await page.getByText("OPERATIONS_URLS").count()).toBe(0);
  });

  it("looks again by itself", async () => {
    const seen = () => page.getByRole("main").locator("time").getAttribute("datetime");
    const first = await seen();
    await expect.poll(seen, { timeout: 30_000 }).not.toBe(first);
  });

  it("keeps what it knows when the state cannot be read, says so, and tries again when asked", async () => {
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
    await page.getByRole("button", { name: "Try again" }).click();
    await card("Database").getByText("Connected", { exact: true }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("says which part is away and which process is gone", async () => {
    await page.route(STATUS, async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const parts = data.parts.map((part: { part: string }) =>
        part.part === "email" ? { ...part, status: "disconnected", mode: "external" } : part,
      );
      const processes = [
        ...data.processes,
        { ...data.processes[0], id: crypto.randomUUID(), state: "gone", reported: 90 },
      ];
      await route.fulfill({
        response: reply,
        json: { success: true, data: { ...data, parts, processes, processors: [] } },
      });
    });
    await page.reload();
    await card("Email Service").getByText("Disconnected").waitFor();
    await card("Read models").getByText("Not running").waitFor();
    await page.getByText("Not running, last seen 1 min 30 s ago").waitFor();
    await page.unroute(STATUS);
  });

  it("shows what web and HAProxy take where they are asked, and which one does not tell", async () => {
    await page.route(STATUS, async (route) => {
      const reply = await route.fetch();
      const { data } = await reply.json();
      const figures = { uptime: 3700, memory: 52_428_800, cpu: 12.5 };
      const asked: AskedProcess[] = [
        { address: 1 },
        { address: 2, figures: { service: "haproxy", ...figures } },
      ];
      await route.fulfill({ response: reply, json: { success: true, data: { ...data, asked } } });
    });
    await page.reload();
    const row = page
      .getByRole("table", { name: "Processes" })
      .getByRole("row", { name: /^HAProxy/ });
    await card("Memory").getByText("2 processes together").waitFor();
    for (const text of ["Running", "1 h 1 min", "50 MB", "12.5 %"])
      await row.getByText(text, { exact: true }).waitFor();
    await page
      .getByText("The process at address 1 of OPERATIONS_URLS reports no resource data.")
      .waitFor();
    await page.unroute(STATUS);
  });

  it("empties the caches of every process, with progress and result", async () => {
    await page.goto(url("/admin/system"));
    const begun: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(SYSTEM_ACTIONS_PATH)) begun.push(request.postData());
    });
    // However fast the processes answer, the first look finds the job at work. No other begins before it.
    await page.route(
      JOB,
      async (route) => {
        await page.getByRole("button", { name: "Security Scan" }).dispatchEvent("click");
        const response = await route.fetch();
        const { data } = await response.json();
        const job = { ...data, state: "running", done: 0, lines: [] };
        await route.fulfill({ response, json: { success: true, data: job } });
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Clear Cache" }).click();
    await page.getByText("Clear Cache: in progress").waitFor();
    await page.getByRole("status").getByText("Clear cache completed successfully").waitFor();
    const results = page.getByRole("list", { name: "Results" });
    for (const service of ["command-api", "query-api", "projector", "mailer"])
      await results.getByText(new RegExp(`^${service} removed \\d+ entries\\.$`)).waitFor();
    const history = page.getByRole("list", { name: "Action history" }).getByRole("listitem");
    await history
      .filter({ hasText: /Clear cache completed successfully · First Admin · / })
      .waitFor();
    expect(begun).toEqual(['{"action":"clear-cache"}']);
    // One that is refused is named, and the result stays that of the one before.
    await page.route(`**${SYSTEM_ACTIONS_PATH}`, (route) => route.fulfill({ status: 502 }));
    await page.getByRole("button", { name: "Security Scan" }).click();
    await page
      .getByRole("alert")
      .getByText(/^Failed to security scan: /)
      .waitFor();
    await page.getByRole("status").getByText("Clear cache completed successfully").waitFor();
    await page.unroute(`**${SYSTEM_ACTIONS_PATH}`);
  });

  it("scans the registry, and says what to do about what it finds", async () => {
    await page.goto(url("/admin/system"));
    await page.getByRole("button", { name: "Security Scan" }).click();
    await page
      .getByText(/^Security scan completed successfully: \d of 15 need attention\.$/)
      .waitFor();
    const results = page.getByRole("list", { name: "Results" });
    await results.getByText(/^There is one admin: .* Invite another one\.$/).waitFor();
    await results.getByText("The site is reached by HTTPS").waitFor();
    expect(await results.getByRole("listitem").count()).toBeGreaterThan(10);
    // What came before stays, below what is newer.
    const history = page.getByRole("list", { name: "Action history" });
    await expect.poll(() => history.locator("summary").count()).toBe(2);
    expect(await history.locator("summary").first().innerText()).toContain("Security scan");
    await history.getByText("Clear cache completed successfully").click();
    const earlier = history.getByRole("list", { name: "Earlier results" });
    await earlier.getByText(/^mailer removed \d+ entries\.$/).waitFor();
  });

  it("makes a backup, whole and with its keys apart, and says what is in it", async () => {
    await page.goto(url("/admin/system"));
    await page.getByRole("button", { name: "Create Backup" }).click();
    await page.getByRole("status").getByText("Create backup completed successfully").waitFor();
    const results = page.getByRole("list", { name: "Results" });
    await results.getByText(/^registry-[0-9a-z-]+: \d+ events, 0 files, [\d.]+ MB\.$/).waitFor();
    await results.getByText("It was read to its end").waitFor();
    await results.getByText("1 backup is kept").waitFor();
    const [archives, keys] = await Promise.all(
      ["backups", "backup-keys"].map((name) => readdir(path.join(dataDir, name))),
    );
    expect(archives?.filter(isWhole)).toHaveLength(1);
    expect(keys).toEqual(archives);
  });

  it("lists the backups with their places, and verifies one", async () => {
    await page.goto(url("/admin/system"));
    const backups = page.getByRole("region", { name: "Backups" });
    await backups.getByText(path.join(dataDir, "backup-keys"), { exact: true }).waitFor();
    const row = backups.getByRole("row").nth(1);
    for (const text of ["By hand", "Opens with the current key (version 1)"])
      await row.getByText(text, { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Verify registry-/ }).click();
    await backups.getByText(/^registry-[0-9a-z-]+ is complete and can be restored\./).waitFor();
    await backups.getByText(/^\d+ events, 0 files\.$/).waitFor();
    expect(await violations(page)).toEqual([]);

    const [file = ""] = (await readdir(path.join(dataDir, "backup-keys"))).filter(isWhole);
    const keys = path.join(dataDir, "backup-keys", file);
    await rename(keys, `${keys}.away`);
    await backups.getByRole("button", { name: "Refresh List" }).click();
    await row.getByText("Keys missing", { exact: true }).waitFor();
    await row.getByRole("button", { name: /^Verify registry-/ }).click();
    await backups
      .getByText(/^Couldn't verify registry-.*: There is no archive .*backup-keys/)
      .waitFor();
    await rename(`${keys}.away`, keys);

    const archive = path.join(dataDir, "backups", file);
    const whole = await readFile(archive);
    await writeFile(archive, whole.with(whole.length >> 1, (whole[whole.length >> 1] ?? 0) ^ 1));
    const verify = row.getByRole("button", { name: /^Verify registry-/ });
    await verify.click();
    await backups.getByText(/damaged: it can't be restored\.$/).waitFor();
    await row.getByText("Not verified", { exact: true }).waitFor();
    expect(await verify.evaluate((button) => button === document.activeElement)).toBe(true);
    await writeFile(archive, whole);
    await page.setViewportSize(NARROW);
    expect(await overflows(page)).toBe(false);
    await page.setViewportSize(WIDE);
  });

  it("makes the daily backup once Auto Backup is switched on", async () => {
    await page.goto(url("/admin/system"));
    await page.getByLabel("Auto Backup").check();
    await page.getByRole("button", { name: "Save Settings" }).click();
    await page.getByText("Settings saved successfully").waitFor();
    await expect
      .poll(async () => (await readdir(path.join(dataDir, "backups"))).filter(isWhole).length, {
        timeout: 90_000,
      })
      .toBe(2);
    await page.goto(url("/admin/audit-logs"));
    await page.getByText("End an action of the system").first().waitFor();
  });

  it("says which version runs and when it was built, and asks nobody else", async () => {
    await page.goto(url("/admin/system"));
    await page.getByRole("button", { name: "Check Updates" }).click();
    await page.getByRole("status").getByText("Check updates completed successfully").waitFor();
    const results = page.getByRole("list", { name: "Results" });
    await results.getByText(/^Version \d+\.\d+\.\d+, on Node\.js \d+/).waitFor();
    await results.getByText("All processes that report run this version.").waitFor();
    await results.getByText(/^PostgreSQL [\d.]+ is older than [\d.]+, /).waitFor();
    await results
      .getByText("The package registry is not asked now: UPDATE_CHECK is off.")
      .waitFor();
  });

  it("tests what the console calls, and says who is signed in", async () => {
    await page.goto(url("/admin/test"));
    for (const words of [
      "Dashboard API working",
      "Users API working",
      "Reports API working",
      "System API working",
      "Database: connected",
      "Email Service: connected",
      "Tables: up to date",
      "command-api, mailer, projector, query-api: running",
    ])
      await page.getByRole("listitem").getByText(words).waitFor();
    await page.getByText("You are signed in with the role admin.").waitFor();
    await page.getByText("All 13 checks passed.").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).search));
    await page.route("**/prod/api/admin/users?*", (route) => route.abort());
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByText("Users API failed: Connection failed").waitFor();
    await page.getByText("1 check of 13 failed.").waitFor();
    expect(asked.filter((search) => search === "?page=1&limit=5").length).toBeGreaterThanOrEqual(2);
    await page.unroute("**/prod/api/admin/users?*");
  });

  it("tests processes too: one that is gone fails, as does one that is asked and silent, with what to do", async () => {
    // As a process leaves it that was killed.
    await onDatabase(dataDir, (db) =>
      db.query(
        `insert into ops.process (id, process_id, service, version, uptime_seconds, memory_bytes, cpu_share, parts, processors, beat_at)
         select gen_random_uuid(), gen_random_uuid(), 'mailer', version, 60, 1, 0, parts, '[]', now() - interval '5 minutes'
         from ops.process where service = 'mailer'`,
      ),
    );
    await page.route(STATUS, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const asked: AskedProcess[] = [
        { address: 1, figures: { service: "web", uptime: 1, memory: 1, cpu: 0 } },
        { address: 2 },
      ];
      await route.fulfill({ response, json: { success: true, data: { ...data, asked } } });
    });
    // For a moment the answer is that of the look before.
    const outcome = async () => {
      await page.getByRole("button", { name: "Run again" }).click();
      return page.getByText(/^\d+ checks? of \d+ failed\.$/).innerText();
    };
    await expect.poll(outcome, { timeout: 30_000 }).toBe("2 checks of 16 failed.");
    const checks = page.getByRole("listitem");
    await checks
      .getByText(/^mailer: not running, last seen 5 min.* ago\. .* start it again\./)
      .waitFor();
    await checks.getByText("web: running").waitFor();
    await checks
      .getByText(/^The process at address 2 of OPERATIONS_URLS isn't responding\. See whether/)
      .waitFor();
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      expect(await violations(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
    }
    await page.unroute(STATUS);
    await onDatabase(dataDir, (db) =>
      db.query("delete from ops.process where beat_at < now() - interval '4 minutes'"),
    );
  });

  it("restarts at the press of a button", async () => {
    await page.goto(url("/admin/system"));
    await page.getByRole("button", { name: "Restart System" }).click();
    const dialog = page.getByRole("dialog", { name: "Restart the registry?" });
    await dialog.getByText("the site, console and API will be unavailable").waitFor();
    await dialog.getByRole("button", { name: "Restart" }).click();
    await page
      .getByText("Restart system completed successfully", { exact: true })
      .waitFor({ timeout: 120_000 });
    await page.getByText("Each process ends within a minute").waitFor();
    await expect
      .poll(() => registry.output().match(/^Ready after /gm)?.length, { timeout: 120_000 })
      .toBe(2);
    await page.reload();
    await card("Database").getByText("Connected", { exact: true }).waitFor();
  });

  it("leaves no complaint of the browser but those about the answers that were cut off", () => {
    expect(
      complaints.filter(
        (line) => !/502|Failed to load resource|ERR_FAILED|ERR_CONNECTION|ERR_EMPTY/.test(line),
      ),
    ).toEqual([]);
  });
});
