import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { addAccount } from "./support/added-accounts.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const ANN = { email: "ann-own@registry.example", password: ADMIN.password };

let site: Site;
let page: Page;
let ann: StoredSession;
let ben: StoredSession;
const ids: Record<string, string> = {};

beforeAllInBrowser(async () => {
  site = await sharedSite();
  await addAccount(site.origin, site.dataDir, { role: "admin", ...ANN, name: ["Ann", "Lee"] });
  ann = await openSession(site.origin, ANN);
  ben = await openSession(site.origin, ADMIN);
  await emptyQueue(site.origin, ben.token);
  for (const [first_name, last_name] of [
    ["ANN", "Lee"],
    ["Quinn", "Held"],
    ["Quinn", "Free"],
    ["Quinn", "New"],
  ] as const) {
    const { id } = await site.post("/reports/submit", { ...chargeback, first_name, last_name });
    ids[last_name] = id;
    if (last_name !== "New") await site.post(`/admin/reports/${id}/verify`, {}, ben.token);
  }
  page = await site.openTabAs(ann);
});

const open = (address: string) => page.goto(site.url(address));
const row = (name: string) => page.getByRole("row").filter({ hasText: name });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Reserves the report for Ben, once Ann's page has released it. */
const isHeldByBen = () =>
  expect
    .poll(
      async () =>
        (await site.post("/admin/queue/take", { reports: [ids.Held] }, ben.token)).taken?.report_id,
    )
    .toBe(ids.Held);

describe("a report that names the moderator, in the console", () => {
  it("offers no actions on its row, its page and its form, and says why", async () => {
    await open("/admin/reports");
    await row("ANN Lee").getByText("Concerns you").waitFor();
    expect(await row("ANN Lee").getByRole("button").count()).toBe(0);
    await row("Quinn Held").getByRole("button", { name: "Approve: Quinn Held" }).waitFor();

    await open(`/admin/reports/${ids.Lee}`);
    await page.getByText(OWN_REPORT).waitFor();
    for (const name of [/^Approve/, /^Reject/, /^Delete/, /^Reveal/, /^Write a note/])
      expect(await page.getByRole("button", { name }).count(), String(name)).toBe(0);
    expect(await page.getByRole("link", { name: /^Edit/ }).count()).toBe(0);
    await page.keyboard.press("r");
    await page.keyboard.press("w");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    await open(`/admin/reports/${ids.Lee}/edit`);
    await page.getByText(OWN_REPORT).waitFor();
    expect(await button("Save changes").count()).toBe(0);
  });

  it("is skipped by the queue", async () => {
    await open("/admin/queue");
    await page.getByText("3 to decide").waitFor();
    await page.getByRole("heading", { level: 2, name: "Quinn Held" }).waitFor();
    // Leaving the page releases the report, unless the next page loads before that is sent.
    const left = page.waitForResponse("**/queue/leave");
    await page.getByRole("link", { name: "Open report page" }).click();
    await page.getByRole("heading", { name: "Quinn Held" }).waitFor();
    await left;
  });
});

describe("the list of reports", () => {
  it("has a separate tab for unconfirmed reports, which can be left again", async () => {
    await open("/admin/reports");
    await page.getByRole("tab", { name: /^Unconfirmed/ }).click();
    await row("Quinn Held").waitFor({ state: "detached" });
    await row("Quinn New").waitFor();
    await page.getByRole("tab", { name: /^Pending/ }).click();
    await row("Quinn Held").waitFor();
    await row("Quinn New").waitFor();
  });

  it("asks before a decision about a report that another moderator has reserved", async () => {
    await isHeldByBen();
    await open("/admin/reports");
    await button("Approve: Quinn Held").click();
    await button("Approve report").click();
    const dialog = page.getByRole("dialog", { name: "Decide anyway?" });
    await dialog.getByText(/^First Admin has this report until/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await row("Quinn Held").getByText("Pending").waitFor();
    await button("Approve: Quinn Free").click();
    const asked = page.getByRole("dialog", { name: "Approve the report about Quinn Free?" });
    await asked.getByRole("button", { name: "Cancel" }).click();
    await row("Quinn Free").getByText("Pending").waitFor();
    await button("Approve: Quinn Free").click();
    await asked.getByRole("button", { name: "Approve report" }).click();
    await row("Quinn Free").getByText("Approved").waitFor();
  });

  it("asks before a bulk decision about a report that another moderator has reserved, and leaves it out", async () => {
    await isHeldByBen();
    await open("/admin/reports");
    for (const name of ["ANN Lee", "Quinn Held", "Quinn New"])
      await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await button("Put under review…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^1 of these reports is your own or names you/m).waitFor();
    await button("Put 3 reports under review").click();
    await dialog.getByText(/^First Admin has 1 of these reports, until/).waitFor();
    await button("Put the other 2 under review").click();
    await page.getByText("1 report changed, 1 left as it was.").waitFor();
    await dialog.getByRole("row").filter({ hasText: "ANN Lee" }).getByText(OWN_REPORT).waitFor();
    await button("Close").click();
    await row("Quinn New").getByText("Under Review").waitFor();
    for (const name of ["ANN Lee", "Quinn Held"]) await row(name).getByText("Pending").waitFor();
  });
});
