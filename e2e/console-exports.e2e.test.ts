import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { LIST_EXPORT_ROWS, LIST_EXPORTS } from "#contracts/http/list-exports.ts";
import { send } from "./support/calls.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const FORMULA = '=HYPERLINK("http://x.example";"Refund, now")';
/** Last names and titles of the reports, oldest first. */
const REPORTS = [
  ["Abel", "Disputed a delivered order"],
  ["Bond", FORMULA],
  ["Carr", 'Disputed, "again"'],
] as const;

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let admin: StoredSession;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  for (const [last_name, title] of REPORTS) {
    const personal = { email: "quinn@example.net", phone: "+1 303 555 0142" };
    const description = "Signed for it,\nthen disputed it.";
    const body = { ...chargeback, ...personal, first_name: "Zelda", last_name, title, description };
    await site.post("/reports/submit", body);
  }
  const other = { ...chargeback, first_name: "Zeno", last_name: "Orr" };
  await site.post("/reports/submit", other);
  admin = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(admin);
});

/** Returns a list's rows as the console gets them. */
async function listed(resource: string, filter: object): Promise<Record<string, unknown>[]> {
  const query = new URLSearchParams({ filter: JSON.stringify(filter), range: "[0,99]" });
  const headers = { authorization: `Bearer ${admin.token}` };
  return (await fetch(site.url(`/prod/admin/${resource}?${query}`), { headers })).json();
}
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const saved = async (): Promise<unknown[]> =>
  (await send<{ filters: unknown[] }>(site.origin, "GET /admin/saved-filters", {}, admin.token))
    .filters;
const links = () => page.getByRole("link", { name: /^Zelda |^Zeno / });
const dialog = () => page.getByRole("dialog");
async function export_(format: string) {
  await press("Export");
  await press(format);
}
async function exported(format: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), export_(format)]);
  await dialog().waitFor({ state: "detached" });
  const text = await readFile(await download.path(), "utf8");
  return { name: download.suggestedFilename(), text };
}
/** Reads CSV as defined by RFC 4180. */
function cellsOf(csv: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    line.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === ",") continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

describe("exports and saved queries of the console's lists", () => {
  it("save a named query, and apply it after a reload", async () => {
    await page.goto(site.url("/admin/reports"));
    await expect.poll(() => links().count()).toBe(4);
    await page.getByRole("searchbox", { name: "Search" }).fill("Zelda");
    await page.keyboard.press("Enter");
    await expect.poll(() => links().count()).toBe(3);
    await press("More filters");
    await page.getByLabel("Amount from").fill("1");
    await page.waitForURL(/amount_min/);
    await press("Saved queries");
    await press("Save current query...");
    await page.getByLabel("Query name").fill("All of Zelda");
    await press("Save");
    await page.getByRole("button", { name: "All of Zelda" }).waitFor();
    await expect.poll(async () => (await saved()).length).toBe(1);

    await page.goto(site.url("/admin/reports?filter=%7B%7D"));
    await expect.poll(() => links().count()).toBe(4);
    expect(await page.getByLabel("Amount from").count()).toBe(0);
    await press("Saved queries");
    await press("All of Zelda");
    await page.waitForURL(/Zelda/);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.getByLabel("Amount from").waitFor();
    expect(await page.getByLabel("Amount from").inputValue()).toBe("1");
    await expect.poll(() => links().count()).toBe(3);
    expect(await page.getByRole("searchbox", { name: "Search" }).inputValue()).toBe("Zelda");
  });

  it("drop a search typed just before the filters are cleared", async () => {
    const tab = await site.openTabAs(admin);
    await tab.clock.install();
    await tab.goto(site.url("/admin/reports?filter=%7B%22q%22%3A%22Zelda%22%7D"));
    const found = tab.getByRole("link", { name: /^Zelda |^Zeno / });
    await expect.poll(() => found.count()).toBe(3);
    // Nothing is requested while time stands still.
    await tab.clock.pauseAt(Date.now() + 60_000);
    const search = tab.getByRole("searchbox", { name: "Search" });
    await search.fill("Zelda Carr");
    await tab.getByRole("button", { name: "Clear filters" }).press("Enter");
    await tab.clock.runFor(1000);
    await tab.clock.resume();
    await expect.poll(() => found.count()).toBe(4);
    expect(await search.inputValue()).toBe("");
    expect(tab.url()).not.toContain("Zelda");
    // It was one navigation step.
    await tab.goBack();
    await expect.poll(() => search.inputValue()).toBe("Zelda");
    await tab.context().close();
  });

  it("write the list's rows as CSV, masks included, with no formula that a spreadsheet would run", async () => {
    const { name, text } = await exported("CSV, for spreadsheets");
    await page.getByText("Exported 3 rows").waitFor();
    expect(name).toMatch(/^reports-\d{4}-\d\d-\d\d\.csv$/);
    expect(text.startsWith("\u{feff}id,")).toBe(true);
    expect(text).not.toContain("quinn@example.net");
    expect(text).not.toContain("0142");
    expect(text).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
    const [columns = [], ...lines] = cellsOf(text.slice(1));
    const rows = await listed("reports", { q: "Zelda" });
    expect(rows.map(({ last_name }) => last_name)).toEqual(["Carr", "Bond", "Abel"]);
    expect(rows[0]?.email).toBe("q***@***");
    const visible = await links().allInnerTexts();
    expect(visible).toEqual(rows.map((row) => `${row.first_name} ${row.last_name}`));
    for (const [i, row] of rows.entries()) {
      const plain = Object.entries(row).filter(([, value]) => typeof value !== "object");
      const expected = plain.map(([field, value]) => [field, `${value}`.replace(/^=/, "'=")]);
      const found = plain.map(([field]) => [field, lines[i]?.[columns.indexOf(field)]]);
      expect(found).toEqual(expected);
    }
    expect(lines).toHaveLength(3);
  });

  it("write them as JSON equal to the list", async () => {
    const { name, text } = await exported("JSON, for programs");
    expect(name).toMatch(/\.json$/);
    expect(JSON.parse(text)).toEqual(await listed("reports", { q: "Zelda" }));
  });

  it("can be canceled, and then save nothing", async () => {
    const downloads: unknown[] = [];
    page.on("download", (download) => downloads.push(download));
    await page.route(`**${LIST_EXPORT_ROWS}`, () => undefined);
    await export_("CSV, for spreadsheets");
    await dialog().getByText("0 of 3 rows").waitFor();
    expect(await violations(page)).toEqual([]);
    const [ended] = await Promise.all([
      page.waitForEvent("requestfailed", (request) => request.url().endsWith(LIST_EXPORT_ROWS)),
      press("Cancel"),
    ]);
    expect(ended.url()).toBe(site.url(LIST_EXPORT_ROWS));
    await dialog().waitFor({ state: "detached" });
    expect(downloads).toEqual([]);
    await page.unroute(`**${LIST_EXPORT_ROWS}`);
  });

  it("say what failed, save nothing, and can be retried", async () => {
    await page.route(`**${LIST_EXPORTS}`, (route) => route.abort());
    await export_("CSV, for spreadsheets");
    await dialog().getByText("Nothing was saved").waitFor();
    await page.unroute(`**${LIST_EXPORTS}`);
    const [download] = await Promise.all([page.waitForEvent("download"), press("Try again")]);
    expect(cellsOf(await readFile(await download.path(), "utf8"))).toHaveLength(4);
  });

  it("delete a saved query, which no other list shows", async () => {
    await page.goto(site.url("/admin/users"));
    await press("Saved queries");
    await page.getByRole("dialog", { name: "Saved queries" }).waitFor();
    expect(await page.getByRole("button", { name: "All of Zelda" }).count()).toBe(0);
    await page.goto(site.url("/admin/reports"));
    await press("Saved queries");
    await press("All of Zelda");
    await press("Remove saved query");
    await press("Confirm");
    await page.getByRole("button", { name: "All of Zelda" }).waitFor({ state: "detached" });
    await expect.poll(saved).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
