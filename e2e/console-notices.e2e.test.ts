import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reportNumber } from "#contracts/report/masks.ts";
import { violations } from "./support/page-checks.ts";
import { runCommand } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const sender = {
  name: "Ann Lee",
  email: "ann@owner.example",
  address: "1 Main St, Denver, CO 80202",
  signature: "Ann Lee",
};
const takedown = {
  ...sender,
  work: "Photographs of watches",
  material: "The first report",
  good_faith: "yes",
  accuracy: "yes",
};
const counterNotice = {
  ...sender,
  phone: "+1 303 555 0100",
  material: "The first report",
  reason: "The photographs are mine",
  mistake: "yes",
  jurisdiction: "yes",
};

let site: Site;
/** The console. Each test continues where the one before ended. */
let page: Page;
let report: string;
let number: string;
let counter: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  const admin = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(admin);
  // The takedown warns its reporter.
  const body = { ...chargeback, reporter_email: "infringer@shop.example" };
  report = (await site.post("/reports/submit", body)).id;
  await site.post(`/admin/reports/${report}/approve`, {}, admin.token);
  number = (await site.post("/dmca/notices", takedown)).number;
  counter = (await site.post("/dmca/counter-notices", counterNotice)).number;
});

const rows = () => page.getByRole("table", { name: "Notices" }).getByRole("row");
const filtered = (filter: object) =>
  site.url(`/admin/notices?filter=${encodeURIComponent(JSON.stringify(filter))}`);
const history = () => page.getByRole("region", { name: "History" }).getByRole("listitem");
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const dialog = () => page.getByRole("dialog");
const confirm = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
const outbox = async () => (await fetch(site.url("/outbox"))).text();

const recent = async () => (await fetch(site.url("/prod/api/reports/recent"))).text();

async function open(which: string): Promise<void> {
  await page.goto(site.url("/admin/notices"));
  await rows().getByRole("link", { name: which }).click();
  await page.getByRole("heading", { level: 1, name: which }).waitFor();
}

describe("DMCA notices in the console", () => {
  it("list a notice with the time left, and record in its history that it was opened", async () => {
    await page.goto(filtered({ kind: "takedown" }));
    await page.getByRole("heading", { level: 1, name: "DMCA Notices" }).waitFor();
    const row = rows().filter({ hasText: number });
    await row.getByText("47 hours left").waitFor();
    expect(await row.innerText()).not.toContain(sender.email);
    await page.goto(filtered({ overdue: "yes" }));
    await page.getByText("No notices match these filters").waitFor();
    await open(number);
    await press("Reveal");
    await page.getByText("Photographs of watches").waitFor();
    await history().filter({ hasText: "Message viewed" }).waitFor();
  });

  it("take down the linked report, and notify both sides", async () => {
    const about = page.getByRole("region", { name: "Material" });
    await about.getByLabel("Report or picture").fill(reportNumber(report).toLowerCase());
    await page.getByRole("option", { name: reportNumber(report) }).click();
    await about.getByRole("button", { name: "Link", exact: true }).click();
    await history().filter({ hasText: "Linked to report R-" }).waitFor();
    await press("Take down");
    await dialog().getByLabel("Details (optional)").fill("The photographs are the owner's");
    await confirm("Take down");
    await history().filter({ hasText: "Material taken down" }).waitFor();
    await page.getByRole("button", { name: "Restore" }).waitFor();
    await expect.poll(outbox).toContain(`DMCA notice ${number}: material taken down`);
    await expect.poll(outbox).toContain("is hidden for now");
    await page.goto(site.url(`/admin/reports/${report}/history`));
    await page.getByText("took the report down because of a copyright notice").waitFor();
    await expect.poll(recent).not.toContain(report);
  });

  it("show on the report's page and in the list that a notice holds it, and offer no decision", async () => {
    await page.goto(site.url(`/admin/reports/${report}`));
    const decision = page.getByRole("region", { name: "Decision" });
    await decision.getByText(/keeps the report from being public/).waitFor();
    await decision.getByText(/\(since /).waitFor();
    expect(await violations(page)).toEqual([]);
    const offered = await decision.getByRole("button").allInnerTexts();
    expect(offered.filter((text) => /Approve|Reject|pending|review/i.test(text))).toEqual([]);
    await page.getByRole("link", { name: number }).click();
    await page.getByRole("heading", { level: 1, name: number }).waitFor();
    await page.goto(site.url("/admin/reports?status=under_review"));
    await page.getByText("Held by a notice").waitFor();
  });

  it("forward a counter-notice, and restore nothing before its time", async () => {
    await open(counter);
    await press("Forward");
    await dialog().getByLabel("Notice number").fill(number);
    await confirm("Forward");
    await history()
      .filter({ hasText: `as an answer to notice ${number}` })
      .waitFor();
    await page.getByText(/^can be restored in \d+ days$/i).waitFor();
    expect(await page.getByRole("button", { name: "Restore" }).count()).toBe(0);
    await expect.poll(outbox).toContain(`DMCA notice ${number}: counter-notice received`);
    await press("Refuse");
    await confirm("Refuse");
    await dialog().getByText("Choose a reason").waitFor();
    await dialog().getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Court action pending" }).click();
    await confirm("Refuse");
    await history().filter({ hasText: "Refused: court action pending" }).waitFor();
  });

  it("are deleted permanently once closed, with a reason, but not while they hold a report", async () => {
    await open(counter);
    const address = page.url();
    await page.getByRole("button", { name: `Delete ${counter}` }).waitFor();
    await page.goto(site.url("/admin/documents/notices"));
    const row = rows().filter({ hasText: counter });
    await rows().filter({ hasText: number }).waitFor();
    expect(await page.getByRole("button", { name: `Delete ${number}` }).count()).toBe(0);
    await row.getByRole("button", { name: `Delete ${counter}` }).click();
    await confirm("Delete permanently");
    await dialog().getByText("Choose a reason").waitFor();
    await dialog().getByRole("combobox", { name: "Reason for the deletion" }).click();
    await page.getByRole("option", { name: "Spam" }).click();
    await confirm("Delete permanently");
    await page.getByText("Notice deleted").waitFor();
    await row.waitFor({ state: "detached" });
    await page.goto(address);
    await page.getByRole("heading", { name: "Notice not found" }).waitFor();
    await page.goto(site.url("/admin/audit-logs"));
    await page.getByText("Delete a notice").first().waitFor();
  });

  it("stay after their sender is erased, while they hold the report", async () => {
    const erased = await runCommand("erase", ["inquiry", number], { dataDir: site.dataDir });
    expect(erased, erased.output).toMatchObject({ code: 0 });
    await page.goto(filtered({ kind: "takedown" }));
    await rows().filter({ hasText: number }).getByText("Address erased").waitFor();
    await open(number);
    await page
      .getByRole("region", { name: "Facts" })
      .getByText("Erased", { exact: true })
      .waitFor();
    expect(await page.getByRole("button", { name: "Reveal" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it("put the report back once the notice is withdrawn", async () => {
    await open(number);
    await press("Restore");
    await dialog().getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "The sender withdrew the notice" }).click();
    await confirm("Restore");
    // An erased notice that holds nothing anymore is gone.
    await page.getByRole("heading", { name: "Notice not found" }).waitFor();
    expect(await page.getByRole("button", { name: "Restore" }).count()).toBe(0);
    await expect.poll(outbox).toContain("is public again");
    await expect.poll(recent).toContain(report);
    expect(site.complaints).toEqual([]);
  });
});
