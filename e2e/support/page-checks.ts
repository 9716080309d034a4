import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** The two sizes in which every page is checked. */
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 360, height: 640 };

/** What axe objects to, as lines that name the rule and the element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${impact} ${id}: ${node.target.join(" ")}`),
  );
}

/** Whether the page scrolls sideways. */
export async function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}
