import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { CHANGES } from "#contracts/http/changes.ts";
import { chromiumPath } from "./config.ts";
import { openContext } from "./contexts.ts";
import type { StoredSession } from "./sessions.ts";

/** The headless shell comes first: it opens no window for each page, which halves the work. */
const candidates = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Why browser tests are skipped on this machine. */
export const NO_BROWSER = "no Chromium on this machine: install one, or name it in CHROMIUM_PATH";

/** Returns the Chromium named by CHROMIUM_PATH or, if that isn't set, the first one in the usual places. */
export function findChromium(): string | undefined {
  const named = chromiumPath();
  return (named ? [named] : candidates).find((path) => existsSync(path));
}

/** @param isMeasured whether scripts run as fast as they do for users. */
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
      // No test page lives long enough for optimizing its code to pay off.
      ...(isMeasured ? [] : ["--js-flags=--no-opt --no-maglev"]),
    ],
  });
}

/** How often to poll while waiting. The default is every frame, and each frame is drawn just for that. */
export const SELDOM = { polling: 50 };

/**
 * Waits until the page's scripts have hydrated what the server rendered; earlier input may be lost. The sign is
 * that the site restores scroll positions itself.
 */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => history.scrollRestoration === "manual", undefined, SELDOM);
}

/**
 * Collects the errors that a page logs, such as failed scripts and policy violations. Ignores refused requests,
 * and Playwright's own script in the sandboxed preview of an email
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

/** Options of a plain context. It reduces motion, because every frame of it would be drawn. */
export const PLAIN = {
  viewport: { width: 1280, height: 800 },
  locale: "en-US",
  reducedMotion: "reduce",
} as const;

/** Opens a page in its own context and collects its errors. */
export async function openPage(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const context = await openContext(browser, PLAIN);
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page) };
}

/** Stores a session in a page's browser, as if someone had signed in there. @param url the registry's. */
export async function storeSession(page: Page, url: string, session: StoredSession): Promise<void> {
  // Storage belongs to an origin, so open something there that runs no scripts.
  await page.goto(`${url}/robots.txt`);
  await page.evaluate((items) => void Object.assign(localStorage, items), session);
}

/** Returns the access token of the account that is signed in to a page. */
export async function tokenOf(page: Page): Promise<string> {
  return (await page.evaluate(() => localStorage.getItem("token"))) ?? "";
}

/**
 * Answers the console's change stream with 204 from the next navigation on: the open stream would keep the
 * network from ever being idle. This is not a route, because with one Playwright disables the browser's cache and
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
