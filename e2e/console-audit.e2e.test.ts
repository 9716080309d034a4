import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "#test-kit/reached-position.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { faults } from "./support/page-checks.ts";
import { addAccount } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { openSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "boss@registry.example";
const AUDITOR = "auditor@registry.example";

let site: Site;
let report: string;

beforeAll(async () => {
  if (!executable) return;
  const env = { SAMPLE_DATA: "none", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD };
  site = await startSite(env);
  await addAccount(site.dataDir, { role: "auditor", email: AUDITOR, password: PASSWORD });
  report = (await site.post("/reports/submit", chargeback)).id;
  const { token } = await login(AUDITOR);
  const authorization = `Bearer ${token}`;
  const approval = await fetch(site.url(`/prod/api/admin/reports/${report}/approve`), {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: "{}",
  });
  expect(approval.status).toBe(403);
  await eventually("the refusal is in the audit log", async () => {
    const query = "/prod/api/admin/audit-logs?status=failure";
    const reply = await fetch(site.url(query), { headers: { authorization } });
    return (await reply.json()).data.total === 1;
  });
});
afterAll(() => site?.close());

const login = (email: string) => openSession(site.origin, { email, password: PASSWORD });
async function openAuditLog(email: string, query = ""): Promise<Page> {
  const page = await site.openTabAs(await login(email));
  await page.goto(site.url(`/admin/audit-logs${query}`));
  await page.getByRole("heading", { level: 1, name: "Audit Logs" }).waitFor();
  return page;
}
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole("dialog");

/** Changes what is stored of an event, as the database's owner could. */
async function change(stream: string, from: string, to: string): Promise<void> {
  await onDatabase(site.dataDir, async (client) => {
    await client.query("alter table event_log.event disable trigger append_only");
    await client.query(
      `update event_log.event set metadata = replace(metadata::text, $2, $3)::json
       where stream = $1 and revision = 0`,
      [stream, from, to],
    );
    await client.query("alter table event_log.event enable always trigger append_only");
  });
}

describe("the audit log of the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("says of a refusal why, and shows an auditor the event behind it", async () => {
    const page = await openAuditLog(AUDITOR);
    await page.getByRole("button", { name: "Submit report" }).waitFor();
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Failure" }).click();
    await page.waitForURL(/failure/);
    await page.getByRole("button", { name: "Submit report" }).waitFor({ state: "detached" });
    await page.getByText("POST /prod/api/admin/reports/:id/approve, Forbidden").waitFor();
    await page.getByRole("button", { name: "Call refused" }).first().click();
    await dialog(page).getByText("CallRefused, version 1").waitFor();
    await dialog(page)
      .getByText(/^The event is unchanged/)
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await press(page, "Close");
    await dialog(page).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("is sorted by the heads of its columns", async () => {
    const page = await openAuditLog(AUDITOR);
    await page.getByRole("button", { name: "Submit report" }).waitFor();
    const heads = ["Timestamp", "User", "Action", "Resource", "IP Address", "Status"];
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(heads);
    await press(page, "Action");
    await page.waitForURL(/sort=action.*order=DESC|order=DESC.*sort=action/);
    await press(page, "Action");
    await page.waitForURL(/order=ASC/);
    await page.getByRole("row").nth(1).getByRole("button", { name: "Add account" }).waitFor();
    const head = page.getByRole("columnheader", { name: "Action" });
    await expect.poll(() => head.getAttribute("aria-sort")).toBe("ascending");
    await page.context().close();
  });

  it("names what an event holds sealed, and shows nothing of it", async () => {
    const page = await openAuditLog(ADMIN);
    await page.getByRole("button", { name: "Submit report" }).click();
    await dialog(page).getByText("Personal, Text, Reporter").waitFor();
    const text = await dialog(page).innerText();
    expect(text).toContain(`report-${report}`);
    for (const hidden of ["Quinn", "Ames", "rae@", "4242"]) expect(text).not.toContain(hidden);
    await page.context().close();
  });

  it("is checked by a job, which is stopped, begun again, and remembered", async () => {
    const page = await openAuditLog(ADMIN);
    await press(page, "Check the log");
    await dialog(page)
      .getByText(/computes its hash again/)
      .waitFor();
    // Nobody reads the log meanwhile, so that the check is certainly under way.
    await onDatabase(site.dataDir, async (client) => {
      await client.query("begin; lock table event_log.event in access exclusive mode");
      await press(page, "Check now");
      await dialog(page).getByRole("progressbar").waitFor();
      await press(page, "Stop");
      await dialog(page).getByText("Stopping").waitFor();
      await client.query("rollback");
    });
    await dialog(page)
      .getByText(/^Stopped\. The first 0 events are intact/)
      .waitFor();
    await press(page, "Check again");
    await dialog(page)
      .getByText(/^All \d+ events are intact/)
      .waitFor();
    await press(page, "Close");
    await press(page, "Check the log");
    await dialog(page)
      .getByText(/^Last check, .*: All \d+ events are intact/)
      .waitFor();
    await page.context().close();
  });

  it("is checked by an auditor, whose start stands in it", async () => {
    const page = await openAuditLog(AUDITOR);
    await press(page, "Check the log");
    await press(page, "Check now");
    await dialog(page)
      .getByText(/^All \d+ events are intact/)
      .waitFor();
    await press(page, "Close");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Start an action of the system" }).first().waitFor();
    await page.context().close();
  });

  it("names the event that somebody changed, in the check and in the entry", async () => {
    const stream = `report-${report}`;
    await change(stream, '"role":"visitor"', '"role":"admin"');
    const page = await openAuditLog(ADMIN);
    await press(page, "Check the log");
    await press(page, "Check now");
    await dialog(page)
      .getByText(new RegExp(`does not verify at event .*\\(stream ${stream}, revision 0`))
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await press(page, "Close");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Submit report" }).click();
    await dialog(page)
      .getByText(/was changed: its hash doesn't match/)
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await change(stream, '"role":"admin"', '"role":"visitor"');
    await page.context().close();
  });
});
