import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { color, darkColor } from "#theme/tokens.ts";
import type { Screen } from "../tools/pictures/screen.ts";
import { isFirstOfPage, SCREENS } from "../tools/pictures/screens.ts";
import { sharedStage } from "../tools/pictures/shared-stage.ts";
import type { Stage } from "../tools/pictures/stage.ts";
import { type Allowance, CONSOLE_ALLOWANCES } from "./support/axe-allowances.ts";
import { SELDOM } from "./support/browser.ts";
import { NARROW, objections, overflows, WIDE } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

const CONSOLE = SCREENS.filter(({ path }) => path.startsWith("/admin"));
/** Axe takes twice as long for 25 rows as for ten. */
const LONG_LISTS = ["/admin/reports", "/admin/audit-logs"];
const LIGHT = rgb(color.ground);
const DARK = rgb(darkColor.ground);
const PAPER = rgb(color.paper);

let stage: Stage;
beforeAllInBrowser(async () => {
  stage = await sharedStage();
});

/** `#f4f6f8` as a browser reports it. */
function rgb(hex: string): string {
  const channel = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return `rgb(${channel(1)}, ${channel(3)}, ${channel(5)})`;
}

/** Waits until the page has this background: a change of colors is a transition, if only of a millisecond. */
async function shows(page: Page, ground: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => getComputedStyle(document.body).backgroundColor === wanted,
    ground,
    SELDOM,
  );
}

/** The allowances that were needed. */
const needed = new Set<Allowance>();

/**
 * Returns what is wrong with a screen, narrow and dark. The first screen of each page is also checked wide and
 * light: its other states are made of the same parts, whose colors have enough contrast in light too
 * (`tokens.unit.test.ts`).
 */
async function faults(screen: Screen): Promise<string[]> {
  const found: string[] = [];
  const isFirst = isFirstOfPage(screen);
  const shot = { width: WIDE.width, colors: isFirst ? "light" : "dark", again: true } as const;
  const path = LONG_LISTS.includes(screen.path) ? `${screen.path}?perPage=10` : screen.path;
  await stage.show({ ...screen, path }, shot, async (page) => {
    const check = async (how: string) => {
      const said = await objections(page, CONSOLE_ALLOWANCES);
      for (const each of said.needed) needed.add(each);
      found.push(...said.lines.map((line) => `${screen.name}, ${how}: ${line}`));
    };
    const fits = async (how: string) => {
      if (await overflows(page)) found.push(`${screen.name}, ${how} scrolls sideways`);
    };
    await fits("wide");
    if (isFirst) await check("wide and light");
    await page.setViewportSize(NARROW);
    await page.emulateMedia({ colorScheme: "dark" });
    await shows(page, DARK);
    await check("narrow and dark");
    await fits("narrow");
  });
  return found;
}

describe("the console's colors", () => {
  it("pass axe on every page, light and dark, and in every state, dark, without sideways scrolling", async () => {
    const found: string[] = [];
    const waiting = [...CONSOLE];
    const some = async () => {
      for (let screen = waiting.shift(); screen; screen = waiting.shift())
        found.push(...(await faults(screen)));
    };
    await Promise.all([some(), some(), some()]);
    expect(found).toEqual([]);
    expect(CONSOLE_ALLOWANCES.filter((each) => !needed.has(each))).toEqual([]);
  }, 900_000);

  it("follow the system until an admin chooses others, which then apply to the site too", async () => {
    const screen: Screen = { name: "colors", path: "/admin/users", as: "admin" };
    await stage.show(screen, { width: 1280, colors: "dark" }, async (page) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      const menu = page.getByRole("button", { name: "Account menu" });
      const choose = async (name: string) => {
        await menu.click();
        await page.getByRole("menuitemradio", { name: `Colors: ${name}` }).click();
        await page.getByRole("menu").waitFor({ state: "detached" });
      };
      const chosen = async () => {
        await menu.click();
        const name = await page
          .getByRole("menuitemradio", { checked: true })
          .getAttribute("aria-label");
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        return name;
      };
      await shows(page, DARK);
      expect(await chosen()).toBe("Colors: System");
      await choose("Light");
      await shows(page, LIGHT);
      await page.reload({ waitUntil: "networkidle" });
      await shows(page, LIGHT);
      expect(await chosen()).toBe("Colors: Light");

      await page.emulateMedia({ colorScheme: "light" });
      // With keys only: the third option is two below the first.
      await menu.press("Enter");
      await page.getByRole("menuitemradio", { name: "Colors: Dark" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await shows(page, DARK);
      await page.emulateMedia({ media: "print" });
      await shows(page, PAPER);
      await page.emulateMedia({ media: "screen" });

      await page.goto(new URL("/", page.url()).href);
      await shows(page, DARK);
      await page.goto(new URL("/admin/users", page.url()).href, { waitUntil: "networkidle" });
      await choose("System");
      await shows(page, LIGHT);
      await page.emulateMedia({ colorScheme: "dark" });
      await shows(page, DARK);
      expect(complaints).toEqual([]);
    });
  });

  it("apply before any script runs, so that a dark console never flashes white", async () => {
    const screen: Screen = { name: "first-paint", path: "/admin", as: "admin" };
    await stage.show(screen, { width: 1280, colors: "light" }, async (page) => {
      await page.route("**/assets/*.js", (route) => route.abort());
      await page.reload();
      await shows(page, LIGHT);
      await page.emulateMedia({ colorScheme: "dark" });
      await shows(page, DARK);
      await page.emulateMedia({ colorScheme: "light" });
      const url = new URL("/", page.url()).href;
      await page.context().addCookies([{ name: "theme", value: "dark", url }]);
      await page.reload();
      await shows(page, DARK);
      expect(await page.locator("#root").innerHTML()).toBe("");
    });
  });
});
