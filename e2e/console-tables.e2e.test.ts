import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  asAdmin,
  complete,
  isThere,
  main,
  sectionsOf,
  visit,
} from "../tools/pictures/console-pages.ts";
import { sharedStage } from "../tools/pictures/shared-stage.ts";
import type { Stage } from "../tools/pictures/stage.ts";
import { findChromium, NO_BROWSER, SELDOM } from "./support/browser.ts";
import { NARROW, WIDE } from "./support/page-checks.ts";
import { openSession } from "./support/sessions.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
/** Sections that list no records, or not always. */
const WITHOUT = ["/admin/queue", "/admin/settings"];
/** Page sizes for sections whose lists have more rows than that here. */
const PAGED: Readonly<Record<string, number>> = {
  "/admin/reports": 10,
  "/admin/users": 5,
  "/admin/audit-logs": 10,
  "/admin/mails": 10,
  "/admin/content": 10,
};
const ROWS = "tbody tr:not(:has(.MuiSkeleton-root)), ul[aria-label] > li";
/** Presses of Tab within which a list must be reached from the top of its page. */
const MAX_TABS = 80;

let stage: Stage;
/** Addresses of the console's sections. */
let sections: readonly string[];

beforeAll(async () => {
  if (!executable) return;
  stage = await sharedStage();
  await asAdmin(stage, async (page) => {
    sections = await sectionsOf(page);
    // One more user than the smallest page holds.
    await openSession(new URL(page.url()).origin);
  });
  expect(sections.length).toBeGreaterThan(15);
}, 300_000);

/** Tables, whatever their name. */
const tables = (page: Page) => main(page).getByRole("table");
/** Lists of records without headings. The dashboard's bars are not records. */
const lists = (page: Page) =>
  main(page)
    .getByRole("list")
    .filter({ has: page.locator(":scope > li a, :scope > li [aria-haspopup=dialog]") });

/** Opens a section and waits for its rows. */
async function open(page: Page, address: string): Promise<void> {
  const isEmpty = async () =>
    !WITHOUT.includes(new URL(address).pathname) &&
    !(await isThere(main(page).locator(ROWS).first()));
  // On a busy machine, a read may fail, or the list's table may be behind.
  do await page.goto(address, { waitUntil: "networkidle" });
  while (await isEmpty());
  await complete(page);
}

/** Presses Tab from the top of the page until something that opens a row has the focus. */
async function tabInto(page: Page, list: Locator): Promise<boolean> {
  await main(page).focus();
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press("Tab");
    const isThere = await list.evaluate((element) => {
      const focused = document.activeElement;
      return (
        element.contains(focused) &&
        focused?.closest("tbody tr, li") !== null &&
        focused?.matches("a, [aria-haspopup=dialog]")
      );
    });
    if (isThere) return true;
  }
  return false;
}

/** Returns a table's headings. A heading is a fact unless its cells name the row or hold only buttons. */
function headingsOf(table: Locator): Promise<{ label: string; isFact: boolean }[]> {
  return table.evaluate((element) => {
    const cells = [...(element.querySelector("tbody tr")?.children ?? [])];
    const opener = element.querySelector("tbody tr :is(a, [aria-haspopup=dialog])");
    return [...element.querySelectorAll("thead tr > *")].flatMap((head, column) => {
      const buttons = [...head.querySelectorAll('[role="button"]')];
      const labels = buttons.length > 0 ? buttons.map(textOf) : [textOf(head)];
      const cell = cells[column];
      const namesRow = cell?.contains(opener) || cell?.matches('[role="rowheader"]');
      const isButtons = cell?.querySelector("button, [role=button]") && !wordsBeside(cell);
      return labels.map((label, index) => ({
        label,
        isFact: label !== "" && !isButtons && !(index === 0 && namesRow),
      }));
    });
    function textOf(part: Element): string {
      return part.textContent?.trim() ?? "";
    }
    function wordsBeside(cell: Element): string {
      const copy = cell.cloneNode(true) as Element;
      for (const button of copy.querySelectorAll("button, a[role=button], [role=button]"))
        button.remove();
      return textOf(copy);
    }
  });
}

/** How much there was to check. */
const checked = { sorted: 0, opened: 0, facts: 0, paged: [] as string[] };

/** Returns tables and lists without a name or headings, and columns that can't be sorted by keyboard. */
async function wrongHeadings(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const all of [tables(page), lists(page)]) {
    const nameless = await all.evaluateAll((some) =>
      some.filter((each) => !each.matches("[aria-label], [aria-labelledby]")),
    );
    if (nameless.length > 0) wrong.push("a table or list has no name");
  }
  for (const table of await tables(page).all()) {
    const heads = table.getByRole("columnheader");
    const bare = table.getByRole("row").filter({ hasNot: page.getByRole("rowheader") });
    // A table of sums needs no column headings, but its rows need headings.
    if ((await heads.count()) === 0 && (await bare.count()) > 0)
      wrong.push("a table has rows without headings");
    let isTurned = false;
    for (const head of await heads.all()) {
      const box = head.getByRole("checkbox", { name: /\S/ });
      const says = (await head.innerText()).trim() !== "" || (await box.count()) > 0;
      if (!says) wrong.push("a heading says nothing");
      for (const button of await head.getByRole("button").all()) {
        const name = await button.innerText();
        const order = () => head.getAttribute("aria-sort");
        // Two headings may share a cell.
        const shown = async () =>
          `${await button.evaluate((it) => it.matches(".Mui-active"))} ${await order()}`;
        const press = async () => {
          const before = await shown();
          await button.focus();
          await page.keyboard.press("Enter");
          // The URL changes before the table does.
          await expect.poll(shown, { message: `how ${name} is sorted` }).not.toBe(before);
          return order();
        };
        const orders = [await press()];
        // Only one heading per table reverses the order, because all use the same component.
        if (!isTurned) orders.push(await press());
        if (!["ascending", "descending", "ascending,descending"].includes(orders.sort().join()))
          wrong.push(`${name} is sorted ${orders.join(" and ")}`);
        isTurned = true;
        const isKept = await button.evaluate((it) => it === document.activeElement);
        if (!isKept) wrong.push(`${name} loses the focus`);
        checked.sorted += 1;
      }
    }
  }
  return wrong;
}

/** Returns lists where Tab reaches no row or Enter opens none. */
async function closedRows(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  const address = page.url();
  for (const all of [tables(page), lists(page)]) {
    for (let n = 0; n < (await all.count()); n += 1) {
      const list = all.nth(n);
      const name = (await list.getAttribute("aria-label")) ?? "";
      // Figures are only read, and lead nowhere.
      if ((await list.locator("a, [aria-haspopup=dialog]").count()) === 0) continue;
      if (!(await tabInto(page, list))) {
        wrong.push(`Tab does not reach a row of ${name}`);
        continue;
      }
      await page.keyboard.press("Enter");
      const isOpen = await page
        .waitForFunction(
          (before) => location.href !== before || document.querySelector('[role="dialog"]'),
          address,
          { ...SELDOM, timeout: 20_000 },
        )
        .then(
          () => true,
          () => false,
        );
      if (!isOpen) wrong.push(`Enter opens no row of ${name}`);
      checked.opened += 1;
      if (page.url() === address) await page.keyboard.press("Escape");
      else await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await list.waitFor();
      await complete(page);
    }
  }
  return wrong;
}

/** Goes to the next page and back by keyboard, if there is one. */
async function readOn(page: Page, path: string): Promise<void> {
  const next = main(page).getByRole("button", { name: "Go to next page" });
  const rows = () => main(page).locator("tbody tr, ul[aria-label] > li").allInnerTexts();
  if ((await next.count()) === 0 || !(await next.isEnabled())) return;
  checked.paged.push(path);
  const before = await rows();
  await next.focus();
  await page.keyboard.press("Enter");
  const known = async () => (await rows()).filter((row) => before.includes(row)).length;
  // Another test may add a row at any time, so compare more than one row of each page.
  await expect.poll(known, { timeout: 20_000 }).toBeLessThan(before.length / 2);
  const back = main(page).getByRole("button", { name: "Go to previous page" });
  await back.focus();
  await page.keyboard.press("Enter");
  await expect.poll(known, { timeout: 20_000 }).toBeGreaterThan(before.length / 2);
}

/** Returns cells that do not name their column on a phone. */
async function namelessCells(page: Page): Promise<string[]> {
  const wide = await Promise.all(
    (await tables(page).all()).map(async (table) => ({
      name: (await table.getAttribute("aria-label")) ?? "",
      labels: (await headingsOf(table)).flatMap(({ label, isFact }) => (isFact ? [label] : [])),
    })),
  );
  await page.setViewportSize(NARROW);
  const wrong: string[] = [];
  for (const { name, labels } of wide) {
    const list = main(page).getByRole("list", { name, exact: true });
    const table = main(page).getByRole("table", { name, exact: true });
    await list.or(table).first().waitFor();
    const rows = (await table.count())
      ? await table
          .locator("tbody tr")
          .evaluateAll((all) =>
            all.map((row) =>
              [...row.querySelectorAll("td")].map((cell) =>
                getComputedStyle(cell, "::before").content.replace(/^"|"$/g, ""),
              ),
            ),
          )
      : await list
          .locator(":scope > li")
          .evaluateAll((all) =>
            all.map((row) => [...row.querySelectorAll("dt")].map((term) => term.textContent)),
          );
    checked.facts += rows.length * labels.length;
    for (const label of labels)
      if (rows.some((row) => !row.includes(label))) wrong.push(`a row of ${name} has no ${label}`);
  }
  return wrong;
}

describe("the tables and lists of the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("name their columns, even on a phone, and are sorted, opened and paged by keyboard", async () => {
    const found = await visit(stage, sections, async (page, section, path) => {
      await open(page, path in PAGED ? `${section}?perPage=${PAGED[path]}` : section);
      const nameless = await namelessCells(page);
      await page.setViewportSize(WIDE);
      await complete(page);
      await readOn(page, path);
      return [...nameless, ...(await wrongHeadings(page)), ...(await closedRows(page))];
    });
    expect(found).toEqual([]);
    expect(checked.sorted).toBeGreaterThan(10);
    expect(checked.opened).toBeGreaterThan(12);
    expect(checked.facts).toBeGreaterThan(100);
    expect(checked.paged.sort()).toEqual(Object.keys(PAGED).sort());
  }, 900_000);
});
