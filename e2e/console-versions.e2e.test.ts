import type { Page, Response } from "playwright-core";
import { describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { send } from "./support/calls.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let id: string;
let admin: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
  admin = (await site.post("/auth/login", ADMIN)).token;
  const description = "Call (303) 555-0142";
  const body = { ...chargeback, description, notes: "Kept from the public" };
  id = (await site.post("/reports/submit", body)).id;
  const changes = { city: "Boulder", amount: 480, notes: "Another note" };
  await send(site.origin, `PUT /admin/reports/${id}`, changes, admin);
});

describe("a report's versions in the console", () => {
  it("are compared field by field, without sending private values", async () => {
    const answers: Promise<string>[] = [];
    const collect = (answer: Response) => {
      const isOfApi = answer.url().includes("/prod/") && answer.url().includes("/history");
      if (isOfApi) answers.push(answer.text());
    };
    page.on("response", collect);
    await page.goto(site.url(`/admin/reports/${id}/history`));
    await signIn(page, ADMIN.email, ADMIN.password);
    await page.getByRole("heading", { level: 1, name: /History of/ }).waitFor();
    await page.getByRole("link", { name: "View version" }).last().click();
    await page.getByRole("heading", { name: /^Version from/ }).waitFor();
    await page.getByRole("combobox", { name: "Compare with" }).click();
    await page.getByRole("option", { name: /^Revision 1: / }).click();
    const table = page.getByRole("region", { name: "Differences between revisions 0 and 1" });
    const rows = table.getByRole("row");
    await rows.filter({ hasText: "City" }).getByText("Boulder").waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      "Field\tRevision 0\tRevision 1",
      "City\tDenver\tBoulder",
      expect.stringMatching(/^[^\t]*\t\$412\.50\t\$480\.00$/),
      expect.stringMatching(/^[^\t]*\tChanged, hidden$/),
    ]);
    expect(page.url()).toContain("?at=0&against=1");
    expect(await violations(page)).toEqual([]);
    // Bodies of answers to a page that was left are gone, so no later test may collect them.
    page.off("response", collect);
    const sent = (await Promise.all(answers)).join();
    expect(sent).toContain("Boulder");
    expect(sent).not.toContain("Kept from the public");
    expect(sent).not.toContain("Another note");
  });

  it("can be restored after a confirmation, and the history says who did it", async () => {
    await page.getByRole("button", { name: "Restore this version…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("stays in the history").waitFor();
    await dialog.getByRole("button", { name: "Restore version" }).click();
    await page.getByText(/restored an earlier version, revision 0$/).waitFor();
    await page.getByText(/changed the city, Boulder to Denver$/).waitFor();
    await page.goto(site.url(`/admin/reports/${id}`));
    await page.getByText(/^Denver, /).waitFor();
    expect(await page.getByText(/^Boulder, /).count()).toBe(0);
  });

  it("cannot be restored if they are current", async () => {
    await page.goto(site.url(`/admin/reports/${id}/history?at=3`));
    await page.getByRole("heading", { name: /^Version from/ }).waitFor();
    expect(await page.getByRole("button", { name: "Restore this version…" }).count()).toBe(0);
    await page.getByRole("link", { name: "Previous" }).waitFor();
    expect(site.complaints).toEqual([]);
  });

  it("have their private text highlighted, and masked permanently with one key", async () => {
    await page.goto(site.url(`/admin/reports/${id}/history?at=0`));
    const mark = page.locator("mark").filter({ hasText: "(303) 555-0142" });
    await mark.waitFor();
    await page.getByRole("button", { name: "Mask private text" }).waitFor();
    await page.keyboard.press("x");
    await page.getByText("[masked]").first().waitFor();
    expect(await mark.count()).toBe(0);
    await page.goto(site.url(`/admin/reports/${id}`));
    await page.getByText("Call (***) ***-****").waitFor();
    expect(site.complaints).toEqual([]);
  });

  it("come from the edit form too, which validates, adds up, and says what it changes", async () => {
    const item = { amount: 20, date: "2026-03-04", reason: "fraudulent", order_id: "A-1" };
    await send(site.origin, `PUT /admin/reports/${id}`, { chargebacks: [item] }, admin);
    await page.goto(site.url(`/admin/reports/${id}/edit`));
    const save = page.getByRole("button", { name: "Save changes" });
    await page.getByText("Nothing changed yet").waitFor();
    await page.getByLabel("City").fill("Aurora");
    await page.getByLabel("Original amount").fill("1,480.5");
    await page.getByText("2 changes").waitFor();
    await page.getByText("Total due: $1,500.50").waitFor();
    await page.getByRole("button", { name: "Reveal", exact: true }).click();
    const added = page.getByRole("group", { name: "Additional chargeback 1" });
    await added.getByLabel("Other fees").fill("4,5");
    await added.getByLabel("Card, last 4 digits").fill("12");
    await save.click();
    const summary = page.getByRole("alert").filter({ hasText: "2 fields need to be fixed" });
    await summary.getByText("Write the cents after a period, for example 12.50").waitFor();
    await summary.getByText("Enter the last 4 digits of the card").waitFor();
    await added.getByLabel("Other fees").fill("4.50");
    await added.getByLabel("Card, last 4 digits").fill("");
    await page.getByText("Total due: $1,505.00").waitFor();
    await save.click();
    await page.getByText("Report updated successfully").waitFor();
    await page.getByText("Additional chargeback 1, Mar 4, 2026, Fraudulent").waitFor();
    await page.getByText("Amount $20.00, Other fees $4.50, together $24.50").waitFor();
    expect(await page.getByLabel("Amounts").innerText()).toMatch(
      /1, \$24\.50\s+Total due\s+\$1,505\.00/,
    );
    await page.getByText(/^Aurora, /).waitFor();
    expect(site.complaints).toEqual([]);
  });
});
