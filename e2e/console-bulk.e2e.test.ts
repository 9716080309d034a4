import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { APPEND_LOCK } from "#event-store/postgres/schema.ts";
import { onDatabase } from "./support/database.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

/** No other test file reports anyone of this name. */
const LIST = `/admin/reports?filter=${encodeURIComponent('{"q":"Bulky"}')}`;
/** Last names of the reports; the newest is first in the list. */
const NAMES = ["Abel", "Bond", "Carr", "Dunn", "Egan", "Ford", "Gale", "Hope", "Iyer", "Judd"];

let site: Site;
const ids: Record<string, string> = {};

beforeAllInBrowser(async () => {
  site = await sharedSite();
  for (const last_name of NAMES) {
    const body = { ...chargeback, first_name: "Bulky", last_name };
    ids[last_name] = (await site.post("/reports/submit", body)).id;
  }
});

async function openList(): Promise<{ page: Page; token: string }> {
  const session = await openSession(site.origin, ADMIN);
  const page = await site.openTabAs(session);
  await page.goto(site.url(LIST));
  await page.getByRole("link", { name: "Bulky Judd" }).waitFor();
  return { page, token: session.token };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

describe("bulk actions on reports in the console", () => {
  it("reject all reports but one that someone else changed, and name it", async () => {
    const { page, token } = await openList();
    await page.getByRole("checkbox", { name: "Select all reports on this page" }).check();
    await page.getByText("10 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select Bulky Abel" }).uncheck();
    await page.getByText("9 selected").waitFor();
    await site.post(`/admin/reports/${ids.Bond}/verify`, {}, token);

    await press(page, "Reject…");
    const dialog = page.getByRole("dialog", { name: "Reject 9 reports?" });
    await dialog.getByText(/None of them will be published/).waitFor();
    await press(page, "Reject 9 reports");
    await dialog.getByText("Choose a reason").waitFor();
    await dialog
      .getByRole("radiogroup", { name: "Reason for all reports" })
      .getByRole("radio", { name: "Other" })
      .check();
    await press(page, "Reject 9 reports");
    await dialog.getByText("Enter the reason").waitFor();
    await dialog.getByLabel("Details for the reporters").fill("The order was never placed.");
    await press(page, "Reject 9 reports");
    await page.getByText("8 reports changed, 1 left as it was.").waitFor();
    const left = page.getByRole("dialog").getByRole("row").filter({ hasText: "Bulky Bond" });
    await left.getByText("Changed by someone else").waitFor();
    // Nothing covers the link.
    await left.getByRole("link").click({ trial: true });
    await press(page, "Close");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    for (const name of NAMES.slice(2)) await row(page, name).getByText("Rejected").waitFor();
    for (const name of NAMES.slice(0, 2)) await row(page, name).getByText("Pending").waitFor();
    await page.getByText("selected", { exact: false }).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("can be stopped midway, leaving reports unchanged that were not started", async () => {
    const { page } = await openList();
    await page.getByRole("tab", { name: /^Rejected/ }).click();
    await row(page, "Bulky Abel").waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Select all reports on this page" }).check();
    await page.getByText("8 selected").waitFor();
    await press(page, "Put under review…");
    // The lock blocks all appends, so the action is certainly midway.
    await onDatabase(site.dataDir, async (client) => {
      await client.query("select pg_advisory_lock($1)", [APPEND_LOCK]);
      await press(page, "Put 8 reports under review");
      await page.getByText("In progress: 0 of 8").waitFor();
      await press(page, "Stop");
      await page.getByText("Stopping: 0 of 8").waitFor();
    });
    await page.getByText("Stopped: 4 reports changed, 4 not started.").waitFor();
    await press(page, "Close");
    await page.getByRole("tab", { name: /^Under review/i }).click();
    await expect.poll(() => row(page, "Bulky").count()).toBe(4);
    await page.context().close();
  });

  it("drop the selection with another filter or page, and can select a whole list", async () => {
    const { page } = await openList();
    await page.goto(`${site.url(LIST)}&perPage=5`);
    await row(page, "Bulky Judd").waitFor();
    await page.getByRole("checkbox", { name: "Select all reports on this page" }).check();
    await page.getByText("5 selected").waitFor();
    await press(page, "Select all 10 of this list");
    await page.getByText("10 selected").waitFor();
    await page.getByRole("tab", { name: /^Pending/ }).click();
    await page.getByText("10 selected").waitFor({ state: "detached" });
    const abel = page.getByRole("checkbox", { name: "Select Bulky Abel" });
    await abel.check();
    await page.getByText("1 selected").waitFor();
    await page.getByRole("link", { name: "Bulky Abel" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasText: "Bulky Abel" }).waitFor();
    await page.goBack();
    await row(page, "Bulky Abel").waitFor();
    expect(await abel.isChecked()).toBe(false);
    await page.context().close();
  });
});
