import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addAccount } from "./support/added-accounts.ts";
import { onDatabase } from "./support/database.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const AUDITOR = { email: "auditor-log@registry.example", password: ADMIN.password };

let site: Site;
/** The admin's log. Each test continues where the one before ended. */
let page: Page;
let report: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  report = (await site.post("/reports/submit", chargeback)).id;
  page = await openAuditLog(ADMIN, { search: report });
});

async function openAuditLog(login: typeof ADMIN, filter: object = {}): Promise<Page> {
  const opened = await site.openTabAs(await openSession(site.origin, login));
  const query = encodeURIComponent(JSON.stringify(filter));
  await opened.goto(site.url(`/admin/audit-logs?filter=${query}`));
  await opened.getByRole("heading", { level: 1, name: "Audit Logs" }).waitFor();
  return opened;
}
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole("dialog");

/** Tampers with a stored event, as the database's owner could. */
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
  it("explains a refusal, and shows an auditor the event behind it", async () => {
    await addAccount(site.origin, site.dataDir, { role: "auditor", ...AUDITOR });
    const { token } = await openSession(site.origin, AUDITOR);
    await expect(site.post(`/admin/reports/${report}/approve`, {}, token)).rejects.toThrow("403");
    const tab = await openAuditLog(AUDITOR, { status: "failure" });
    await tab.getByText("POST /prod/api/admin/reports/:id/approve, Forbidden").first().waitFor();
    await tab.getByRole("button", { name: "Request rejected" }).first().click();
    await dialog(tab).getByText("CallRefused, version 1").waitFor();
    await dialog(tab)
      .getByText(/^The event is unchanged/)
      .waitFor();
    await tab.context().close();
  });

  it("names an event's encrypted parts, and shows none of their content", async () => {
    await page.getByRole("button", { name: "Submit report" }).click();
    await dialog(page).getByText("Personal, Text, Reporter").waitFor();
    const text = await dialog(page).innerText();
    expect(text).toContain(`report-${report}`);
    for (const hidden of ["Quinn", "Ames", "rae@", "4242"]) expect(text).not.toContain(hidden);
    await press(page, "Close");
  });

  it("is checked by a job that can be stopped and restarted, and that keeps its result", async () => {
    await press(page, "Check the log");
    await dialog(page)
      .getByText(/computes its hash again/)
      .waitFor();
    // The lock makes the check wait, so it is certainly in progress.
    await onDatabase(site.dataDir, async (client) => {
      await client.query("begin; lock table event_log.event in access exclusive mode");
      await dialog(page)
        .getByRole("button", { name: /^Check (now|again)$/ })
        .click();
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
  });

  it("names an event that was tampered with, in the check and in the entry", async () => {
    const stream = `report-${report}`;
    await change(stream, '"role":"visitor"', '"role":"admin"');
    await dialog(page)
      .getByRole("button", { name: /^Check (now|again)$/ })
      .click();
    await dialog(page)
      .getByText(new RegExp(`does not verify at event .*\\(stream ${stream}, revision 0`))
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, "Close");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Submit report" }).click();
    await dialog(page)
      .getByText(/was changed: its hash doesn't match/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await change(stream, '"role":"admin"', '"role":"visitor"');
  });
});
