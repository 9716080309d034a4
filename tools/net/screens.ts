import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { findChromium, NO_BROWSER } from "../../e2e/support/browser.ts";
import { LOADING } from "../pictures/console-pages.ts";
import type { Screen } from "../pictures/screen.ts";
import { SCREENS } from "../pictures/screens.ts";
import { type Stage, startStage } from "../pictures/stage.ts";

/**
 * Writes the content of each screen to a file in a folder: title, text, and controls with their names, as
 * assistive technology gets them, plus the narrow layout where it differs. The order is fixed because some
 * screens list actions taken on others: the audit log and a report's history differ if only some screens are
 * named.
 *
 * @param names of the screens; all if empty.
 */
export async function writeScreens(folder: string, names: readonly string[]): Promise<void> {
  const executable = findChromium();
  if (!executable) throw new Error(NO_BROWSER);
  await mkdir(folder, { recursive: true });
  const wanted = SCREENS.filter(({ name }) => names.length === 0 || names.includes(name));
  const stage = await startStage(executable);
  try {
    for (const screen of wanted)
      try {
        await writeFile(path.join(folder, `${screen.name}.txt`), await readScreen(stage, screen));
      } catch (error) {
        process.exitCode = 1;
        console.error(`${screen.name}: ${String(error).split("\n")[0]}`);
      }
  } finally {
    await stage.close();
  }
}

function readScreen(stage: Stage, screen: Screen): Promise<string> {
  return stage.show(screen, { width: 1280, colors: "light" }, async (page) => {
    // Input is saved a moment later, and the page then says so.
    const wide = await settled(page, screen, screen.act ? 1000 : 250);
    await page.setViewportSize({ width: 360, height: 640 });
    return textOf(screen.name, await page.title(), wide, await settled(page, screen, 250));
  });
}

/** Parts that most screens share. Only these screens list them completely. */
const SHARED =
  /^(- (?:contentinfo|navigation "Sections"|complementary "Sample data")):\n(?: .*\n)+/gm;
const WITH_SHARED = ["home", "dashboard", "console-dashboard", "console-no-access"];

/** Screens whose lists have no fixed order: their lines are sorted. */
const UNSORTED = ["console-analytics", "console-mails"];

/** Returns a screen's wide content, and the lines that differ when narrow. */
export function textOf(name: string, title: string, wide: string, narrow: string): string {
  const linesOf = (text: string) => {
    const known = withPlaceholders(`${text}\n`)
      // Its cells have the same text.
      .replaceAll(/^( *- )'?row ".*:$/gm, "$1row:")
      .replaceAll(
        /^(?: *- option .*\n)+/gm,
        (options) => `${options.trimEnd().replaceAll(/\n *- option/g, " |")}\n`,
      );
    const shown = WITH_SHARED.includes(name) ? known : known.replaceAll(SHARED, "$1: ...\n");
    const lines = shown.trimEnd().split("\n");
    return UNSORTED.includes(name) ? lines.toSorted() : lines;
  };
  const [all, others] = [linesOf(wide), linesOf(narrow)];
  const added = others.filter((line) => !all.includes(line)).map((line) => `+ ${line}`);
  const differences = [...gone(all, others).map((line) => `- ${line}`), ...added];
  const narrower = differences.length > 0 ? ["", "At 360:", ...differences] : [];
  return `${[withPlaceholders(title), "", ...all, ...narrower].join("\n")}\n`;
}

/** Returns lines that are missing from others, without the lines nested below them. */
function gone(lines: readonly string[], others: readonly string[]): string[] {
  let above = Number.POSITIVE_INFINITY;
  return lines.filter((line) => {
    const indent = line.search(/\S/);
    if (indent > above) return false;
    const isGone = !others.includes(line);
    above = isGone ? indent : Number.POSITIVE_INFINITY;
    return isGone;
  });
}

/** Returns the page's text once it is stable and nothing is loading. */
async function settled(page: Page, screen: Screen, pauseMs: number): Promise<string> {
  const body = page.locator("body");
  let before = "";
  for (let n = 0; n < 40; n += 1) {
    const text = await body.ariaSnapshot();
    const loads = screen.waits ? 0 : await page.locator(`main :is(${LOADING})`).count();
    if (text === before && loads === 0) return text;
    before = text;
    await page.waitForTimeout(pauseMs);
  }
  throw new Error(`${screen.name} never settles`);
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*";
const WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?(?: UTC)?";

/** IDs as written in streams, events and URLs. */
export const IDS = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Patterns for values that change on every run, and their placeholders, in order of application. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [IDS, "<id>"],
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>"],
  [
    new RegExp(
      `(?:\\b${WEEKDAY}, )?\\b${MONTH} \\d{1,2}(?:, \\d{4})?(?:,? (?:at )?${CLOCK})?`,
      "g",
    ),
    "<date>",
  ],
  [/\b\d{4}-\d{2}-\d{2}\b/g, "<date>"],
  [new RegExp(`\\b${CLOCK}`, "g"), "<time>"],
  [/\b(?:\d+|an?|one) (?:second|minute|hour|day|week|month|year)s? ago\b|\bjust now\b/g, "<ago>"],
  [/\btime: (?:in )?\d+ [a-z]+/g, "time: <duration>"],
  [/\b\d+ (?:minutes?|hours?|days?) left\b/g, "<duration> left"],
  // It counts actions taken on other screens.
  [/\b\d+ items need attention/g, "<count> items need attention"],
  [/\b[RCNIEL]-[\dA-Z]{5}-[\dA-Z]{4,5}\b/g, "<number>"],
  [/\b\d+(?:\.\d+)? (?:ms|[kK]B|MB|GB|TB|bytes)\b/g, "<measured>"],
  [/\b\d+(?:\.\d+)? %/g, "<measured>"],
  [/127\.0\.0\.1:\d+/g, "<host>"],
  // Slugs that end randomly.
  [/(\/report\/[a-z-]+)-[a-z]{6}\b/g, "$1-<random>"],
  [/[\da-f]{24,}/g, "<hash>"],
  // The first digits of an ID.
  [/\b[\da-f]{8}\b/g, "<id>"],
  [/\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/g, "<secret>"],
  [/\b(?:\d+ (?:d|h|min|s)\b ?)+/g, "<duration>"],
  // Encrypted text and tokens.
  [/(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{24,}={0,2}/g, "<token>"],
];

/** Replaces everything that differs between two runs with placeholders: IDs, times, random and measured values. */
export function withPlaceholders(text: string): string {
  return PLACEHOLDERS.reduce((now, [what, shown]) => now.replaceAll(what, shown), text);
}
