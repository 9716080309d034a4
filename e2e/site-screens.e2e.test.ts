import { describe, expect, it } from "vitest";
import type { Screen } from "../tools/pictures/screen.ts";
import { isFirstOfPage, SCREENS } from "../tools/pictures/screens.ts";
import { sharedStage } from "../tools/pictures/shared-stage.ts";
import { COLORS, type Stage } from "../tools/pictures/stage.ts";
import { overflows, violations, WIDE } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

const WIDTHS = [320, 640, 960, 1920];
/** Widths for another state of a page, which has the same parts in the same columns. */
const WIDTHS_OF_STATE = [320, 960];

let stage: Stage;
beforeAllInBrowser(async () => {
  stage = await sharedStage();
});

/**
 * Returns what is wrong with a screen: axe violations, narrow and dark (for the first of a page also wide and
 * light), and sideways scrolling at any width.
 */
async function faults(screen: Screen): Promise<string[]> {
  // The console's screens are checked separately (console-colors.e2e.test.ts).
  if (screen.path.startsWith("/admin")) return [];
  const found: string[] = [];
  const shot = { width: 320, colors: "dark", again: true } as const;
  await stage.show(screen, shot, async (page, complaints) => {
    const check = async (colors: string) => {
      const lines = await violations(page);
      found.push(...lines.map((line) => `${screen.name}, ${colors}: ${line}`));
    };
    // Without JavaScript axe cannot run; the same markup is checked with it.
    if (!screen.plain) await check("dark");
    if (!screen.plain && isFirstOfPage(screen)) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme: "light" });
      await check("light");
    }
    for (const width of isFirstOfPage(screen) ? WIDTHS : WIDTHS_OF_STATE) {
      await page.setViewportSize({ width, height: 700 });
      if (await overflows(page)) found.push(`${screen.name} scrolls sideways at ${width}`);
    }
    found.push(...complaints.map((text) => `${screen.name} complains: ${text}`));
  });
  return found;
}

describe("every screen in every state", () => {
  it("passes axe, and scrolls sideways at no width", async () => {
    const found: string[] = [];
    const waiting = [...SCREENS];
    const some = async () => {
      for (let screen = waiting.shift(); screen; screen = waiting.shift())
        found.push(...(await faults(screen)));
    };
    await Promise.all([some(), some(), some()]);
    expect(found).toEqual([]);
  }, 600_000);

  it("has buttons that stay readable under the pointer, links among them", async () => {
    const screen: Screen = { name: "pointer", path: "/nowhere" };
    for (const colors of COLORS)
      await stage.show(screen, { width: WIDE.width, colors }, async (page) => {
        const button = page.getByRole("main").getByRole("link", { name: "Search the database" });
        const ink = () => button.evaluate((element) => getComputedStyle(element).color);
        const before = await ink();
        await button.hover();
        // Axe does not report text in the color of its background, as it may be hidden on purpose.
        expect(await ink(), colors).toBe(before);
        expect(await violations(page), colors).toEqual([]);
      });
  });

  it("has the colors that the visitor chose before any script runs, and prints light", async () => {
    const [home] = SCREENS as [Screen];
    const ground = () => getComputedStyle(document.body).backgroundColor;
    await stage.show(home, { width: 1280, colors: "light" }, async (page) => {
      const light = await page.evaluate(ground);
      await page.getByLabel("Colors").selectOption("Dark");
      const dark = await page.evaluate(ground);
      expect(dark).not.toBe(light);
      await page.reload();
      await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
      expect(await page.evaluate(ground)).toBe(dark);
      await expect.poll(() => page.getByLabel("Colors").inputValue()).toBe("dark");
      const sent = await page.request.get(page.url());
      expect(await sent.text()).toContain('<html lang="en" data-theme="dark">');
      await page.emulateMedia({ media: "print" });
      const ink = () => getComputedStyle(document.body).color;
      const printed = await page.evaluate(ink);
      await page.emulateMedia({ media: "screen" });
      await page.getByLabel("Colors").selectOption("System");
      await expect.poll(() => page.evaluate(ink)).toBe(printed);
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => page.evaluate(ground)).toBe(dark);
      await page.getByLabel("Colors").selectOption("Light");
      await expect.poll(() => page.evaluate(ground)).toBe(light);
    });
  });
});
