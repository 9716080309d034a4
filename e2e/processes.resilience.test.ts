import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { noRedis } from "#test-kit/redis-server.ts";
import { findChromium, NO_BROWSER, openBrowser, openPage } from "./support/browser.ts";
import { expectCleanEnds, loseOneOfEach } from "./support/lose-one-of-each.ts";
import { type ManyProcesses, startManyProcesses } from "./support/many-processes.ts";
import { createRegistryClient, type RegistryClient } from "./support/registry-client.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();

let registry: ManyProcesses;
let client: RegistryClient;

beforeAll(async () => {
  if (noHaproxy) return;
  registry = await startManyProcesses({ openSearch: true });
  client = createRegistryClient(registry);
  console.log(`  Redis: ${registry.servers.redis}; search: ${registry.servers.search}`);
}, 600_000);
afterAll(() => registry?.close());

describe("two processes of each service behind HAProxy", { timeout: 480_000 }, () => {
  skipWhere(noHaproxy);
  let id = "";

  it("show on their pages that some reports are samples", async () => {
    await registry.markSamplesLoaded();
    await client.reads(
      "/prod/api/samples",
      (found) => (found as { loaded?: boolean }).loaded === true,
    );
    for (const web of registry.pairs.web) {
      const page = await (await fetch(await web.url())).text();
      expect(page).toContain("Some reports are made up.");
    }
  });

  it("accept a report, which the reporter confirms with the emailed link", async () => {
    id = await client.submitAndConfirm("rae@first.example");
  });

  it("create the first admin only once, who signs in and approves it", async () => {
    await client.signIn();
    const { rows } = await registry.db.query("select role from command.account");
    expect(rows).toEqual([{ role: "admin" }]);
    const approved = await client.call("POST", `/prod/api/admin/reports/${id}/approve`, {
      body: {},
    });
    expect(approved.status).toBe(200);
  });

  it("show it to visitors on its page, and in search despite a typo", async () => {
    await client.finds("quin aimes", 1);
    const page = await fetch(`${registry.url}/report/quinn-ames`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Quinn Ames")]);
    expect((await fetch(`${registry.url}/admin`)).status).toBe(200);
  });

  it("show it in a browser without console errors", async (context) => {
    if (!executable) return context.skip(NO_BROWSER);
    const browser = await openBrowser(executable);
    try {
      const { page, complaints } = await openPage(browser);
      await page.goto(`${registry.url}/search?q=ames`);
      await page
        .getByRole("link", { name: /Quinn Ames/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Quinn Ames" }).waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("show its history, with the visitor's address that HAProxy trusts", async () => {
    await client.reads(`/prod/api/admin/reports/${id}/history`, (found) =>
      /ReportApproved|approved/i.test(JSON.stringify(found)),
    );
    await client.call("POST", `/prod/api/admin/reports/${id}/reveal`, {
      body: {},
      headers: { "x-forwarded-for": "192.0.2.1, 198.51.100.7" },
    });
    const found = await client.reads("/prod/api/admin/audit-logs", (log) =>
      JSON.stringify(log).includes("198.51."),
    );
    expect(JSON.stringify(found)).not.toContain("192.0.");
  });

  it("delete it permanently", async () => {
    const deleted = await client.call("DELETE", `/prod/api/admin/reports/${id}`, {
      body: { reason_code: "court_order" },
    });
    expect(deleted.status).toBe(200);
    await client.finds("ames", 0);
    // Search and pages are projected separately.
    const status = async () => (await fetch(`${registry.url}/report/quinn-ames`)).status;
    await expect.poll(status).toBe(410);
  });

  it("share their request counts", async (context) => {
    if (noRedis) context.skip(noRedis);
    const statuses: number[] = [];
    // A visitor may submit thirty reports in ten minutes, over both processes together.
    for (let i = 0; i < 31; i += 1) {
      const visitor = "198.51.100.99";
      const answer = await client.call("POST", "/prod/api/reports/submit", { body: {}, visitor });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
  });

  it("lose one of each pair under load, but nothing they acknowledged", async () => {
    await loseOneOfEach(registry, client);
  });

  it("keep working with the survivors, which stop cleanly on a signal", async () => {
    // A busy machine may be late to report that the survivors are ready.
    await expect.poll(async () => (await fetch(`${registry.url}/readyz`)).status).toBe(200);
    await expectCleanEnds(registry, 5);
  });
});
