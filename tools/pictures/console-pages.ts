import type { Locator, Page } from "playwright-core";
import { SELDOM } from "../../e2e/support/browser.ts";
import { WIDE, within } from "../../e2e/support/page-checks.ts";
import type { Screen } from "./screen.ts";
import type { Setting, Stage } from "./stage.ts";

/** Loading indicators, except charts below the window and progress bars. */
export const LOADING =
  '[role="progressbar"]:not([aria-valuenow]), [aria-busy="true"], .MuiSkeleton-root:not([aria-hidden="true"] *)';
const START: Screen = { name: "start", path: "/admin/settings", as: "admin" };

export const main = (page: Page): Locator => page.getByRole("main");

/** Opens the console as an admin, at the settings. */
export function asAdmin<T>(stage: Stage, use: (page: Page) => Promise<T>): Promise<T> {
  return stage.show(START, { width: WIDE.width, colors: "light" }, use);
}

/** Returns the paths of the console's sections. */
export function sectionsOf(page: Page): Promise<string[]> {
  return page
    .getByRole("navigation", { name: "Sections" })
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
}

/** Returns the paths of the sections and of one page of each kind opened from them that reads data. */
export async function pagesOf(stage: Stage, setting: Setting): Promise<readonly string[]> {
  const { addresses, sessions } = setting;
  const report = `/admin/reports/${addresses.moderated}`;
  const { id } = JSON.parse(sessions.owner?.user ?? "") as { id: string };
  return [
    ...(await asAdmin(stage, sectionsOf)),
    report,
    `${report}/history`,
    `${report}/edit`,
    "/admin/reports/deleted",
    `/admin/users/${id}`,
    `/admin/inquiries/${addresses.inquiry}`,
    `/admin/notices/${addresses.notice}`,
    "/admin/documents/notices",
    "/admin/content/terms",
    "/admin/templates/approved/shipped",
  ];
}

/** Opens a tab for each console path, in three browsers. @param look returns the problems it finds. */
export async function visit(
  stage: Stage,
  paths: readonly string[],
  look: (tab: Page, address: string, path: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...paths];
  const some = async () => {
    const start = await stage.openAsAdmin();
    for (let path = waiting.shift(); path; path = waiting.shift()) {
      const here = path;
      const tab = await start.context().newPage();
      const wrong = await look(tab, new URL(path, start.url()).href, path);
      found.push(...wrong.map((line) => `${here}: ${line}`));
      await tab.close();
    }
    await start.context().close();
  };
  await Promise.all([some(), some(), some()]);
  return found;
}

/** Navigates within the console as its links do, without reloading its code. */
export async function goWithin(page: Page, to: URL): Promise<void> {
  const before = await page.locator("#main > :last-child").elementHandle();
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, to.href);
  await before?.waitForElementState("hidden");
  await complete(page);
}

/** Whether an element appears within half a minute. */
export function isThere(part: Locator): Promise<boolean> {
  return within(part.waitFor({ timeout: 30_000 }));
}

/** Waits until the page shows content and nothing is loading. */
export async function complete(page: Page, timeout?: number): Promise<void> {
  const isComplete = (busy: string) => {
    const shown = document.querySelector<HTMLElement>("main");
    return shown?.innerText.trim() && !shown.querySelector(busy);
  };
  await page.waitForFunction(isComplete, LOADING, { ...SELDOM, ...(timeout && { timeout }) });
}
