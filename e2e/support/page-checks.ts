import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import type { Allowance } from "./axe-allowances.ts";
import { SELDOM } from "./browser.ts";

/** Axe's minified build: less than half the size of the package's default. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The two viewports in which every page is checked. */
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 360, height: 640 };

/** Waits for finite animations to end. */
async function motionEnds(page: Page): Promise<void> {
  const isOver = () =>
    document
      .getAnimations()
      .every(
        (each) =>
          each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity,
      );
  await page.waitForFunction(isOver, undefined, SELDOM);
}

/**
 * Returns the axe violations that no allowance covers, and the allowances that were needed. Waits for fades,
 * which change colors.
 */
export async function objections(
  page: Page,
  allowances: readonly Allowance[],
): Promise<{ readonly lines: readonly string[]; readonly needed: readonly Allowance[] }> {
  await motionEnds(page);
  // A document that was checked before already has it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const look = async (allowed: readonly Allowance[]) => {
    const { axe } = globalThis as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } };
    // Describing each passing element would take as long as all the rules.
    const { violations } = await axe.run({ resultTypes: ["violations"], elementRef: true });
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ element, target }) => ({
        line: `${impact} ${id}: ${target.join(" ")}`,
        allowance: allowed.findIndex(({ rule, at }) => rule === id && element?.matches(at)),
      })),
    );
  };
  const found = await page.evaluate(look, allowances);
  return {
    lines: found.filter(({ allowance }) => allowance < 0).map(({ line }) => line),
    needed: allowances.filter((_, index) => found.some(({ allowance }) => allowance === index)),
  };
}

/** Returns the axe violations as lines that name the rule and the element. */
export async function violations(
  page: Page,
  allowances: readonly Allowance[] = [],
): Promise<string[]> {
  return [...(await objections(page, allowances)).lines];
}

/** Whether a wait of Playwright's ends before its time limit. @throws its other errors. */
export function within(waiting: Promise<unknown>): Promise<boolean> {
  return waiting.then(
    () => true,
    (error: Error) => {
      if (error.name !== "TimeoutError") throw error;
      return false;
    },
  );
}

/** Whether the page scrolls sideways, even after its scripts had time to adapt to a new width. */
export async function overflows(page: Page): Promise<boolean> {
  const fits = () => document.documentElement.scrollWidth <= innerWidth;
  return !(await within(page.waitForFunction(fits, undefined, { ...SELDOM, timeout: 5_000 })));
}

/**
 * Returns the axe violations in a page as it is, and whether it scrolls sideways, narrow or wide. Leaves the page
 * wide. The walks over all screens also run axe narrow and dark.
 */
export async function faults(page: Page): Promise<string[]> {
  const found = await violations(page);
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport);
    if (await overflows(page)) found.push(`scrolls sideways at ${viewport.width}`);
  }
  return found;
}
