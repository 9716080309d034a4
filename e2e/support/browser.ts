import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { CHANGES } from "#contracts/http/changes.ts";
import { chromiumPath } from "./config.ts";
import { openContext } from "./contexts.ts";
import type { StoredSession } from "./sessions.ts";

/** The headless shell first: it opens no window for each page, which saves half of the work. */
const candidates = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Why browser tests cannot run here; undefined when they can. */
export const NO_BROWSER = "no Chromium on this machine: install one, or name it in CHROMIUM_PATH";

/** The Chromium that CHROMIUM_PATH names, and no other; without it, one in the usual places. */
export function findChromium(): string | undefined {
  const named = chromiumPath();
  return (named ? [named] : candidates).find((path) => existsSync(path));
}

/** @param isMeasured whether scripts run as fast as they do for people. */
export async function openBrowser(executablePath: string, isMeasured = false): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // Tabs of a context share their compiled code.
      "--process-per-site",
      // No page of a test lives long enough for its code to earn what optimizing it costs.
      ...(isMeasured ? [] : ["--js-flags=--no-opt --no-maglev"]),
    ],
  });
}

/** How often a page is asked for what is waited for. By default it is in each frame, which is drawn for that alone. */
export const SELDOM = { polling: 50 };

/**
 * Waits until the scripts of a site's page have taken over what the server rendered; earlier input
 * may be lost. From then on the site restores scroll positions itself.
 */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => history.scrollRestoration === "manual", undefined, SELDOM);
}

/**
 * Fills with the errors that a page logs: scripts that failed, policies that were violated. A refused request is not
 * one, and neither is a script of Playwright's own in the sandboxed preview of an email
 * (https://github.com/microsoft/playwright/issues/33343).
 */
export function complaintsOf(page: Page, complaints: string[] = []): string[] {
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    const isRefusal = /Failed to load resource|script execution in 'about:srcdoc'/.test(
      message.text(),
    );
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  return complaints;
}

/** The options of a context that needs nothing else. Nothing moves in it, as each frame of that would be drawn. */
export const PLAIN = {
  viewport: { width: 1280, height: 800 },
  locale: "en-US",
  reducedMotion: "reduce",
} as const;

/** A page in its own context, and its complaints. */
export async function openPage(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const context = await openContext(browser, PLAIN);
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page) };
}

/** Gives a page's browser a session, as if somebody had signed in there. @param url the registry's. */
export async function storeSession(page: Page, url: string, session: StoredSession): Promise<void> {
  // The storage is its origin's, so something of that must be open: a file in which nothing runs.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate((items) => void Object.assign(localStorage, items), session);
}

/**
 * Tells the console that nothing changes, from the next address that is opened: the stream that it would follow keeps
 * the network from ever being idle. Not by a route: while there is one, Playwright keeps the browser from caching, and
 * each page fetches and compiles all of its code again.
 */
export function withoutChanges(target: Page | BrowserContext): Promise<unknown> {
  return target.addInitScript((changes) => {
    const { fetch } = window;
    window.fetch = (input, init) => {
      const address = input instanceof Request ? input.url : input;
      return new URL(address, location.href).pathname === changes
        ? Promise.resolve(new Response(null, { status: 204 }))
        : fetch(input, init);
    };
  }, CHANGES);
}
